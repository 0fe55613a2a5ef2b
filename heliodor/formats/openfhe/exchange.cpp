// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/openfhe/exchange.h"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/formats/container/internal/json_fields.h"
#include "heliodor/formats/container/object_writer.h"
#include "heliodor/formats/openfhe/codec.h"
#include "heliodor/formats/openfhe/convert.h"

namespace heliodor::formats::openfhe {
namespace {

constexpr const char* kPlace = "OpenFHE counters of a ciphertext";
constexpr std::uint64_t kWord = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kLong = std::numeric_limits<std::uint64_t>::max();

[[noreturn]] void mismatch(const std::string& message) {
  throw Error(ErrorCode::mismatch, message);
}

std::string scheme_name(Scheme scheme) {
  switch (scheme) {
    case Scheme::ckks:
      return "ckks";
    case Scheme::bfv:
      return "bfv";
    case Scheme::bgv:
      break;
  }
  return "bgv";
}

/// What a scheme needs to know, and under "openfhe" what OpenFHE does.
std::string metadata_of(const Ciphertext& ciphertext) {
  const CryptoParameters& parameters = *ciphertext.owner.context->parameters;
  Json json = {{"scheme", scheme_name(parameters.scheme)},
               {"openfhe",
                {{"slots", ciphertext.slots},
                 {"level", ciphertext.level},
                 {"hops", ciphertext.hops},
                 {"noise_scale_degree", ciphertext.noise_scale_degree},
                 {"scaling_factor", ciphertext.scaling_factor},
                 {"scaling_factor_int", ciphertext.scaling_factor_int},
                 {"encoding", ciphertext.encoding}}}};
  if (parameters.scheme == Scheme::ckks) {
    json["scale"] = ciphertext.scaling_factor;
  } else {
    json["plaintext_modulus"] = parameters.encoding_params->plaintext_modulus;
  }
  if (parameters.scheme == Scheme::bgv) json["plaintext_factor"] = ciphertext.scaling_factor_int;
  return json.dump();
}

/// A ciphertext without parts.
Ciphertext with_counters(const std::string& metadata, Owner owner) {
  const Json json = parse_json(metadata, kPlace);
  if (!json.contains("openfhe")) mismatch("the ciphertext has no OpenFHE counters");
  const JsonFields fields(json.at("openfhe"), kPlace,
                          {"slots", "level", "hops", "noise_scale_degree", "scaling_factor",
                           "scaling_factor_int", "encoding"});
  const auto word = [&](const char* key) {
    return static_cast<std::uint32_t>(fields.whole(key, 0, kWord));
  };
  Ciphertext ciphertext{};
  ciphertext.owner = std::move(owner);
  ciphertext.slots = word("slots");
  ciphertext.level = word("level");
  ciphertext.hops = word("hops");
  ciphertext.noise_scale_degree = word("noise_scale_degree");
  ciphertext.scaling_factor = fields.real("scaling_factor");
  ciphertext.scaling_factor_int = fields.whole("scaling_factor_int", 0, kLong);
  ciphertext.encoding = word("encoding");
  ciphertext.metadata = std::make_shared<Metadata>();
  return ciphertext;
}

Owner owner_of(const ObjectReader& in) {
  const auto kept = in.openfhe_owner();
  if (!kept) mismatch("the container keeps no OpenFHE context; name an OpenFHE file to be like");
  const File file = parse(kept->context_file);
  const auto* context = std::get_if<std::shared_ptr<Context>>(&file.object);
  if (context == nullptr) mismatch("what the container keeps is no OpenFHE context");
  return {*context, kept->key_tag};
}

Owner owner_of(const File& file) {
  struct Visitor {
    Owner operator()(const std::shared_ptr<Context>& context) const { return {context, ""}; }
    Owner operator()(const std::shared_ptr<Ciphertext>& object) const { return object->owner; }
    Owner operator()(const std::shared_ptr<PublicKey>& object) const { return object->owner; }
    Owner operator()(const std::shared_ptr<SecretKey>& object) const { return object->owner; }
    Owner operator()(const EvalMultKeys& keys) const { return keys.front().second.front()->owner; }
    Owner operator()(const AutomorphismKeys& keys) const {
      return keys.front().second->front().second->owner;
    }
  };
  return std::visit(Visitor(), file.object);
}

/// Galois keys are one object; of anything else there is one entry.
ObjectKind only_kind(const ObjectReader& in) {
  if (in.entries().empty()) mismatch("the container holds 0 objects, an OpenFHE file holds 1");
  const ObjectKind kind = in.entries().front().kind;
  for (const ObjectEntry& entry : in.entries()) {
    const bool second = &entry != &in.entries().front();
    if (second && (kind != ObjectKind::galois_key || entry.kind != kind)) {
      mismatch(fmt::format("the container holds {} objects, an OpenFHE file holds 1",
                           in.entries().size()));
    }
  }
  return kind;
}

/// Writes before the limbs that the object views go.
std::vector<std::uint8_t> written(Object object) {
  File file;
  file.object = std::move(object);
  return write(file);
}

std::vector<std::uint8_t> ciphertext_file(const ObjectReader& in,
                                          const rlwe::Parameters& parameters, const File* like) {
  const rlwe::Ciphertext ciphertext = in.ciphertext(parameters, 0);
  const auto* model =
      like == nullptr ? nullptr : std::get_if<std::shared_ptr<Ciphertext>>(&like->object);
  const Ciphertext counters = model != nullptr
                                  ? **model
                                  : with_counters(in.ciphertext_entry(0).metadata,
                                                  like == nullptr ? owner_of(in) : owner_of(*like));
  return written(std::make_shared<Ciphertext>(from_ciphertext(ciphertext, parameters, counters)));
}

std::vector<std::uint8_t> galois_file(const ObjectReader& in, const rlwe::Parameters& parameters,
                                      const Owner& owner) {
  const rlwe::GaloisKeys keys = in.galois_keys(parameters);
  auto map = std::make_shared<AutomorphismMap>();
  for (const auto& [element, alternatives] : keys.keys) {
    if (alternatives.size() != 1) {
      mismatch(fmt::format("{} keys of Galois element {}, an OpenFHE file holds 1",
                           alternatives.size(), element));
    }
    map->emplace_back(
        static_cast<std::uint32_t>(element),
        std::make_shared<EvalKey>(from_evaluation_key(alternatives.front(), parameters, owner)));
  }
  return written(AutomorphismKeys{{owner.key_tag, map}});
}

void check_one_tag(std::size_t count) {
  if (count != 1) mismatch(fmt::format("keys of {} key pairs, a container holds 1", count));
}

/// Adds whatever kind of object the file holds.
struct Adder {
  ObjectWriter& out;
  const rlwe::Parameters& parameters;

