// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/cli/describe_file.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/cli/table.h"
#include "heliodor/formats/container/object_reader.h"
#include "heliodor/formats/openfhe/codec.h"
#include "heliodor/formats/openfhe/convert.h"
#include "heliodor/formats/seal/codec.h"
#include "heliodor/formats/seal/convert.h"
#include "heliodor/rlwe/parameters.h"
#include "heliodor/rlwe/security.h"

namespace heliodor::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace openfhe = formats::openfhe;
namespace seal = formats::seal;

Json moduli_json(std::span<const ring::Modulus> moduli) {
  Json json = Json::array();
  for (const ring::Modulus& q : moduli) {
    json.push_back({{"value", q.value()}, {"bits", q.bits()}, {"psi", q.psi()}});
  }
  return json;
}

void add_parameters(Json& json, rlwe::Parameters::Description description) {
  description.security = rlwe::SecurityLevel::none;
  const rlwe::Parameters parameters(std::move(description));
  json["degree"] = parameters.degree();
  json["moduli_q"] = moduli_json(parameters.q().moduli());
  json["moduli_p"] = moduli_json(parameters.p());
  json["error_scale"] = parameters.error_scale();
  json["log2_qp"] = parameters.log_qp();
  json["security"] = rlwe::to_string(parameters.security());
}

Json gadget_json(const rlwe::Gadget& gadget) {
  return {{"digit_size", gadget.digit_size},
          {"digits", gadget.digit_count(gadget.max_limb_count)},
          {"special_primes", gadget.special_count},
          {"limbs", gadget.max_limb_count}};
}

Json entry_json(const formats::ObjectEntry& entry) {
  Json json = {{"type", to_string(entry.kind)}};
  if (entry.kind == formats::ObjectKind::ciphertext) {
    json["parts"] = entry.parts;
    json["limbs"] = entry.limb_count;
    json["metadata"] = Json::parse(entry.metadata);
    return json;
  }
  if (entry.galois_element != 0) json["galois_element"] = entry.galois_element;
  if (entry.gadget.max_limb_count != 0) json.update(gadget_json(entry.gadget));
  if (entry.kind != formats::ObjectKind::secret_key) json["seeded"] = entry.seeded();
  return json;
}

Json describe_container(formats::Bytes bytes) {
  const formats::ObjectReader in(formats::Container::view(bytes, formats::TestSeeds::accept));
  Json json = {{"kind", "container"}, {"format", "Heliodor container"}, {"bytes", bytes.size()}};
  bool test_seed = false;
  for (const auto& section : in.container().sections()) {
    test_seed |= section.kind == formats::SectionKind::test_seed;
  }
  json["test_seed"] = test_seed;
  if (const auto owner = in.openfhe_owner()) json["openfhe_key_tag"] = owner->key_tag;
  add_parameters(json, in.parameters(rlwe::SecurityLevel::none).description());
  json["objects"] = Json::array();
  for (const auto& entry : in.entries()) json["objects"].push_back(entry_json(entry));
  json["notes"] = in.notes();
  return json;
}

Json key_json(const char* type, const openfhe::EvalKey& key) {
  return {{"type", type},
          {"digits", key.a.size()},
          {"limbs", key.a.empty() ? 0 : key.a.front().towers.size()},
          {"seeded", false}};
}

/// The objects of an OpenFHE file.
struct OpenfheObjects {
  Json& objects;

  void operator()(const std::shared_ptr<openfhe::Context>& /*context*/) const {
    objects.push_back({{"type", "context"}});
  }
  void operator()(const std::shared_ptr<openfhe::Ciphertext>& object) const {
    const auto& elements = object->elements;
    objects.push_back({{"type", "ciphertext"},
                       {"parts", elements.size()},
                       {"limbs", elements.empty() ? 0 : elements.front().towers.size()},
                       {"level", object->level},
                       {"noise_scale_degree", object->noise_scale_degree},
                       {"scaling_factor", object->scaling_factor},
                       {"scaling_factor_int", object->scaling_factor_int},
                       {"slots", object->slots},
                       {"key_tag", object->owner.key_tag}});
  }
  void operator()(const std::shared_ptr<openfhe::PublicKey>& object) const {
    objects.push_back({{"type", "public_key"},
                       {"parts", object->h.size()},
                       {"seeded", false},
                       {"key_tag", object->owner.key_tag}});
  }
  void operator()(const std::shared_ptr<openfhe::SecretKey>& object) const {
    objects.push_back({{"type", "secret_key"},
                       {"limbs", object->s.towers.size()},
                       {"key_tag", object->owner.key_tag}});
  }
  void operator()(const openfhe::EvalMultKeys& tags) const {
    for (const auto& [tag, keys] : tags) {
      for (std::size_t k = 0; k < keys.size(); ++k) {
        Json json = key_json("relinearization_key", *keys[k]);
        json["secret_power"] = k + 2;
        json["key_tag"] = tag;
        objects.push_back(std::move(json));
      }
    }
  }
  void operator()(const openfhe::AutomorphismKeys& tags) const {
    for (const auto& [tag, map] : tags) {
      for (const auto& [element, key] : *map) {
        Json json = key_json("galois_key", *key);
        json["galois_element"] = element;
        json["key_tag"] = tag;
        objects.push_back(std::move(json));
      }
    }
  }
};

