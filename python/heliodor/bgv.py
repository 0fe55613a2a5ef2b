# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""BGV: exact arithmetic modulo t on arrays of integers."""

from heliodor._heliodor.bgv import (
    Ciphertext,
    Context,
    Decryptor,
    Encryptor,
    Evaluator,
    Parameters,
)

__all__ = ["Ciphertext", "Context", "Decryptor", "Encryptor", "Evaluator", "Parameters"]
