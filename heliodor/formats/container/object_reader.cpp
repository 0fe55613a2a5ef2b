// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/container/object_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/formats/container/internal/gadget_json.h"
#include "heliodor/formats/container/internal/json_fields.h"
#include "heliodor/formats/container/internal/layout.h"
#include "heliodor/formats/container/internal/parameters_json.h"
#include "heliodor/formats/container/packing.h"
#include "heliodor/formats/residues.h"
#include "heliodor/ring/reference.h"

namespace heliodor::formats {
namespace {

constexpr const char* kObjectPlace = "Heliodor file, object";

[[noreturn]] void malformed(const std::string& message) {
  throw Error(ErrorCode::malformed_file, fmt::format("{}: {}", kContainerPlace, message));
}

constexpr std::array<std::string_view, 5> kTypes{
    kSecretKeyType, kPublicKeyType, kRelinearizationKeyType, kGaloisKeyType, kCiphertextType};

std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

rlwe::NoiseBound bound_from_json(const JsonFields& fields, const Json& json, const char* key) {
  if (json.contains(key) && json.at(key).is_string()) {
    const std::string text = fields.text(key);
    if (text == "zero") return {};
    if (text == "unknown") {
      return rlwe::NoiseBound::of_log2(std::numeric_limits<double>::infinity());
    }
    fields.fail(fmt::format("'{}' is neither a number nor zero nor unknown", key));
  }
  return rlwe::NoiseBound::of_log2(fields.real(key));
}

bool same(const rlwe::Parameters::Description& a, const rlwe::Parameters::Description& b) {
  return a.q == b.q && a.p == b.p && a.gadgets == b.gadgets && a.error_scale == b.error_scale &&
         a.lift == b.lift && a.sigma == b.sigma && a.secret_weight == b.secret_weight;
}

/// Parts first, first + step, .. of `out` from packed limbs.
void unpack_parts(Bytes packed, std::span<const ring::Modulus> moduli, std::size_t step,
                  rlwe::LimbMatrix& out) {
  for (std::size_t part = 0; part < out.parts(); part += step) {
    for (std::size_t i = 0; i < moduli.size(); ++i) {
      const std::size_t size = packed_bytes(out.degree(), moduli[i].bits());
      if (!unpack(packed.first(size), moduli[i].bits(), out.limb(part, i))) {
        malformed("bits behind a limb are not zero");
      }
      check_residues(moduli[i], out.limb(part, i), kContainerPlace);
      packed = packed.subspan(size);
    }
  }
}

base::PublicSeed read_seed(Bytes bytes) {
  ByteReader in(bytes, "Heliodor file, seed section");
  const auto algorithm = in.take<std::uint32_t>("algorithm");
  const auto reserved = in.take<std::uint32_t>("reserved word");
  if (algorithm != kUniformChaCha20 || reserved != 0) {
    in.fail_at(0, fmt::format("algorithm {} is not {} (ChaCha20)", algorithm, kUniformChaCha20));
  }
  base::PublicSeed seed;
  std::ranges::copy(in.take_bytes(base::kSeedBytes, "seed"), seed.bytes.begin());
  in.expect_end();
  return seed;
}

}  // namespace

std::string_view to_string(ObjectKind kind) noexcept {
  return kTypes[static_cast<std::size_t>(kind)];
}

ObjectReader::ObjectReader(Container container) : container_(std::move(container)) {
  const auto sections = container_.sections();
  const auto is_parameters = [](const Container::Section& section) {
    return section.kind == SectionKind::parameters;
  };
  if (std::ranges::count_if(sections, is_parameters) != 1 || !is_parameters(sections.front())) {
    malformed("the first section, and no other, must be the parameters");
  }
  parameters_.emplace(parameters_from_json(as_text(container_.section(0))));
  read_entries();
  check_unique();
}

void ObjectReader::read_entries() {
  const auto sections = container_.sections();
  for (std::size_t i = 1; i < sections.size(); ++i) {
    const SectionKind kind = sections[i].kind;
    const bool is_data =
        kind == SectionKind::limbs || kind == SectionKind::seed || kind == SectionKind::secret;
    if (kind == SectionKind::object) {
      entries_.push_back(read_entry(i));
      ObjectEntry& entry = entries_.back();
      find_data(entry, i + 1);
      i = std::max(entry.limbs_section, entry.seed_section);
    } else if (is_data) {
      malformed(fmt::format("section {} belongs to no object", i));
    }
  }
}

ObjectEntry ObjectReader::read_entry(std::size_t section) const {
  const Json json = parse_json(as_text(container_.section(section)), kObjectPlace);
  const std::string type = json.contains("type") && json.at("type").is_string()
                               ? json.at("type").get<std::string>()
                               : "";
  const auto found = std::ranges::find(kTypes, type);
  if (found == kTypes.end())
    malformed(fmt::format("'{}' is no type of object", type.substr(0, 80)));
  ObjectEntry entry{};
  entry.kind = static_cast<ObjectKind>(found - kTypes.begin());
  const bool is_relinearization = entry.kind == ObjectKind::relinearization_key;
  if (is_relinearization || entry.kind == ObjectKind::galois_key) {
    const JsonFields fields =
        is_relinearization ? JsonFields(json, kObjectPlace, {"type", "gadget"})
                           : JsonFields(json, kObjectPlace, {"type", "gadget", "galois_element"});
    entry.gadget = gadget_from_json(fields.object("gadget"), kObjectPlace);
    try {
      parameters_->check(entry.gadget);
    } catch (const Error& error) {
      fields.fail(error.what());
    }
    if (!is_relinearization) {
      entry.galois_element = fields.whole("galois_element", 1, 2 * parameters_->degree() - 1);
      if (entry.galois_element % 2 == 0) fields.fail("'galois_element' is even");
    }
  } else if (entry.kind == ObjectKind::ciphertext) {
    const JsonFields fields(
        json, kObjectPlace,
        {"type", "parts", "limb_count", "phase_log2", "error_log2", "metadata"});
    entry.parts = fields.whole("parts", 1, kMaxParts);
    entry.limb_count = fields.whole("limb_count", 1, parameters_->q().size());
    entry.bounds = {bound_from_json(fields, json, "phase_log2"),
                    bound_from_json(fields, json, "error_log2")};
    entry.metadata = fields.object("metadata").dump();
  } else {
    const JsonFields fields(json, kObjectPlace, {"type"});
  }
  return entry;
}

void ObjectReader::find_data(ObjectEntry& entry, std::size_t first) const {
  const auto sections = container_.sections();
  const auto is = [&](std::size_t index, SectionKind kind) {
    return index < sections.size() && sections[index].kind == kind;
  };
  const bool is_secret = entry.kind == ObjectKind::secret_key;
  if (!is(first, is_secret ? SectionKind::secret : SectionKind::limbs)) {
    malformed(fmt::format("section {} is not the data of a {}", first, to_string(entry.kind)));
  }
  entry.limbs_section = first;
  const bool may_have_seed = !is_secret && entry.kind != ObjectKind::ciphertext;
  if (may_have_seed && is(first + 1, SectionKind::seed)) entry.seed_section = first + 1;
}

void ObjectReader::check_unique() const {
  std::set<std::tuple<ObjectKind, std::uint64_t, std::size_t, std::size_t, std::size_t>> seen;
  for (const ObjectEntry& entry : entries_) {
    if (entry.kind == ObjectKind::ciphertext) continue;
    const rlwe::Gadget& g = entry.gadget;
    if (!seen.emplace(entry.kind, entry.galois_element, g.digit_size, g.special_count,
                      g.max_limb_count)
             .second) {
      malformed(fmt::format("there are two {}s for the same", to_string(entry.kind)));
    }
  }
}

rlwe::Parameters ObjectReader::parameters(rlwe::SecurityLevel security) const {
  rlwe::Parameters::Description description = parameters_->description();
  description.security = security;
  return rlwe::Parameters(std::move(description));
}

std::vector<std::string> ObjectReader::notes() const {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < container_.sections().size(); ++i) {
    if (container_.sections()[i].kind == SectionKind::note) {
      notes.emplace_back(as_text(container_.section(i)));
    }
  }
  return notes;
}

