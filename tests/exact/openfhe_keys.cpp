// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exact/openfhe_keys.h"

#include <algorithm>
#include <span>
#include <utility>

namespace heliodor::exact {
namespace {

using vectors::OpenfheCase;

bool has_file(const OpenfheCase& given, const std::string& name) {
  return std::ranges::any_of(given.json().at("files"),
                             [&](const auto& file) { return file.at("name") == name; });
}

void copy(std::span<const std::uint64_t> from, std::span<std::uint64_t> to) {
  std::ranges::copy(from, to.begin());
}

// Half `half` (0 b, 1 a) of every digit: parts half, half + 2, ..
void read_half(const OpenfheCase& given, const std::string& name, std::size_t half,
               rlwe::LimbMatrix& limbs) {
  std::size_t offset = 0;
  for (const char* suffix : {"", "_q", "_p"}) {
    if (!has_file(given, name + suffix)) continue;
    const auto array = given.words(name + suffix);
    for (std::size_t j = 0; j < array.shape[0]; ++j) {
      for (std::size_t i = 0; i < array.shape[1]; ++i)
        copy(array.row({j, i}), limbs.limb(2 * j + half, offset + i));
    }
    offset += array.shape[1];
  }
}

}  // namespace

rlwe::Parameters parameters_of(const OpenfheCase& given) {
  rlwe::Parameters::Description d;
  d.q = given.q();
  d.p = given.p();
  if (given.json().contains("key_switching")) {
    const auto& digits = given.json()["key_switching"]["digit_towers"];
    d.gadgets = {{digits[0].size(), d.p.size(), d.q.size()}};
  }
  d.error_scale = std::max<std::uint64_t>(1, given.plaintext_modulus());
  d.security = rlwe::SecurityLevel::none;
  return rlwe::Parameters(std::move(d));
}

rlwe::EvaluationKey evaluation_key(const OpenfheCase& given, const std::string& name) {
  const rlwe::Parameters parameters = parameters_of(given);
  const rlwe::Gadget gadget = parameters.gadgets().front();
  const std::size_t parts = 2 * gadget.digit_count(gadget.max_limb_count);
  rlwe::EvaluationKey key{
      gadget, rlwe::LimbMatrix(parts, gadget.max_limb_count + gadget.special_count, given.degree()),
      std::nullopt};
  read_half(given, name + "_b", 0, key.limbs);
  read_half(given, name + "_a", 1, key.limbs);
  return key;
}

rlwe::Ciphertext ciphertext(const OpenfheCase& given, const std::string& name) {
  const auto array = given.words(name);
  rlwe::Ciphertext c{rlwe::LimbMatrix(array.shape[0], array.shape[1], array.shape[2]), {}};
  for (std::size_t part = 0; part < c.parts(); ++part) {
    for (std::size_t i = 0; i < c.limb_count(); ++i)
      copy(array.row({part, i}), c.limbs.limb(part, i));
  }
  return c;
}

rlwe::Ciphertext ciphertext(const OpenfheCase& given, std::initializer_list<const char*> names,
                            std::size_t pair) {
  const std::size_t limbs = given.words(*names.begin()).shape[1];
  rlwe::Ciphertext c{rlwe::LimbMatrix(names.size(), limbs, given.degree()), {}};
  std::size_t part = 0;
  for (const char* name : names) {
    const auto array = given.words(name);
    for (std::size_t i = 0; i < limbs; ++i) copy(array.row({pair, i}), c.limbs.limb(part, i));
    ++part;
  }
  return c;
}

}  // namespace heliodor::exact
