# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""CKKS: approximate arithmetic on arrays of real or complex numbers."""

from heliodor._heliodor.ckks import (
    Ciphertext,
    Context,
    Decryptor,
    Encryptor,
    Evaluator,
    Parameters,
)

__all__ = ["Ciphertext", "Context", "Decryptor", "Encryptor", "Evaluator", "Parameters"]
