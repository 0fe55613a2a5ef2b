// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/formats/tiny_files.h"

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "heliodor/formats/byte_writer.h"
#include "heliodor/formats/mapped_file.h"
#include "heliodor/formats/openfhe/codec.h"
#include "heliodor/formats/openfhe/convert.h"
#include "heliodor/rlwe/keys.h"

namespace heliodor::vectors {
namespace {

using formats::Bytes;
using formats::ByteWriter;
namespace openfhe = formats::openfhe;

constexpr std::uint64_t kDegree = 4;

rlwe::Parameters tiny_parameters(const rlwe::Gadget& gadget) {
  rlwe::Parameters::Description d;
  d.q = {ring::Modulus(17, kDegree), ring::Modulus(41, kDegree)};
  d.p = {ring::Modulus(73, kDegree)};
  if (gadget.special_count == 0) d.p.clear();
  d.gadgets = {gadget};
  d.security = rlwe::SecurityLevel::none;
  return rlwe::Parameters(std::move(d));
}

/// Residues that are all different from zero and below 17.
rlwe::LimbMatrix some_limbs(std::size_t parts, std::size_t limb_count) {
  rlwe::LimbMatrix limbs(parts, limb_count, kDegree);
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = 0; i < limb_count; ++i) {
      for (std::size_t k = 0; k < kDegree; ++k)
        limbs.limb(part, i)[k] = 1 + (part + i + 3 * k) % 16;
    }
  }
  return limbs;
}

/// The context of a real file with the tiny moduli.
std::shared_ptr<openfhe::Context> tiny_context(const rlwe::Parameters& parameters) {
  const FileBytes bytes = ecosystem_file("bgvbv.cc.bin");
  auto context = std::get<std::shared_ptr<openfhe::Context>>(openfhe::parse(bytes).object);
  auto params = std::make_shared<openfhe::DcrtParams>();
  params->order = 2 * kDegree;
  params->degree = kDegree;
  params->modulus = {{17 * 41}, 10};
  for (const ring::Modulus& q : parameters.q().moduli()) {
    params->towers.push_back(std::make_shared<openfhe::NativeParams>(
        openfhe::NativeParams{2 * kDegree, kDegree, q.value(), q.psi(), 0, 0}));
  }
  context->parameters->element_params = std::move(params);
  if (!parameters.p().empty()) {
    context->parameters->key_switch = 2;
    context->parameters->digit_count = 2;
  }
  return context;
}

FileBytes written(openfhe::Object object) {
  openfhe::File file;
  file.object = std::move(object);
  return openfhe::write(file);
}

void append_openfhe_files(std::vector<NamedFile>& files, const rlwe::Parameters& parameters,
                          const std::string& method) {
  const openfhe::Owner owner{tiny_context(parameters), "0123456789abcdef0123456789abcdef"};
  files.push_back({method + " context", written(owner.context)});

  rlwe::Ciphertext ciphertext;
  ciphertext.limbs = some_limbs(2, 1);
  openfhe::Ciphertext like{};
  like.owner = owner;
  like.metadata = std::make_shared<openfhe::Metadata>();
  files.push_back(
      {method + " ciphertext", written(std::make_shared<openfhe::Ciphertext>(
                                   openfhe::from_ciphertext(ciphertext, parameters, like)))});

  const rlwe::PublicKey public_key{some_limbs(2, 2), std::nullopt};
  files.push_back(
      {method + " public key", written(std::make_shared<openfhe::PublicKey>(
                                   openfhe::from_public_key(public_key, parameters, owner)))});

  const std::vector<std::int8_t> ternary{1, 0, -1, 1};
  const rlwe::SecretKey secret(parameters, ternary);
  files.push_back(
      {method + " secret key", written(std::make_shared<openfhe::SecretKey>(
                                   openfhe::from_secret_key(secret, parameters, owner)))});

  const rlwe::EvaluationKey key{parameters.gadgets()[0],
                                some_limbs(4, 2 + parameters.gadgets()[0].special_count),
                                std::nullopt};
  const auto made =
      std::make_shared<openfhe::EvalKey>(openfhe::from_evaluation_key(key, parameters, owner));
  files.push_back(
      {method + " EvalMult keys", written(openfhe::EvalMultKeys{{owner.key_tag, {made}}})});
  auto map = std::make_shared<openfhe::AutomorphismMap>();
  map->emplace_back(3, made);
  map->emplace_back(5, made);
  files.push_back(
      {method + " automorphism keys", written(openfhe::AutomorphismKeys{{owner.key_tag, map}})});
}

