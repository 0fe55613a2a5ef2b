// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/formats/read_everything.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "heliodor/base/error.h"
#include "heliodor/formats/container/object_reader.h"
#include "heliodor/formats/openfhe/codec.h"
#include "heliodor/formats/openfhe/convert.h"
#include "heliodor/formats/seal/codec.h"
#include "heliodor/formats/seal/convert.h"
#include "tests/formats/tiny_files.h"

namespace heliodor::vectors {
namespace {

using formats::Bytes;
namespace openfhe = formats::openfhe;
namespace seal = formats::seal;

void convert(const openfhe::File& file) {
  auto d = openfhe::description(openfhe::context_of(file), openfhe::find_eval_key(file));
  d.security = rlwe::SecurityLevel::none;
  const rlwe::Parameters parameters(std::move(d));
  if (const auto* ciphertext = std::get_if<std::shared_ptr<openfhe::Ciphertext>>(&file.object)) {
    openfhe::to_ciphertext(**ciphertext, parameters);
  } else if (const auto* pk = std::get_if<std::shared_ptr<openfhe::PublicKey>>(&file.object)) {
    openfhe::to_public_key(**pk, parameters);
  } else if (const auto* sk = std::get_if<std::shared_ptr<openfhe::SecretKey>>(&file.object)) {
    openfhe::to_secret_key(**sk, parameters);
  } else if (const openfhe::EvalKey* key = openfhe::find_eval_key(file)) {
    if (!parameters.gadgets().empty()) openfhe::to_evaluation_key(*key, parameters);
  }
}

}  // namespace

void read_openfhe(Bytes bytes) {
  const openfhe::File file = openfhe::parse(bytes);
  if (!std::ranges::equal(openfhe::write(file), bytes)) {
    throw std::logic_error("a file that was parsed is written differently");
  }
  convert(file);
}

void read_seal(Bytes bytes) {
  const seal::File file = seal::parse(bytes);
  if (const auto* found = std::get_if<seal::Parameters>(&file.object)) {
    seal::description(*found);
    return;
  }
  static const rlwe::Parameters parameters = tiny_seal_parameters();
  if (const auto* plaintext = std::get_if<seal::Plaintext>(&file.object)) {
    seal::to_secret_key(*plaintext, parameters);
  } else if (const auto* ciphertext = std::get_if<seal::Ciphertext>(&file.object)) {
    seal::to_ciphertext(*ciphertext, parameters);
  } else {
    seal::to_relinearization_keys(std::get<seal::KSwitchKeys>(file.object), parameters);
  }
}

void read_native(Bytes bytes) {
  using formats::ObjectKind;
  const formats::ObjectReader in(formats::Container::view(bytes, formats::TestSeeds::accept));
  const auto parameters = in.parameters(rlwe::SecurityLevel::none);
  const auto has = [&](ObjectKind kind) {
    return std::ranges::find(in.entries(), kind, &formats::ObjectEntry::kind) != in.entries().end();
  };
  if (has(ObjectKind::secret_key)) in.secret_key(parameters);
  if (has(ObjectKind::public_key)) in.public_key(parameters);
  if (has(ObjectKind::relinearization_key)) in.relinearization_keys(parameters);
  if (has(ObjectKind::galois_key)) in.galois_keys(parameters);
  for (std::size_t i = 0; i < in.ciphertext_count(); ++i) in.ciphertext(parameters, i);
  in.notes();
  in.openfhe_owner();
}

void read_any(Bytes bytes) {
  if (formats::Container::is_container(bytes)) return read_native(bytes);
  if (seal::is_seal(bytes)) return read_seal(bytes);
  read_openfhe(bytes);
}

}  // namespace heliodor::vectors
