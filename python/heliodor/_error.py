# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""The exception of the package."""


class Error(RuntimeError):
    """What heliodor refuses. The message names the quantity, its value and the bound.

    Attributes:
        code: the error code by its name, such as "out_of_range"; `heliodor explain CODE` says more.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code

    def __str__(self) -> str:
        return str(self.args[1])
