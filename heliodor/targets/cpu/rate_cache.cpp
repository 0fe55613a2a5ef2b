// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/rate_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <system_error>

#include "heliodor/targets/cpu/calibration.h"
#include "heliodor/targets/cpu/peak_rates.h"

namespace heliodor::cpu {
namespace {

constexpr std::string_view kFormat = "heliodor kernel rates 1";
constexpr std::size_t kMaxFileBytes = 1 << 16;
constexpr double kMaxNs = 1e9;  // a second per word

// Takes the first line off `text`, without its end; nothing if there is no end.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

// Whether the line is that name and a plausible number, which is then stored.
bool parse_rate(std::string_view line, std::string_view name, double& number) {
  if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ' ')
    return false;
  const std::string_view digits = line.substr(name.size() + 1);
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return result.ec == std::errc() && result.ptr == digits.data() + digits.size() && number >= 0 &&
         number <= kMaxNs;
}

// Reads no devices or pipes, which might wait for ever.
std::optional<std::string> read_small_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error || bytes > kMaxFileBytes) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) return std::nullopt;
  return text;
}

// Through a file of its own, so that no reader sees half of it.
void write_file(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::filesystem::path draft = path;
  draft += fmt::format(".{}", getpid());
  std::ofstream file(draft, std::ios::binary);
  file << text;
  file.close();
  if (file) std::filesystem::rename(draft, path, error);
  if (!file || error) std::filesystem::remove(draft, error);
}

#ifdef __OPTIMIZE__
constexpr const char* kBuild = "optimized";
#else
constexpr const char* kBuild = "not optimized";
#endif

}  // namespace

std::string format_rates(const KernelRates& rates, std::string_view key) {
  std::string text = fmt::format("{}\n{}\n", kFormat, key);
  for_each_rate(rates, [&](const std::string& name, double number) {
    fmt::format_to(std::back_inserter(text), "{} {}\n", name, number);
  });
  return text;
}

std::optional<KernelRates> parse_rates(std::string_view text, std::string_view key) {
  if (take_line(text) != kFormat || take_line(text) != key) return std::nullopt;
  KernelRates rates{};
  bool right = true;
  for_each_rate(rates, [&](const std::string& name, double& number) {
    const auto line = take_line(text);
    right = right && line && parse_rate(*line, name, number);
  });
  return right && text.empty() ? std::optional(rates) : std::nullopt;
}

KernelRates rates_from(const std::filesystem::path& file, std::string_view key,
                       const std::function<KernelRates()>& measure) {
  if (file.empty()) return measure();
  if (const auto text = read_small_file(file)) {
    if (const auto rates = parse_rates(*text, key)) return *rates;
  }
  const KernelRates rates = measure();
  write_file(file, format_rates(rates, key));
  return rates;
}

// The lines of /proc/cpuinfo that tell one CPU model from another.
std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  std::map<std::string, std::string> facts;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || colon + 2 > line.size()) continue;
    const std::size_t name_end = line.find_last_not_of(" \t", colon - 1);
    facts[line.substr(0, name_end + 1)] = line.substr(colon + 2);
  }
  std::string model;
  for (const char* name : {"model name", "vendor_id", "cpu family", "model", "stepping",
                           "CPU implementer", "CPU part", "CPU variant"}) {
    if (facts.contains(name)) model += (model.empty() ? "" : ", ") + facts[name];
  }
  return model;
}

std::string rate_key(const KernelTable& kernels) {
  const CacheSizes caches = cache_sizes();
  std::string key = fmt::format("{}, L2 {}, L3 {}; {}; heliodor {}, {}, {}", cpu_model(), caches.l2,
                                caches.l3, kernels.name, HELIODOR_VERSION, __VERSION__, kBuild);
  std::erase(key, '\n');
  return key;
}

std::filesystem::path rate_file(const KernelTable& kernels) {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  if (variable("HELIODOR_CACHE") == "off") return {};
  std::filesystem::path folder = variable("XDG_CACHE_HOME");
  if (!folder.is_absolute()) {
    const std::filesystem::path home = variable("HOME");
    if (!home.is_absolute()) return {};
    folder = home / ".cache";
  }
  return folder / "heliodor" / fmt::format("rates-{}.txt", kernels.name);
}

const KernelRates& known_rates(const KernelTable& kernels) {
  static std::mutex mutex;
  static std::map<const KernelTable*, KernelRates> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(&kernels);
  if (found != known.end()) return found->second;
  const KernelRates rates =
      rates_from(rate_file(kernels), rate_key(kernels), [&] { return calibrate(kernels); });
  return known.emplace(&kernels, rates).first->second;
}

}  // namespace heliodor::cpu
