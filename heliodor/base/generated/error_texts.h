// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// generated from heliodor/base/error_codes.toml by tools/generate_error_texts; do not edit

#pragma once

#include <array>
#include <string_view>

#include "heliodor/base/error.h"

namespace heliodor::base {

/// What a user should know of an error code. Lists are one line for each entry.
struct ErrorText {
  ErrorCode code;
  std::string_view meaning;
  std::string_view causes;
  std::string_view remedies;
};

/// Every code, in the order of the enum.
inline constexpr std::array<ErrorText, 14> kErrorTexts{{
    {ErrorCode::out_of_range,
     "A number lies outside the bounds that its function states.",
     "An option, a degree, a number of limbs or digits lies outside the bounds of the function.\n"
     "A degree is no power of two, or larger than 131072.\n"
     "Requirements that no parameters meet: too much depth or precision for degree 131072.",
     "The message names the quantity, its value and the bound: stay within it.\n"
     "`heliodor params` shows which requirements can be met, and at what cost."},
    {ErrorCode::mismatch,
     "Two things that must agree (degrees, limb counts, moduli) do not.",
     "Ciphertexts, keys or plaintexts of different parameters meet in one operation.\n"
     "Ciphertexts of different limb counts or scales meet where levels are not matched by themselves.\n"
     "Files that do not belong together: an odd number of factors, a key of another cryptosystem.",
     "Compare both files with `heliodor inspect`: degree, moduli and limbs must agree.\n"
     "Let the evaluator match levels (`Matching::automatic`), or bring both operands to one first."},
    {ErrorCode::invalid_modulus,
     "A modulus is not a usable prime, or its root not a primitive 2N-th root.",
     "A modulus is composite, even, or has more than 60 bits.\n"
     "A modulus is not 1 modulo 2N, so that it has no primitive 2N-th root of unity.\n"
     "The psi of a file or program is not a primitive 2N-th root of its modulus.",
     "Take primes = 1 modulo 2N: `heliodor params` prints chains of them.\n"
     "In a program text, leave no modulus over from another degree."},
    {ErrorCode::invalid_program,
     "A LimbProgram fails verification; the message lists the diagnostics.",
     "A value is used before it is defined, or never used.\n"
     "Operands of one instruction differ in modulus or domain.\n"
     "A constant is not below its modulus, or a Galois element is even.",
     "The message lists every fault with its place; the first one often causes the others.\n"
     "See docs/reference/instructions.md for what each instruction takes."},
    {ErrorCode::invalid_description,
     "A machine description is malformed; the message lists the diagnostics.",
     "A key of a machine description is missing, misspelt or of the wrong type.\n"
     "A number lies outside its bounds: word bits, lanes, banks, clocks.\n"
     "The text is not TOML.",
     "The message lists every fault with line and column.\n"
     "See docs/reference/machine-descriptions.md; examples stand in heliodor/targets/machine."},
    {ErrorCode::malformed_file,
     "The bytes of a file or stream do not have the form that was asked for.",
     "The file is cut short or damaged: a checksum or a length does not fit.\n"
     "The file is of another kind than its name or the command says.\n"
     "A newer version or an unsupported feature of the library that wrote it.",
     "`heliodor inspect FILE` says what it is, or where reading stopped.\n"
     "Copy the file again (in binary mode) or write it again."},
    {ErrorCode::unsupported,
     "A target cannot run this program; the message says why.",
     "A modulus is wider than the target's words, or its memory too small for the program.\n"
     "The target has no unit for an instruction, or runs one form of program only.\n"
     "A scheme, key or file feature that the operation has no meaning for.",
     "Run on another target: `heliodor doctor` lists them, and `cpu` runs every program.\n"
     "Choose narrower moduli, a smaller degree or fewer limbs for this target."},
    {ErrorCode::unavailable,
     "This machine lacks what was asked for by name (an instruction set, a target).",
     "This CPU lacks the instruction set of a kernel table asked for by name (`HELIODOR_CPU`).\n"
     "No target has that name.\n"
     "The build leaves a part out, such as the RTL of the streaming cores.",
     "`heliodor doctor` lists kernel tables and targets of this machine.\n"
     "Unset `HELIODOR_CPU` to have the fastest table chosen."},
    {ErrorCode::range_violation,
     "Checked builds only: a word is not below the bound its function requires.",
     "An input word is not below its modulus.\n"
     "A defect of Heliodor: a kernel left a word above the bound that the next one requires.",
     "Check your own inputs: every word must be a canonical residue in [0, q).\n"
     "If they are, please report it with the message and the program."},
    {ErrorCode::io,
     "A file cannot be opened, read or written.",
     "The file does not exist, is a directory, or may not be read.\n"
     "The folder of an output does not exist, may not be written, or its disk is full.",
     "Check path and permissions: files with secret keys are written for their owner alone."},
    {ErrorCode::out_of_memory,
     "Memory for limbs cannot be had.",
     "Keys, batch or program need more memory than there is: Galois keys may take gigabytes.",
     "`heliodor params` shows the sizes of keys and ciphertexts.\n"
     "Take fewer digits, a smaller batch, or keep fewer Galois keys loaded."},
    {ErrorCode::insecure,
     "Parameters reach less security than was asked for.",
     "The size log2(QP), special primes included, exceeds what the degree allows at this security.\n"
     "A sparse secret or a small sigma, for which the guidelines give no verdict.\n"
     "Keys from a test seed, which anyone can make again.",
     "Take a larger degree or smaller moduli: `heliodor params` finds them.\n"
     "For tests only, ask for it by name: security `none`, or test seeds accepted."},
    {ErrorCode::noise_overflow,
     "The result of an operation could decrypt wrongly.",
     "More multiplications in a row than the parameters were chosen for.\n"
     "Many additions or large plaintext factors before a product.\n"
     "A ciphertext whose bound is unknown or was given too large.",
     "Ask for the depth, and the summands, of the whole computation when choosing parameters.\n"
     "Multiply in a tree instead of a chain, and let the evaluator drop limbs by itself."},
    {ErrorCode::missing_key,
     "An operation needs an evaluation key that was not given.",
     "A product without a relinearization key, or a rotation without its Galois key.\n"
     "A file that holds other objects than the one asked for.",
     "Make the key: `relinearization_keys`, or `galois_keys` for every rotation used.\n"
     "`heliodor inspect FILE` lists the keys and Galois elements of a file."},
}};

}  // namespace heliodor::base
