// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/self_test.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <span>
#include <utility>

#include "heliodor/base/random.h"
#include "heliodor/base/temporary_folder.h"
#include "heliodor/formats/container/object_reader.h"
#include "heliodor/formats/container/object_writer.h"
#include "heliodor/ring/primes.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/schemes/bfv/encryption.h"
#include "heliodor/schemes/bfv/evaluator.h"
#include "heliodor/schemes/bgv/encryption.h"
#include "heliodor/schemes/bgv/evaluator.h"
#include "heliodor/schemes/ckks/encryption.h"
#include "heliodor/schemes/ckks/evaluator.h"
#include "heliodor/schemes/slots/slot_encoder.h"

namespace heliodor::cli {
namespace {

using Target = std::shared_ptr<const program::Target>;
using Limb = std::vector<std::uint64_t>;

constexpr std::uint64_t kTransformDegree = 4096;
constexpr unsigned kPrimeSizes[] = {30, 46, 48, 50, 60};
constexpr std::uint64_t kT = 65537;

std::vector<std::int64_t> random_slots(base::RandomStream& random, std::size_t count) {
  std::vector<std::int64_t> slots(count);
  for (std::int64_t& slot : slots) slot = static_cast<std::int64_t>(random.below(kT));
  return slots;
}

// Of BGV or BFV.
template <typename Parameters, typename Encryptor, typename Decryptor, typename Evaluator>
std::string multiply_modulo_t(const Target& target) {
  const auto context = std::make_shared<const rlwe::SchemeContext<Parameters>>(
      Parameters::for_depth({.t = kT, .depth = 1}), target);
  rlwe::KeyGenerator keys(context->rlwe(), base::Seed::random());
  const rlwe::SecretKey secret = keys.secret_key();
  Encryptor encryptor(context, keys.public_key(secret), base::Seed::random());
  const Evaluator evaluator(context, keys.relinearization_keys(secret));
  slots::SlotEncoder encoder(context->rlwe(), kT);
  base::RandomStream random(base::Seed::random(), "self-test slots");
  const auto x = random_slots(random, encoder.slot_count());
  const auto y = random_slots(random, encoder.slot_count());
  const auto product = evaluator.multiply(encryptor.encrypt(encoder.encode(x)),
                                          encryptor.encrypt(encoder.encode(y)));
  const auto decoded = encoder.decode(Decryptor(context, secret).decrypt(product));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto expected = static_cast<std::uint64_t>(x[i] * y[i]) % kT;
    if (decoded[i] != expected)
      return fmt::format("slot {} decrypts to {}, not {}", i, decoded[i], expected);
  }
  return "";
}

std::string multiply_ckks(const Target& target) {
  const auto context = ckks::make_context(ckks::Parameters::for_depth({.depth = 1}), target);
  rlwe::KeyGenerator keys(context->rlwe(), base::Seed::random());
  const rlwe::SecretKey secret = keys.secret_key();
  ckks::Encryptor encryptor(context, keys.public_key(secret), base::Seed::random());
  const ckks::Evaluator evaluator(context, keys.relinearization_keys(secret));
  ckks::Slots values(context->parameters().max_slots());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::polar(1.0, static_cast<double>(i));  // e^(i*sqrt(-1)): squares are known
  const auto square = evaluator.square(encryptor.encrypt(values));
  const auto decrypted = ckks::Decryptor(context, secret).decrypt(square);
  const double bound = slot_error_bound(square);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double error = std::abs(decrypted[i] - std::polar(1.0, 2 * static_cast<double>(i)));
    if (!(error <= bound))
      return fmt::format("slot {} is off by {:.3g}, more than {:.3g}", i, error, bound);
  }
  return "";
}

std::string write_and_read(const Target& target) {
  const auto context = std::make_shared<const bgv::Context>(
      bgv::Parameters::for_depth({.t = kT, .depth = 1}), target);
  const rlwe::Parameters& parameters = context->parameters().rlwe();
  rlwe::KeyGenerator keys(context->rlwe(), base::Seed::random());
  const rlwe::SecretKey secret = keys.secret_key();
  const rlwe::PublicKey key = keys.public_key(secret);
  rlwe::Encryptor encryptor(context->rlwe(), secret, base::Seed::random());
  const rlwe::Ciphertext ciphertext = encryptor.encrypt_zero(parameters.q().size());
  formats::ObjectWriter out(parameters);
  out.add(key);
  out.add(ciphertext);
  const base::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "objects.hld";
  formats::write_file(file, out.finish());
  const formats::ObjectReader in(formats::Container::open(file));
  if (!(in.public_key(parameters).limbs == key.limbs)) return "a public key reads differently";
  if (!(in.ciphertext(parameters, 0).limbs == ciphertext.limbs))
    return "a ciphertext reads differently";
  return "";
}

}  // namespace

std::string test_transforms(const cpu::KernelTable& table) {
  base::RandomStream random(base::Seed::random(), "self-test limbs");
  for (const unsigned bits : kPrimeSizes) {
    const ring::Modulus q(ring::generate_primes(bits, kTransformDegree, 1).front(),
                          kTransformDegree);
    Limb limb(kTransformDegree), expected(kTransformDegree), actual(kTransformDegree);
    for (std::uint64_t& word : limb) word = random.below(q.value());
    const auto ntt = table.make_ntt(q);
    ring::reference::ntt(q, limb, expected);
    ntt->forward(limb.data(), actual.data());
    if (actual != expected)
      return fmt::format("the transform modulo {} ({} bits) is wrong", q.value(), bits);
    ntt->inverse(expected.data(), actual.data());
    if (actual != limb)
      return fmt::format("the inverse transform modulo {} ({} bits) is wrong", q.value(), bits);
  }
  return "";
}

std::vector<SelfTest> self_tests(const Target& target) {
  std::vector<SelfTest> tests;
  for (const cpu::KernelTable* table : cpu::supported_kernel_tables()) {
    tests.push_back(
        {fmt::format("transforms, {}", table->name), [table] { return test_transforms(*table); }});
  }
  tests.push_back(
      {"bgv: encrypt, multiply, decrypt", [=] {
         return multiply_modulo_t<bgv::Parameters, bgv::Encryptor, bgv::Decryptor, bgv::Evaluator>(
             target);
       }});
  tests.push_back(
      {"bfv: encrypt, multiply, decrypt", [=] {
         return multiply_modulo_t<bfv::Parameters, bfv::Encryptor, bfv::Decryptor, bfv::Evaluator>(
             target);
       }});
  tests.push_back({"ckks: encrypt, multiply, decrypt", [=] { return multiply_ckks(target); }});
  tests.push_back({"file: write, read", [=] { return write_and_read(target); }});
  return tests;
}

SelfTestResult run_self_test(const SelfTest& test) {
  SelfTestResult result{test.name, "", 0};
  const auto start = std::chrono::steady_clock::now();
  try {
    result.problem = test.run();
  } catch (const std::exception& error) {
    result.problem = error.what();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace heliodor::cli