/// A SEAL object: the header and its body.
FileBytes seal_object(const ByteWriter& body) {
  ByteWriter out;
  out.put(std::uint16_t{0xA15E});
  out.put(std::uint8_t{16});
  out.put(std::uint8_t{4});
  out.put(std::uint8_t{4});
  out.put(std::uint8_t{0});
  out.put(std::uint16_t{0});
  out.put(std::uint64_t{16 + body.size()});
  out.put_bytes(body.bytes());
  return out.release();
}

FileBytes seal_word(std::uint64_t word) {
  ByteWriter body;
  body.put(word);
  return seal_object(body);
}

FileBytes seal_array(const std::vector<std::uint64_t>& words) {
  ByteWriter body;
  body.put(std::uint64_t{words.size()});
  for (const std::uint64_t word : words) body.put(word);
  return seal_object(body);
}

void put_id(ByteWriter& out) {
  for (std::uint64_t i = 1; i <= 4; ++i) out.put(i << 40);
}

FileBytes seal_ciphertext(std::uint64_t primes, bool seeded) {
  ByteWriter body;
  put_id(body);
  body.put(std::uint8_t{1});
  for (const std::uint64_t size : {std::uint64_t{2}, kDegree, primes}) body.put(size);
  body.put(1.0);
  body.put(std::uint64_t{1});
  body.put_bytes(seal_array(std::vector<std::uint64_t>((seeded ? 1 : 2) * primes * kDegree, 9)));
  if (seeded) {
    ByteWriter seed;
    seed.put(std::uint8_t{1});
    for (int i = 0; i < 64; ++i) seed.put(static_cast<std::uint8_t>(i));
    body.put_bytes(seal_object(seed));
  }
  return seal_object(body);
}

}  // namespace

std::vector<NamedFile> tiny_openfhe_files() {
  std::vector<NamedFile> files;
  append_openfhe_files(files, tiny_parameters({1, 0, 2}), "BV");
  append_openfhe_files(files, tiny_parameters({1, 1, 2}), "HYBRID");
  return files;
}

rlwe::Parameters tiny_seal_parameters() { return tiny_parameters({1, 1, 2}); }

std::vector<NamedFile> tiny_seal_files() {
  ByteWriter parameters;
  parameters.put(std::uint8_t{3});
  parameters.put(kDegree);
  parameters.put(std::uint64_t{3});
  for (const std::uint64_t word : {17U, 41U, 73U, 5U}) parameters.put_bytes(seal_word(word));

  const std::vector<std::int8_t> ternary{1, 0, -1, 1};
  const rlwe::SecretKey secret(tiny_seal_parameters(), ternary);
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i < 3; ++i) {
    words.insert(words.end(), secret.limb(i).begin(), secret.limb(i).end());
  }
  ByteWriter key;
  put_id(key);
  key.put(std::uint64_t{words.size()});
  key.put(1.0);
  key.put_bytes(seal_array(words));

  ByteWriter keys;
  put_id(keys);
  keys.put(std::uint64_t{1});
  keys.put(std::uint64_t{2});
  keys.put_bytes(seal_ciphertext(3, true));
  keys.put_bytes(seal_ciphertext(3, false));
  return {{"SEAL parameters", seal_object(parameters)},
          {"SEAL secret key", seal_object(key)},
          {"SEAL ciphertext", seal_ciphertext(2, false)},
          {"SEAL seeded ciphertext", seal_ciphertext(2, true)},
          {"SEAL relinearization keys", seal_object(keys)}};
}

std::vector<NamedFile> tiny_native_files() {
  std::vector<NamedFile> files;
  for (const std::string name : {"keys.hld", "ciphertexts.hld"}) {
    const formats::MappedFile file("tests/vectors/native/" + name);
    files.push_back({name, {file.bytes().begin(), file.bytes().end()}});
  }
  return files;
}

}  // namespace heliodor::vectors
