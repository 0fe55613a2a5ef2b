// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Encoder: slots or real coefficients to plaintext polynomials and back.
//
//   encode: m = round(scale * embedding^-1(z)), then residues (exactly, whatever the size of m) and
//   evaluations.
//
// With n slots, u = 2^-53 and e = relative_error(n) of the embedding, an encoded polynomial is off
// from scale * z by at most worst_norm(2n, 1/2) (2n coefficients rounded by 1/2) + (e + 4u) *
// sqrt(n) * scale * max|z| at every slot; a decoded slot by at most (e + (4*limb_count + 8) * u) *
// sqrt(n) * max|z| (decoding_error).
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "heliodor/rlwe/context.h"
#include "heliodor/schemes/ckks/embedding.h"
#include "heliodor/schemes/ckks/plaintext.h"

namespace heliodor::ckks {

class Encoder {
 public:
  explicit Encoder(rlwe::ContextPtr context);

  std::size_t max_slots() const noexcept { return embedding_.max_slots(); }

  /// At least one value; their number is raised to a power of two with zeros. Error{out_of_range}
  /// for none, more than max_slots(), values that are not finite, a limb_count outside the
  /// context's, or a polynomial beyond Q/2.
  Plaintext encode(std::span<const std::complex<double>> values, std::size_t limb_count,
                   const Scale& scale) const;
  Plaintext encode(std::span<const double> values, std::size_t limb_count,
                   const Scale& scale) const;
  /// Coefficients 0, 1, ..; missing ones are 0. Errors as above, for more than degree values.
  Plaintext encode_coefficients(std::span<const double> values, std::size_t limb_count,
                                const Scale& scale) const;

  /// From centred mixed radix digits (rlwe::Decryptor::mixed_radix_phase). `slots` as in Plaintext:
  /// repetitions are averaged.
  Slots decode(const rlwe::LimbMatrix& digits, const Scale& scale, std::size_t slots) const;
  std::vector<double> decode_coefficients(const rlwe::LimbMatrix& digits, const Scale& scale) const;

  /// What encoding adds to scale * z, z of `slots` values of at most `largest` / scale; canonical
  /// norm.
  static rlwe::NoiseBound encoding_error(std::size_t slots, double largest) noexcept;
  /// What decoding adds to the error of one slot, as a multiple of the largest |z|.
  static double decoding_error(std::size_t slots, std::size_t limb_count) noexcept;

 private:
  rlwe::LimbMatrix residues(std::span<const double> coefficients, std::size_t limb_count) const;
  void check_bound(const Plaintext& plaintext) const;

  rlwe::ContextPtr context_;
  Embedding embedding_;
};

}  // namespace heliodor::ckks