Json describe_openfhe(formats::Bytes bytes) {
  const openfhe::File file = openfhe::parse(bytes);
  const openfhe::Context& context = openfhe::context_of(file);
  const openfhe::CryptoParameters& parameters = *context.parameters;
  Json json = {{"kind", "openfhe"},
               {"format", "OpenFHE binary"},
               {"bytes", bytes.size()},
               {"scheme", openfhe::to_string(parameters.scheme)}};
  if (parameters.scheme != openfhe::Scheme::ckks) {
    json["plaintext_modulus"] = parameters.encoding_params->plaintext_modulus;
  }
  const bool is_bv = parameters.key_switch == static_cast<std::uint32_t>(openfhe::KeySwitch::bv);
  json["key_switching"] = is_bv ? "BV" : "HYBRID";
  const openfhe::EvalKey* key = openfhe::find_eval_key(file);
  add_parameters(json, openfhe::description(context, key));
  if (!is_bv && key == nullptr) {
    json["remark"] = "the special primes stand in evaluation keys only: the verdict is on Q alone";
  }
  json["objects"] = Json::array();
  std::visit(OpenfheObjects{json["objects"]}, file.object);
  return json;
}

Json seal_ciphertext_json(const char* type, const seal::Ciphertext& ciphertext) {
  return {{"type", type},
          {"parts", ciphertext.parts},
          {"degree", ciphertext.degree},
          {"limbs", ciphertext.limb_count},
          {"seeded", ciphertext.seed.has_value()}};
}

Json describe_seal(formats::Bytes bytes) {
  const seal::File file = seal::parse(bytes);
  Json json = {{"kind", "seal"},
               {"format", fmt::format("SEAL {}.{} binary", file.version_major, file.version_minor)},
               {"bytes", bytes.size()}};
  Json objects = Json::array();
  if (const auto* parameters = std::get_if<seal::Parameters>(&file.object)) {
    json["scheme"] = seal::to_string(parameters->scheme);
    if (parameters->plain_modulus != 0) json["plaintext_modulus"] = parameters->plain_modulus;
    add_parameters(json, seal::description(*parameters));
    objects.push_back({{"type", "parameters"}});
  } else if (const auto* plaintext = std::get_if<seal::Plaintext>(&file.object)) {
    objects.push_back({{"type", "plaintext or secret_key"}, {"words", plaintext->values.size()}});
  } else if (const auto* ciphertext = std::get_if<seal::Ciphertext>(&file.object)) {
    Json entry = seal_ciphertext_json("ciphertext", *ciphertext);
    entry["scale"] = ciphertext->scale;
    entry["correction_factor"] = ciphertext->correction_factor;
    objects.push_back(std::move(entry));
  } else {
    const auto& keys = std::get<seal::KSwitchKeys>(file.object).keys;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (keys[k].empty()) continue;
      Json entry = seal_ciphertext_json("evaluation_key", keys[k].front());
      entry["index"] = k;
      entry["digits"] = keys[k].size();
      objects.push_back(std::move(entry));
    }
  }
  if (!json.contains("security")) {
    json["remark"] = "SEAL keeps moduli in a file of parameters: no verdict without it";
  }
  json["objects"] = std::move(objects);
  return json;
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.dump();
}

void print_moduli(const Json& json, std::ostream& out) {
  if (!json.contains("moduli_q")) return;
  Table table({"modulus", "value", "bits", "psi"});
  for (const auto& [list, name] : {std::pair("moduli_q", "q"), std::pair("moduli_p", "p")}) {
    std::size_t i = 0;
    for (const Json& q : json.at(list)) {
      table.add_row({fmt::format("{}{}", name, i++), text_of(q.at("value")), text_of(q.at("bits")),
                     text_of(q.at("psi"))});
    }
  }
  out << '\n';
  table.write(out);
}

void print_objects(const Json& objects, std::ostream& out) {
  constexpr std::size_t kMostLines = 40;
  out << fmt::format("\n{} {}\n", objects.size(), objects.size() == 1 ? "object" : "objects");
  for (std::size_t i = 0; i < objects.size() && i < kMostLines; ++i) {
    std::string line = objects[i].at("type").get<std::string>();
    for (const auto& [key, value] : objects[i].items()) {
      if (key != "type") line += fmt::format(", {} {}", key, text_of(value));
    }
    out << "  " << line << '\n';
  }
  if (objects.size() > kMostLines) {
    out << fmt::format("  and {} more (--json lists all)\n", objects.size() - kMostLines);
  }
}

}  // namespace

bool is_ciphertext_file(formats::Bytes bytes) noexcept {
  return formats::Container::is_container(bytes) || seal::is_seal(bytes) ||
         openfhe::is_openfhe(bytes);
}

nlohmann::ordered_json describe_file(formats::Bytes bytes) {
  if (formats::Container::is_container(bytes)) return describe_container(bytes);
  if (seal::is_seal(bytes)) return describe_seal(bytes);
  return describe_openfhe(bytes);
}

void print_description(const nlohmann::ordered_json& description, std::ostream& out) {
  out << fmt::format("{}, {} bytes\n", text_of(description.at("format")),
                     description.at("bytes").get<std::size_t>());
  for (const auto& [key, value] : description.items()) {
    if (key == "kind" || key == "format" || key == "bytes" || value.is_array()) continue;
    out << fmt::format("{}: {}\n", key, text_of(value));
  }
  print_moduli(description, out);
  print_objects(description.at("objects"), out);
  if (!description.contains("notes")) return;
  for (const auto& note : description.at("notes")) out << "note: " << text_of(note) << '\n';
}

}  // namespace heliodor::cli