  void operator()(const std::shared_ptr<Context>& /*context*/) const {}
  void operator()(const std::shared_ptr<Ciphertext>& object) const {
    out.add(to_ciphertext(*object, parameters), metadata_of(*object));
  }
  void operator()(const std::shared_ptr<PublicKey>& object) const {
    out.add(to_public_key(*object, parameters));
  }
  void operator()(const std::shared_ptr<SecretKey>& object) const {
    out.add(to_secret_key(*object, parameters));
  }
  void operator()(const EvalMultKeys& keys) const {
    check_one_tag(keys.size());
    rlwe::RelinearizationKeys relinearization;
    relinearization.keys.push_back(to_evaluation_key(*keys.front().second.front(), parameters));
    out.add(relinearization);
  }
  void operator()(const AutomorphismKeys& keys) const {
    check_one_tag(keys.size());
    rlwe::GaloisKeys galois;
    for (const auto& [element, key] : *keys.front().second) {
      galois.keys[element].push_back(to_evaluation_key(*key, parameters));
    }
    out.add(galois);
  }
};

}  // namespace

base::SecretVector<std::uint8_t> to_container(const File& file, const EvalKey* key) {
  const EvalKey* own = find_eval_key(file);
  auto d = description(context_of(file), own != nullptr ? own : key);
  d.security = rlwe::SecurityLevel::none;  // a file says what it says
  const rlwe::Parameters parameters(std::move(d));
  ObjectWriter out(parameters);
  const Owner owner = owner_of(file);
  out.add_openfhe_owner(owner.key_tag, written(owner.context));
  std::visit(Adder{out, parameters}, file.object);
  return out.finish();
}

std::vector<std::uint8_t> from_container(const ObjectReader& in, const File* like) {
  const ObjectKind kind = only_kind(in);
  const rlwe::Parameters parameters = in.parameters(rlwe::SecurityLevel::none);
  if (kind == ObjectKind::ciphertext) return ciphertext_file(in, parameters, like);
  const Owner owner = like == nullptr ? owner_of(in) : owner_of(*like);
  if (kind == ObjectKind::galois_key) return galois_file(in, parameters, owner);
  if (kind == ObjectKind::secret_key) {
    const rlwe::SecretKey key = in.secret_key(parameters);
    return written(std::make_shared<SecretKey>(from_secret_key(key, parameters, owner)));
  }
  if (kind == ObjectKind::public_key) {
    const rlwe::PublicKey key = in.public_key(parameters);
    return written(std::make_shared<PublicKey>(from_public_key(key, parameters, owner)));
  }
  const rlwe::RelinearizationKeys keys = in.relinearization_keys(parameters);
  const auto key =
      std::make_shared<EvalKey>(from_evaluation_key(keys.keys.front(), parameters, owner));
  return written(EvalMultKeys{{owner.key_tag, {key}}});
}

}  // namespace heliodor::formats::openfhe
