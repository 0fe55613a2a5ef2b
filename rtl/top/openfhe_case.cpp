// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "rtl/top/openfhe_case.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/ring/reference.h"

namespace heliodor::rtl_bench {

namespace reference = ring::reference;

OpenfheCase::OpenfheCase(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::ifstream file(folder_ / "case.json");
  if (!file) throw Error(ErrorCode::io, "cannot read " + (folder_ / "case.json").string());
  const auto json = nlohmann::json::parse(file);
  const std::uint64_t degree = json["ring_dimension"];
  products_ = json["pairs"];
  for (const auto& modulus : json["moduli_q"]) {
    moduli_.emplace_back(modulus["modulus"].get<std::uint64_t>(), degree,
                         modulus["psi"].get<std::uint64_t>());
  }
}

OpenfheCase::Limb OpenfheCase::limb(const std::string& file, std::size_t outer,
                                    std::size_t limb) const {
  const auto degree = static_cast<std::size_t>(moduli_.front().degree());
  const std::filesystem::path path = folder_ / (file + ".u32le");
  std::ifstream stream(path, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(4 * degree * (outer * moduli_.size() + limb)));
  std::vector<unsigned char> bytes(4 * degree);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream) throw Error(ErrorCode::io, "cannot read " + path.string());
  Limb words(degree);
  for (std::size_t i = 0; i < degree; ++i) {
    for (std::size_t byte = 0; byte < 4; ++byte) {
      words[i] |= std::uint64_t{bytes[4 * i + byte]} << (8 * byte);
    }
  }
  return words;
}

OpenfheCase::Limb OpenfheCase::digit(std::size_t product, std::size_t digit,
                                     std::size_t limb) const {
  const ring::Modulus& source = moduli_[digit];
  Limb c2(source.degree());
  reference::mul(source, this->limb("a1", product, digit), this->limb("b1", product, digit), c2);
  if (digit == limb) return c2;
  const ring::Modulus& q = moduli_[limb];
  Limb coefficients(c2.size()), reduced(c2.size()), result(c2.size());
  reference::intt(source, c2, coefficients);
  reference::reduce(source, q, ring::Lift::centred, coefficients, reduced);
  reference::ntt(q, reduced, result);
  return result;
}

}  // namespace heliodor::rtl_bench
