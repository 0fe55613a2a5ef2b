// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What `heliodor doctor` looks up of this machine. Nothing is started or loaded: files are read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heliodor::cli {

/// Folders of the system, so that tests can stand in others.
struct SystemPaths {
  std::filesystem::path sys = "/sys";
  std::filesystem::path proc = "/proc";
};

/// The kernel's setting, "always", "madvise" or "never"; "unknown" where it does not say.
std::string transparent_huge_pages(const SystemPaths& paths = {});

struct Memory {
  std::uint64_t total;      ///< bytes
  std::uint64_t available;  ///< bytes
};

/// Nothing where the system does not say.
std::optional<Memory> memory(const SystemPaths& paths = {});

/// Display and 3D controllers on the PCI bus, as "NVIDIA 10de:2335".
std::vector<std::string> gpus(const SystemPaths& paths = {});

/// The first executable file of that name in the folders of `path`, which are separated by colons.
std::optional<std::filesystem::path> find_program(std::string_view name, std::string_view path);

}  // namespace heliodor::cli
