// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/slots/plaintext.h"

#include <fmt/format.h>

#include "heliodor/base/error.h"

namespace heliodor::slots {

Plaintext encode_coefficients(const PlaintextModulus& t, std::uint64_t degree,
                              std::span<const std::int64_t> values) {
  if (values.size() > degree) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("{} values exceed the degree {}", values.size(), degree));
  }
  const auto lowest = static_cast<std::uint64_t>(t.min_centred());
  const std::uint64_t width = t.value() - lowest;  // of the range of values: t - min_centred
  std::uint64_t outside = 0;
  Plaintext plaintext{t, std::vector<std::int64_t>(degree)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto above_lowest = static_cast<std::uint64_t>(values[i]) - lowest;
    outside += static_cast<std::uint64_t>(above_lowest >= width);
    plaintext.coefficients[i] = t.centred(t.residue(values[i]));
  }
  if (outside != 0) {
    throw Error(ErrorCode::out_of_range, fmt::format("{} values are not in [{}, {}]", outside,
                                                     t.min_centred(), t.value() - 1));
  }
  return plaintext;
}

Plaintext from_residues(const PlaintextModulus& t, std::span<const std::uint64_t> residues) {
  Plaintext plaintext{t, std::vector<std::int64_t>(residues.size())};
  for (std::size_t i = 0; i < residues.size(); ++i)
    plaintext.coefficients[i] = t.centred(residues[i]);
  return plaintext;
}

std::vector<std::uint64_t> to_residues(const Plaintext& plaintext) {
  std::vector<std::uint64_t> residues(plaintext.coefficients.size());
  for (std::size_t i = 0; i < residues.size(); ++i)
    residues[i] = plaintext.t.residue(plaintext.coefficients[i]);
  return residues;
}

void lift(const Plaintext& plaintext, const ring::Modulus& q, std::span<std::uint64_t> out) {
  if (out.size() != plaintext.coefficients.size()) {
    throw Error(ErrorCode::mismatch, fmt::format("{} words for {} coefficients", out.size(),
                                                 plaintext.coefficients.size()));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto word = static_cast<std::uint64_t>(plaintext.coefficients[i]);
    const std::uint64_t negative = std::uint64_t{0} - (word >> 63);
    const std::uint64_t magnitude = q.reduce((word ^ negative) - negative);
    out[i] = magnitude ^ ((magnitude ^ q.neg(magnitude)) & negative);
  }
}

}  // namespace heliodor::slots
