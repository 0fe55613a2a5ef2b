// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/sweep_range.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::cli {
namespace {

constexpr std::size_t kMostValues = 1000, kUsualValues = 8;
constexpr std::string_view kForms = "KEY=FROM..TO, KEY=FROM..TO:STEPS, KEY=FROM..TO:xFACTOR";

[[noreturn]] void refuse(std::string_view text, const std::string& reason) {
  throw Error(ErrorCode::out_of_range,
              fmt::format("sweep '{}': {}; forms are {}", text, reason, kForms));
}

// A finite number above 0.
std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

bool is_whole(double value) { return value == std::floor(value) && value < 1e15; }

struct Steps {
  std::size_t count = kUsualValues;
  double factor = 0;  ///< 0: equal steps
};

std::optional<Steps> parse_steps(std::string_view text) {
  if (text.starts_with('x')) {
    const auto factor = number(text.substr(1));
    if (!factor || *factor <= 1) return std::nullopt;
    return Steps{0, *factor};
  }
  const auto count = number(text);
  if (!count || !is_whole(*count) || *count < 2 || *count > kMostValues) return std::nullopt;
  return Steps{static_cast<std::size_t>(*count), 0};
}

std::vector<double> spaced(double from, double to, const Steps& steps) {
  std::vector<double> values;
  if (steps.factor != 0) {
    for (double value = from; value <= to * (1 + 1e-12) && values.size() <= kMostValues;
         value *= steps.factor)
      values.push_back(value);
    return values;
  }
  const bool whole = is_whole(from) && is_whole(to);
  for (std::size_t i = 0; i < steps.count; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(steps.count - 1);
    const double value = from + part * (to - from);
    const double rounded = whole ? std::round(value) : value;
    if (values.empty() || rounded != values.back()) values.push_back(rounded);
  }
  return values;
}

}  // namespace

std::pair<std::string, std::string> parse_setting(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw Error(ErrorCode::out_of_range, fmt::format("'{}' is not of the form KEY=VALUE", text));
  }
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

SweepRange parse_sweep(std::string_view text) {
  const auto [key, range] = parse_setting(text);
  const std::size_t dots = range.find(".."), colon = range.find(':');
  if (dots == std::string::npos) refuse(text, "there is no '..'");
  const auto from = number(std::string_view(range).substr(0, dots));
  const auto to = number(std::string_view(range).substr(0, colon).substr(dots + 2));
  if (!from || !to) refuse(text, "an end is not a number above 0");
  if (*to < *from) refuse(text, fmt::format("{} is below {}", *to, *from));
  const auto steps = colon == std::string::npos
                         ? std::optional<Steps>(Steps{})
                         : parse_steps(std::string_view(range).substr(colon + 1));
  if (!steps)
    refuse(text, fmt::format("steps are a number from 2 to {} or a factor above 1", kMostValues));
  SweepRange sweep{key, {}};
  for (const double value : spaced(*from, *to, *steps)) {
    sweep.values.push_back(is_whole(value) ? fmt::format("{:.0f}", value)
                                           : fmt::format("{}", value));
  }
  if (sweep.values.size() > kMostValues)
    refuse(text, fmt::format("more than {} values", kMostValues));
  return sweep;
}

}  // namespace heliodor::cli
