# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""BFV: exact arithmetic modulo t on arrays of integers, without levels."""

from heliodor._heliodor.bfv import (
    Ciphertext,
    Context,
    Decryptor,
    Encryptor,
    Evaluator,
    Parameters,
)

__all__ = ["Ciphertext", "Context", "Decryptor", "Encryptor", "Evaluator", "Parameters"]
