# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Exact, fast, programmable homomorphic encryption on NumPy arrays.

bgv, bfv     exact arithmetic modulo t on arrays of integers
ckks         approximate arithmetic on arrays of real or complex numbers
LimbProgram  programs over residues, run on any target with the same words as the result
plan         what each method of key switching would cost on a target
simulate     where the cycles of a program go on a described accelerator
"""

from heliodor import bfv, bgv, ckks
from heliodor._error import Error
from heliodor._heliodor import (
    Context,
    Cost,
    DigitLift,
    Fault,
    FileEntry,
    FileReader,
    FileWriter,
    Gadget,
    GaloisKeys,
    KeyGenerator,
    KeySwitchCandidate,
    KeySwitchChoice,
    KeySwitchMethod,
    LimbProgram,
    Matching,
    Plaintext,
    Plan,
    Profile,
    ProgramPort,
    ProgramRun,
    PublicKey,
    RelinearizationKeys,
    RlweParameters,
    SecretKey,
    SecurityLevel,
    Target,
    __version__,
    generate_primes,
    key_switch_program,
    machine_names,
    make_target,
    max_log_qp,
    plan,
    security_level,
    simulate,
    target_names,
)

__all__ = [
    "Context",
    "Cost",
    "DigitLift",
    "Error",
    "Fault",
    "FileEntry",
    "FileReader",
    "FileWriter",
    "Gadget",
    "GaloisKeys",
    "KeyGenerator",
    "KeySwitchCandidate",
    "KeySwitchChoice",
    "KeySwitchMethod",
    "LimbProgram",
    "Matching",
    "Plaintext",
    "Plan",
    "Profile",
    "ProgramPort",
    "ProgramRun",
    "PublicKey",
    "RelinearizationKeys",
    "RlweParameters",
    "SecretKey",
    "SecurityLevel",
    "Target",
    "__version__",
    "bfv",
    "bgv",
    "ckks",
    "generate_primes",
    "key_switch_program",
    "machine_names",
    "make_target",
    "max_log_qp",
    "plan",
    "security_level",
    "simulate",
    "target_names",
]
