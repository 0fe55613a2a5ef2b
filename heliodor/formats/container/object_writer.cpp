// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/container/object_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/formats/byte_writer.h"
#include "heliodor/formats/container/internal/gadget_json.h"
#include "heliodor/formats/container/internal/json_fields.h"
#include "heliodor/formats/container/internal/layout.h"
#include "heliodor/formats/container/internal/parameters_json.h"
#include "heliodor/formats/container/packing.h"

namespace heliodor::formats {
namespace {

using SectionBytes = base::SecretVector<std::uint8_t>;

SectionBytes to_bytes(std::string_view text) { return {text.begin(), text.end()}; }

SectionBytes object_bytes(const nlohmann::ordered_json& json) {
  return to_bytes(json.dump(1) + '\n');
}

/// Every `step`-th part.
SectionBytes packed(const rlwe::LimbMatrix& limbs, std::span<const ring::Modulus> moduli,
                    std::size_t step) {
  const std::size_t parts = limbs.parts() / step;
  SectionBytes bytes(static_cast<std::size_t>(parts * part_bytes(moduli)));
  std::span<std::uint8_t> left = bytes;
  for (std::size_t part = 0; part < limbs.parts(); part += step) {
    for (std::size_t i = 0; i < moduli.size(); ++i) {
      const std::size_t size = packed_bytes(limbs.degree(), moduli[i].bits());
      pack(limbs.limb(part, i), moduli[i].bits(), left.first(size));
      left = left.subspan(size);
    }
  }
  return bytes;
}

SectionBytes seed_bytes(const base::PublicSeed& seed) {
  ByteWriter out;
  out.put(kUniformChaCha20);
  out.put(std::uint32_t{0});
  out.put_bytes(seed.bytes);
  return {out.bytes().begin(), out.bytes().end()};
}

/// Parts b, a, b, a, ..: the a only without a seed.
void add_halves(ContainerWriter& out, const rlwe::LimbMatrix& limbs,
                std::span<const ring::Modulus> moduli,
                const std::optional<base::PublicSeed>& seed) {
  out.add(SectionKind::limbs, packed(limbs, moduli, seed ? 2 : 1));
  if (seed) out.add(SectionKind::seed, seed_bytes(*seed));
}

void check_limbs(const char* what, const rlwe::LimbMatrix& limbs, std::size_t parts,
                 std::size_t limb_count, std::uint64_t degree) {
  if (limbs.parts() != parts || limbs.limb_count() != limb_count || limbs.degree() != degree) {
    throw Error(
        ErrorCode::mismatch,
        fmt::format("a {} of {} x {} limbs of degree {}, its parameters say {} x {} of {}", what,
                    limbs.parts(), limbs.limb_count(), limbs.degree(), parts, limb_count, degree));
  }
}

nlohmann::ordered_json bound_to_json(rlwe::NoiseBound bound) {
  if (bound == rlwe::NoiseBound()) return "zero";
  if (!std::isfinite(bound.log2())) return "unknown";
  return bound.log2();
}

}  // namespace

ObjectWriter::ObjectWriter(rlwe::Parameters parameters) : parameters_(std::move(parameters)) {
  container_.add(SectionKind::parameters, to_bytes(to_json(parameters_.description())));
}

void ObjectWriter::add(const rlwe::SecretKey& key) {
  const auto coefficients = key.coefficients();
  if (coefficients.size() != parameters_.degree()) {
    throw Error(ErrorCode::mismatch, fmt::format("a secret key of degree {}, the parameters' is {}",
                                                 coefficients.size(), parameters_.degree()));
  }
  base::SecretVector<std::uint64_t> values(coefficients.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::uint64_t>(coefficients[i] + 1);
  }
  SectionBytes bytes(packed_bytes(values.size(), kTernaryBits));
  pack(values, kTernaryBits, bytes);
  container_.add(SectionKind::object, object_bytes({{"type", kSecretKeyType}}));
  container_.add(SectionKind::secret, std::move(bytes));
}

void ObjectWriter::add(const rlwe::PublicKey& key) {
  check_limbs("public key", key.limbs, 2, parameters_.q().size(), parameters_.degree());
  container_.add(SectionKind::object, object_bytes({{"type", kPublicKeyType}}));
  add_halves(container_, key.limbs, parameters_.q().moduli(), key.seed);
}

void ObjectWriter::add(const rlwe::RelinearizationKeys& keys) {
  for (const rlwe::EvaluationKey& key : keys.keys) add(key, kRelinearizationKeyType, 0);
}

void ObjectWriter::add(const rlwe::GaloisKeys& keys) {
  for (const auto& [element, alternatives] : keys.keys) {
    for (const rlwe::EvaluationKey& key : alternatives) add(key, kGaloisKeyType, element);
  }
}

void ObjectWriter::add(const rlwe::EvaluationKey& key, std::string_view type,
                       std::uint64_t galois_element) {
  parameters_.check(key.gadget);
  const std::vector<ring::Modulus> moduli = key_moduli(parameters_, key.gadget);
  check_limbs("key", key.limbs, 2 * key.gadget.digit_count(key.gadget.max_limb_count),
              moduli.size(), parameters_.degree());
  nlohmann::ordered_json json = {{"type", type}, {"gadget", gadget_to_json(key.gadget)}};
  if (galois_element != 0) json["galois_element"] = galois_element;
  container_.add(SectionKind::object, object_bytes(json));
  add_halves(container_, key.limbs, moduli, key.seed);
}

void ObjectWriter::add(const rlwe::Ciphertext& ciphertext, std::string_view metadata) {
  if (ciphertext.parts() < 1 || ciphertext.parts() > kMaxParts || ciphertext.limb_count() < 1 ||
      ciphertext.limb_count() > parameters_.q().size()) {
    throw Error(
        ErrorCode::mismatch,
        fmt::format("a ciphertext of {} x {} limbs is not within {} x {}", ciphertext.parts(),
                    ciphertext.limb_count(), kMaxParts, parameters_.q().size()));
  }
  check_limbs("ciphertext", ciphertext.limbs, ciphertext.parts(), ciphertext.limb_count(),
              parameters_.degree());
  const nlohmann::ordered_json json = {
      {"type", kCiphertextType},
      {"parts", ciphertext.parts()},
      {"limb_count", ciphertext.limb_count()},
      {"phase_log2", bound_to_json(ciphertext.bounds.phase)},
      {"error_log2", bound_to_json(ciphertext.bounds.error)},
      {"metadata", parse_json(metadata, "metadata of a ciphertext")}};
  container_.add(SectionKind::object, object_bytes(json));
  container_.add(
      SectionKind::limbs,
      packed(ciphertext.limbs, parameters_.q().moduli().first(ciphertext.limb_count()), 1));
}

void ObjectWriter::mark(const base::TestSeed& seed) {
  container_.add(SectionKind::test_seed, {seed.bytes().begin(), seed.bytes().end()});
}

void ObjectWriter::add_note(std::string_view text) {
  container_.add(SectionKind::note, to_bytes(text), true);
}

void ObjectWriter::add_openfhe_owner(std::string_view key_tag, Bytes context_file) {
  ByteWriter out;
  out.put(std::uint64_t{key_tag.size()});
  out.put_bytes({reinterpret_cast<const std::uint8_t*>(key_tag.data()), key_tag.size()});
  out.put_bytes(context_file);
  container_.add(SectionKind::openfhe_owner, {out.bytes().begin(), out.bytes().end()}, true);
}

}  // namespace heliodor::formats
