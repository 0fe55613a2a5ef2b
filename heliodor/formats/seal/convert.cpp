// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/seal/convert.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/formats/residues.h"
#include "heliodor/formats/seal/internal/blake2xb.h"
#include "heliodor/ring/reference.h"

namespace heliodor::formats::seal {
namespace {

constexpr const char* kPlace = "SEAL file";

[[noreturn]] void malformed(const std::string& message) {
  throw Error(ErrorCode::malformed_file, fmt::format("{}: {}", kPlace, message));
}

std::vector<ring::Modulus> all_moduli(const rlwe::Parameters& parameters) {
  std::vector<ring::Modulus> moduli(parameters.q().moduli().begin(), parameters.q().moduli().end());
  moduli.insert(moduli.end(), parameters.p().begin(), parameters.p().end());
  return moduli;
}

/// Residues modulo q, as evaluations.
void to_evaluations(const ring::Modulus& q, bool is_ntt, std::span<std::uint64_t> limb) {
  check_residues(q, limb, kPlace);
  if (is_ntt) return;
  const std::vector<std::uint64_t> coefficients(limb.begin(), limb.end());
  ring::reference::ntt(q, coefficients, limb);
}

/// The ciphertext's parts into parts first_part, first_part + 1, .. of `out`.
void read_parts(const Ciphertext& ciphertext, std::span<const ring::Modulus> moduli,
                std::size_t first_part, rlwe::LimbMatrix& out) {
  std::vector<std::uint64_t> expanded;
  if (ciphertext.seed) {
    std::vector<std::uint64_t> values;
    for (const ring::Modulus& q : moduli) values.push_back(q.value());
    expanded.resize(moduli.size() * ciphertext.degree);
    expand_seed(*ciphertext.seed, values, ciphertext.degree, expanded);
  }
  const Bytes stored = ciphertext.values.bytes();
  const std::size_t limb_bytes = ciphertext.degree * sizeof(std::uint64_t);
  for (std::size_t part = 0; part < ciphertext.parts; ++part) {
    for (std::size_t i = 0; i < moduli.size(); ++i) {
      const auto limb = out.limb(first_part + part, i);
      if (ciphertext.seed && part == 1) {
        WordView(std::span<const std::uint64_t>(expanded).subspan(i * limb.size(), limb.size()))
            .copy_to(limb);
      } else {
        WordView(stored.subspan((part * moduli.size() + i) * limb_bytes, limb_bytes)).copy_to(limb);
      }
      to_evaluations(moduli[i], ciphertext.is_ntt, limb);
    }
  }
}

void check_size(const char* what, std::size_t found, std::size_t expected) {
  if (found != expected) malformed(fmt::format("{} {} is not {}", what, found, expected));
}

}  // namespace

rlwe::Parameters::Description description(const Parameters& parameters) {
  const std::size_t count = parameters.moduli.size();
  if (count < 1 || count > kMaxModuli) {
    malformed(fmt::format("{} moduli are not in [1, {}]", count, kMaxModuli));
  }
  rlwe::Parameters::Description d;
  for (std::size_t i = 0; i < count; ++i) {
    (i > 0 && i + 1 == count ? d.p : d.q)
        .push_back(checked_modulus(parameters.moduli[i], parameters.degree, std::nullopt, kPlace));
  }
  if (!d.p.empty()) d.gadgets = {{1, 1, d.q.size()}};
  if (parameters.scheme == Scheme::bgv) d.error_scale = parameters.plain_modulus;
  check_description(d, kPlace);
  return d;
}

rlwe::SecretKey to_secret_key(const Plaintext& key, const rlwe::Parameters& parameters) {
  const std::vector<ring::Modulus> moduli = all_moduli(parameters);
  const std::size_t degree = parameters.degree();
  check_size("words of a secret key", key.values.size(), moduli.size() * degree);
  rlwe::SecretLimbs limbs(1, moduli.size(), degree);
  const std::size_t limb_bytes = degree * sizeof(std::uint64_t);
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    WordView(key.values.bytes().subspan(i * limb_bytes, limb_bytes)).copy_to(limbs.limb(0, i));
  }
  return checked_secret(parameters, limbs, "SEAL file: secret key");
}

rlwe::Ciphertext to_ciphertext(const Ciphertext& ciphertext, const rlwe::Parameters& parameters) {
  check_size("degree of a ciphertext", ciphertext.degree, parameters.degree());
  if (ciphertext.limb_count > parameters.q().size()) {
    malformed(fmt::format("a ciphertext has {} primes, its parameters {}", ciphertext.limb_count,
                          parameters.q().size()));
  }
  rlwe::Ciphertext result;
  result.limbs = rlwe::LimbMatrix(ciphertext.parts, ciphertext.limb_count, ciphertext.degree);
  read_parts(ciphertext, parameters.q().moduli().first(ciphertext.limb_count), 0, result.limbs);
  const auto unknown = rlwe::NoiseBound::of_log2(std::numeric_limits<double>::infinity());
  result.bounds = {unknown, unknown};
  return result;
}

rlwe::RelinearizationKeys to_relinearization_keys(const KSwitchKeys& keys,
                                                  const rlwe::Parameters& parameters) {
  if (keys.keys.empty() || parameters.gadgets().empty()) malformed("there is no key of s^2");
  const std::vector<Ciphertext>& digits = keys.keys.front();
  const std::vector<ring::Modulus> moduli = all_moduli(parameters);
  check_size("digits of a key", digits.size(), parameters.q().size());
  const std::size_t degree = parameters.degree();
  for (const Ciphertext& digit : digits) {
    check_size("parts of a key's digit", digit.parts, 2);
    check_size("degree of a key", digit.degree, degree);
    check_size("primes of a key", digit.limb_count, moduli.size());
  }
  rlwe::EvaluationKey key{parameters.gadgets().front(),
                          rlwe::LimbMatrix(2 * digits.size(), moduli.size(), degree), std::nullopt};
  for (std::size_t j = 0; j < digits.size(); ++j) {
    read_parts(digits[j], moduli, 2 * j, key.limbs);
  }
  rlwe::RelinearizationKeys result;
  result.keys.push_back(std::move(key));
  return result;
}

}  // namespace heliodor::formats::seal
