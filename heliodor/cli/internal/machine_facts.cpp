// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/machine_facts.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace heliodor::cli {
namespace {

namespace fs = std::filesystem;

// The first word of a file of one line, such as "0x10de"; empty if there is none.
std::string first_word(const fs::path& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

std::string without_prefix(const std::string& number) {
  return number.starts_with("0x") ? number.substr(2) : number;
}

std::string vendor_name(const std::string& id) {
  if (id == "10de") return "NVIDIA ";
  if (id == "1002") return "AMD ";
  if (id == "8086") return "Intel ";
  return "";
}

}  // namespace

std::string transparent_huge_pages(const SystemPaths& paths) {
  std::ifstream file(paths.sys / "kernel/mm/transparent_hugepage/enabled");
  std::string word;
  while (file >> word) {
    if (word.starts_with('[') && word.ends_with(']')) return word.substr(1, word.size() - 2);
  }
  return "unknown";
}

std::optional<Memory> memory(const SystemPaths& paths) {
  std::ifstream file(paths.proc / "meminfo");
  std::optional<std::uint64_t> total, available;
  std::string name, unit;
  for (std::uint64_t kib = 0; file >> name >> kib && std::getline(file, unit);) {
    if (name == "MemTotal:") total = kib * 1024;
    if (name == "MemAvailable:") available = kib * 1024;
  }
  if (!total || !available) return std::nullopt;
  return Memory{*total, *available};
}

std::vector<std::string> gpus(const SystemPaths& paths) {
  constexpr std::string_view kDisplayClass = "0x03";  // PCI base class 3: display controllers
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(paths.sys / "bus/pci/devices", error)) {
    if (!first_word(entry.path() / "class").starts_with(kDisplayClass)) continue;
    const std::string vendor = without_prefix(first_word(entry.path() / "vendor"));
    const std::string device = without_prefix(first_word(entry.path() / "device"));
    found.push_back(vendor_name(vendor) + vendor + ":" + device);
  }
  std::ranges::sort(found);
  return found;
}

std::optional<fs::path> find_program(std::string_view name, std::string_view path) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const fs::path candidate = fs::path(path.substr(0, end)) / name;
    std::error_code error;
    if (fs::is_regular_file(candidate, error) && access(candidate.c_str(), X_OK) == 0)
      return candidate;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return std::nullopt;
}

}  // namespace heliodor::cli