std::optional<OpenfheOwner> ObjectReader::openfhe_owner() const {
  for (std::size_t i = 0; i < container_.sections().size(); ++i) {
    if (container_.sections()[i].kind != SectionKind::openfhe_owner) continue;
    ByteReader in(container_.section(i), "Heliodor file, OpenFHE owner");
    const Bytes tag = in.take_bytes(in.take<std::uint64_t>("key tag"), "key tag");
    return OpenfheOwner{std::string(as_text(tag)), in.take_bytes(in.left(), "context")};
  }
  return std::nullopt;
}

void ObjectReader::check(const rlwe::Parameters& parameters) const {
  if (!same(parameters.description(), parameters_->description())) {
    throw Error(ErrorCode::mismatch,
                fmt::format("the file's parameters (degree {}, {} limbs) are not the caller's "
                            "(degree {}, {} limbs)",
                            parameters_->degree(), parameters_->q().size(), parameters.degree(),
                            parameters.q().size()));
  }
}

const ObjectEntry& ObjectReader::only(ObjectKind kind) const {
  const auto found = std::ranges::find(entries_, kind, &ObjectEntry::kind);
  if (found == entries_.end()) {
    throw Error(ErrorCode::missing_key, fmt::format("the file has no {}", to_string(kind)));
  }
  return *found;
}

Bytes ObjectReader::limbs_of(const ObjectEntry& entry, std::uint64_t expected_bytes) const {
  const std::uint64_t length = container_.sections()[entry.limbs_section].length;
  if (length != expected_bytes) {
    malformed(fmt::format("the limbs of a {} have {} bytes, not {}", to_string(entry.kind), length,
                          expected_bytes));
  }
  return container_.section(entry.limbs_section);
}

