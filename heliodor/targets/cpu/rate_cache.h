// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps KernelRates between processes, in a small text file of the user's cache: a line that names
// the format, one with the key, then a name and a number per line.
//
// The file is a convenience, not an input: one that is missing, unreadable, from another machine or
// library, cut short or nonsense counts as absent, and one that cannot be written is not.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "heliodor/targets/cpu/kernel_rates.h"

namespace heliodor::cpu {

std::string format_rates(const KernelRates& rates, std::string_view key);

/// Nothing unless `text` is what format_rates makes for this key and every number is plausible.
std::optional<KernelRates> parse_rates(std::string_view text, std::string_view key);

/// What the file holds for the key; otherwise measure()'s rates, then kept in the file. An empty
/// path keeps nothing. Throws only what `measure` throws.
KernelRates rates_from(const std::filesystem::path& file, std::string_view key,
                       const std::function<KernelRates()>& measure);

/// What the system calls this CPU, with family, model and stepping; empty where it does not say.
std::string cpu_model();

/// One line: CPU model, kernel table, version and build of this library.
std::string rate_key(const KernelTable& kernels);

/// $XDG_CACHE_HOME/heliodor/rates-TABLE.txt, or the same below ~/.cache; empty if HELIODOR_CACHE is
/// "off" or there is no home. Relative paths in the environment do not count.
std::filesystem::path rate_file(const KernelTable& kernels);

/// The rates of a table on this machine, from the file or measured; once per process and table.
/// Safe to call from several threads.
const KernelRates& known_rates(const KernelTable& kernels);

}  // namespace heliodor::cpu
