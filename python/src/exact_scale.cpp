// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "python/src/exact_scale.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

#include "heliodor/base/error.h"

namespace heliodor::python {
namespace {

constexpr std::string_view kTimes = " * ";

template <typename T>
bool parse_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

ckks::Scale power(ckks::Scale base, std::uint64_t exponent) {
  ckks::Scale result;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * base;
    if (exponent > 1) base = base * base;
  }
  return result;
}

}  // namespace

ckks::Scale parse_scale(const std::string& text) {
  const Error malformed(ErrorCode::malformed_file,
                        "exact_scale \"" + text + "\" is no product of powers");
  ckks::Scale scale;
  if (text == "1") return scale;
  std::string_view rest = text;
  for (bool more = true; more;) {
    const std::size_t end = rest.find(kTimes);
    more = end != std::string_view::npos;
    const std::string_view factor = rest.substr(0, end);
    if (more) rest.remove_prefix(end + kTimes.size());
    const std::size_t hat = factor.find('^');
    std::uint64_t base = 0;
    std::int64_t exponent = 1;
    if (!parse_number(factor.substr(0, hat), base) || base < 2) throw malformed;
    if (hat != std::string_view::npos && !parse_number(factor.substr(hat + 1), exponent))
      throw malformed;
    if (exponent == std::numeric_limits<std::int64_t>::min()) throw malformed;
    const ckks::Scale magnitude =
        power(ckks::Scale::of_integer(base),
              static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent));
    scale = exponent < 0 ? scale / magnitude : scale * magnitude;
  }
  return scale;
}

}  // namespace heliodor::python