rlwe::SecretKey ObjectReader::secret_key(const rlwe::Parameters& parameters) const {
  check(parameters);
  const std::size_t degree = parameters.degree();
  const Bytes packed = limbs_of(only(ObjectKind::secret_key), packed_bytes(degree, kTernaryBits));
  base::SecretVector<std::uint64_t> values(degree);
  bool valid = unpack(packed, kTernaryBits, values);
  base::SecretVector<std::int8_t> coefficients(degree);
  for (std::size_t i = 0; i < degree; ++i) {
    valid &= values[i] <= 2;
    coefficients[i] = static_cast<std::int8_t>(static_cast<int>(values[i]) - 1);
  }
  if (!valid) malformed("the secret key is not ternary");
  return {parameters, coefficients};
}

rlwe::LimbMatrix ObjectReader::halves(const ObjectEntry& entry,
                                      std::span<const ring::Modulus> moduli, std::size_t pairs,
                                      std::optional<base::PublicSeed>& seed) const {
  const std::uint64_t stored = entry.seeded() ? pairs : 2 * pairs;
  const Bytes packed = limbs_of(entry, stored * part_bytes(moduli));
  if (entry.seeded()) seed = read_seed(container_.section(entry.seed_section));
  rlwe::LimbMatrix limbs(2 * pairs, moduli.size(), moduli.front().degree());
  unpack_parts(packed, moduli, seed ? 2 : 1, limbs);
  for (std::size_t j = 0; seed && j < pairs; ++j) {
    for (std::size_t i = 0; i < moduli.size(); ++i) {
      ring::reference::uniform(moduli[i], *seed, j * kDigitStream + i, limbs.limb(2 * j + 1, i));
    }
  }
  return limbs;
}

rlwe::PublicKey ObjectReader::public_key(const rlwe::Parameters& parameters) const {
  check(parameters);
  rlwe::PublicKey key;
  key.limbs = halves(only(ObjectKind::public_key), parameters.q().moduli(), 1, key.seed);
  return key;
}

rlwe::EvaluationKey ObjectReader::evaluation_key(const ObjectEntry& entry) const {
  rlwe::EvaluationKey key{entry.gadget, {}, std::nullopt};
  key.limbs = halves(entry, key_moduli(*parameters_, entry.gadget),
                     entry.gadget.digit_count(entry.gadget.max_limb_count), key.seed);
  return key;
}

rlwe::RelinearizationKeys ObjectReader::relinearization_keys(
    const rlwe::Parameters& parameters) const {
  check(parameters);
  static_cast<void>(only(ObjectKind::relinearization_key));
  rlwe::RelinearizationKeys keys;
  for (const ObjectEntry& entry : entries_) {
    if (entry.kind == ObjectKind::relinearization_key) keys.keys.push_back(evaluation_key(entry));
  }
  return keys;
}

rlwe::GaloisKeys ObjectReader::galois_keys(const rlwe::Parameters& parameters) const {
  std::vector<std::uint64_t> elements;
  for (const ObjectEntry& entry : entries_) {
    if (entry.kind == ObjectKind::galois_key) elements.push_back(entry.galois_element);
  }
  if (elements.empty()) static_cast<void>(only(ObjectKind::galois_key));
  return galois_keys(parameters, elements);
}

rlwe::GaloisKeys ObjectReader::galois_keys(const rlwe::Parameters& parameters,
                                           std::span<const std::uint64_t> elements) const {
  check(parameters);
  const std::set<std::uint64_t> wanted(elements.begin(), elements.end());
  rlwe::GaloisKeys keys;
  for (const ObjectEntry& entry : entries_) {
    if (entry.kind == ObjectKind::galois_key && wanted.contains(entry.galois_element)) {
      keys.keys[entry.galois_element].push_back(evaluation_key(entry));
    }
  }
  for (const std::uint64_t element : wanted) {
    if (!keys.keys.contains(element)) {
      throw Error(ErrorCode::missing_key,
                  fmt::format("the file has no galois_key of element {}", element));
    }
  }
  return keys;
}

std::size_t ObjectReader::ciphertext_count() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count(entries_, ObjectKind::ciphertext, &ObjectEntry::kind));
}

const ObjectEntry& ObjectReader::ciphertext_entry(std::size_t index) const {
  std::size_t left = index;
  for (const ObjectEntry& entry : entries_) {
    if (entry.kind == ObjectKind::ciphertext && left-- == 0) return entry;
  }
  throw Error(ErrorCode::out_of_range,
              fmt::format("ciphertext {} is not below {}", index, ciphertext_count()));
}

rlwe::Ciphertext ObjectReader::ciphertext(const rlwe::Parameters& parameters,
                                          std::size_t index) const {
  check(parameters);
  const ObjectEntry& entry = ciphertext_entry(index);
  const auto moduli = parameters.q().moduli().first(entry.limb_count);
  const Bytes packed = limbs_of(entry, entry.parts * part_bytes(moduli));
  rlwe::Ciphertext ciphertext;
  ciphertext.limbs = rlwe::LimbMatrix(entry.parts, entry.limb_count, parameters.degree());
  unpack_parts(packed, moduli, 1, ciphertext.limbs);
  ciphertext.bounds = entry.bounds;
  return ciphertext;
}

}  // namespace heliodor::formats
