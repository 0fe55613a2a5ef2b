// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/seal/exchange.h"

#include <array>
#include <string>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/formats/container/internal/json_fields.h"
#include "heliodor/formats/container/object_writer.h"
#include "heliodor/formats/seal/convert.h"

namespace heliodor::formats::seal {
namespace {

std::string metadata_of(const Ciphertext& ciphertext, const Parameters& parameters) {
  constexpr std::array<const char*, 3> kNames{"bfv", "ckks", "bgv"};
  Json json = {{"scheme", kNames[static_cast<std::size_t>(parameters.scheme) - 1]}};
  if (parameters.scheme == Scheme::ckks) {
    json["scale"] = ciphertext.scale;
  } else {
    json["plaintext_modulus"] = parameters.plain_modulus;
  }
  if (parameters.scheme == Scheme::bgv) json["plaintext_factor"] = ciphertext.correction_factor;
  return json.dump();
}

}  // namespace

base::SecretVector<std::uint8_t> to_container(const File& file, const Parameters* parameters) {
  if (const auto* own = std::get_if<Parameters>(&file.object)) parameters = own;
  if (parameters == nullptr) {
    throw Error(ErrorCode::mismatch,
                "SEAL's keys and ciphertexts do not say their parameters; name a file that does");
  }
  auto d = description(*parameters);
  d.security = rlwe::SecurityLevel::none;  // a file says what it says
  const rlwe::Parameters ours(std::move(d));
  ObjectWriter out(ours);
  if (const auto* key = std::get_if<Plaintext>(&file.object)) {
    out.add(to_secret_key(*key, ours));
  } else if (const auto* ciphertext = std::get_if<Ciphertext>(&file.object)) {
    out.add(to_ciphertext(*ciphertext, ours), metadata_of(*ciphertext, *parameters));
  } else if (const auto* keys = std::get_if<KSwitchKeys>(&file.object)) {
    out.add(to_relinearization_keys(*keys, ours));
  }
  return out.finish();
}

}  // namespace heliodor::formats::seal
