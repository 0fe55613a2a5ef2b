// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters, keys and ciphertexts in native containers: what was saved is loaded, and the kept
// files of earlier versions are read and written to the bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/formats/container/object_reader.h"
#include "heliodor/formats/container/object_writer.h"
#include "heliodor/ring/reference.h"
#include "heliodor/rlwe/context.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/targets/reference/reference_target.h"

namespace heliodor::formats {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kDegree = 16;
constexpr rlwe::Gadget kHybrid{1, 1, 2};
constexpr rlwe::Gadget kBv{1, 0, 2};

rlwe::Parameters::Description small_description() {
  rlwe::Parameters::Description d;
  d.q = {ring::Modulus(97, kDegree), ring::Modulus(1152921504606845473, kDegree)};
  d.p = {ring::Modulus(257, kDegree)};
  d.gadgets = {kHybrid, kBv};
  d.error_scale = 17;
  d.security = rlwe::SecurityLevel::none;
  return d;
}

// (31*part + 17*i + k + 1)^7 modulo q, as write_golden.py has it.
void fill(rlwe::LimbMatrix& limbs, std::size_t part, std::size_t i, const ring::Modulus& q) {
  for (std::size_t k = 0; k < kDegree; ++k) {
    limbs.limb(part, i)[k] = q.pow(31 * part + 17 * i + k + 1, 7);
  }
}

rlwe::LimbMatrix golden_limbs(std::size_t parts, const std::vector<ring::Modulus>& moduli,
                              const std::optional<base::PublicSeed>& seed = std::nullopt) {
  rlwe::LimbMatrix limbs(parts, moduli.size(), kDegree);
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = 0; i < moduli.size(); ++i) {
      if (seed && part % 2 == 1) {
        const std::uint64_t stream = (std::uint64_t{part / 2} << 32) + i;
        ring::reference::uniform(moduli[i], *seed, stream, limbs.limb(part, i));
      } else {
        fill(limbs, part, i, moduli[i]);
      }
    }
  }
  return limbs;
}

base::PublicSeed golden_seed() {
  base::PublicSeed seed;
  std::iota(seed.bytes.begin(), seed.bytes.end(), std::uint8_t{0});
  return seed;
}

struct GoldenKeys {
  rlwe::Parameters parameters{small_description()};
  std::vector<std::int8_t> ternary;
  rlwe::PublicKey public_key;
  rlwe::RelinearizationKeys relinearization;
  rlwe::GaloisKeys galois;

  GoldenKeys() {
    const auto d = small_description();
    std::vector<ring::Modulus> qp = d.q;
    qp.push_back(d.p[0]);
    const auto seed = golden_seed();
    for (int k = 0; k < static_cast<int>(kDegree); ++k) {
      ternary.push_back(static_cast<std::int8_t>((k * k + 1) % 3 - 1));
    }
    public_key = {golden_limbs(2, d.q, seed), seed};
    relinearization.keys.push_back({kHybrid, golden_limbs(4, qp), std::nullopt});
    relinearization.keys.push_back({kBv, golden_limbs(4, d.q, seed), seed});
    galois.keys[5].push_back({kHybrid, golden_limbs(4, qp, seed), seed});
  }

  base::SecretVector<std::uint8_t> file() const {
    ObjectWriter out(parameters);
    out.mark(base::TestSeed(7));
    out.add_note("golden keys");
    out.add(rlwe::SecretKey(parameters, ternary));
    out.add(public_key);
    out.add(relinearization);
    out.add(galois);
    return out.finish();
  }
};

void expect_equal(const rlwe::EvaluationKey& a, const rlwe::EvaluationKey& b) {
  EXPECT_EQ(a.gadget, b.gadget);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_TRUE(a.limbs == b.limbs);
}

TEST(ContainerObjectsTest, kept_keys_are_written_to_the_bit) {
  const MappedFile kept("tests/vectors/native/keys.hld");
  EXPECT_TRUE(std::ranges::equal(GoldenKeys().file(), kept.bytes()));
}

TEST(ContainerObjectsTest, kept_keys_are_read) {
  const GoldenKeys golden;
  const ObjectReader in(Container::open("tests/vectors/native/keys.hld", TestSeeds::accept));
  const auto parameters = in.parameters(rlwe::SecurityLevel::none);
  EXPECT_EQ(parameters.description().q, golden.parameters.description().q);
  EXPECT_EQ(parameters.description().p, golden.parameters.description().p);
  EXPECT_TRUE(std::ranges::equal(parameters.gadgets(), golden.parameters.gadgets()));
  EXPECT_EQ(in.notes(), std::vector<std::string>{"golden keys"});
  EXPECT_TRUE(std::ranges::equal(in.secret_key(parameters).coefficients(), golden.ternary));
  EXPECT_TRUE(in.public_key(parameters).limbs == golden.public_key.limbs);
  EXPECT_EQ(in.public_key(parameters).seed, golden.public_key.seed);
  const auto relinearization = in.relinearization_keys(parameters);
  ASSERT_EQ(relinearization.keys.size(), 2U);
  expect_equal(relinearization.keys[0], golden.relinearization.keys[0]);
  expect_equal(relinearization.keys[1], golden.relinearization.keys[1]);
  const auto galois = in.galois_keys(parameters);
  ASSERT_EQ(galois.keys.size(), 1U);
  expect_equal(galois.keys.at(5)[0], golden.galois.keys.at(5)[0]);
}

TEST(ContainerObjectsTest, a_test_seed_must_be_accepted_by_name) {
  try {
    Container::open("tests/vectors/native/keys.hld");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::insecure);
  }
}

struct GoldenCiphertexts {
  rlwe::Ciphertext first, second;

  GoldenCiphertexts() {
    const auto d = small_description();
    first.limbs = golden_limbs(2, d.q);
    first.bounds.phase = rlwe::NoiseBound::of_log2(20.5);
    second.limbs = golden_limbs(3, {d.q[0]});
    const auto unknown = rlwe::NoiseBound::of_log2(std::numeric_limits<double>::infinity());
    second.bounds = {unknown, unknown};
  }
};

TEST(ContainerObjectsTest, kept_ciphertexts_are_written_to_the_bit) {
  const GoldenCiphertexts golden;
  ObjectWriter out{rlwe::Parameters(small_description())};
  out.add(golden.first, R"({"scheme": "bgv", "factor": 3})");
  out.add(golden.second);
  const std::string context = "bytes of another library";
  out.add_openfhe_owner("tag",
                        {reinterpret_cast<const std::uint8_t*>(context.data()), context.size()});
  const MappedFile kept("tests/vectors/native/ciphertexts.hld");
  EXPECT_TRUE(std::ranges::equal(out.finish(), kept.bytes()));
}

TEST(ContainerObjectsTest, kept_ciphertexts_are_read) {
  const GoldenCiphertexts golden;
  const ObjectReader in(Container::open("tests/vectors/native/ciphertexts.hld"));
  const auto parameters = in.parameters(rlwe::SecurityLevel::none);
  ASSERT_EQ(in.ciphertext_count(), 2U);
  EXPECT_EQ(in.ciphertext_entry(0).metadata, R"({"factor":3,"scheme":"bgv"})");
  EXPECT_EQ(in.ciphertext_entry(1).metadata, "{}");
  const auto first = in.ciphertext(parameters, 0);
  const auto second = in.ciphertext(parameters, 1);
  EXPECT_TRUE(first.limbs == golden.first.limbs);
  EXPECT_TRUE(second.limbs == golden.second.limbs);
  EXPECT_EQ(first.bounds.phase.log2(), 20.5);
  EXPECT_EQ(first.bounds.error, rlwe::NoiseBound());
  EXPECT_EQ(second.bounds.phase.log2(), std::numeric_limits<double>::infinity());
  const auto owner = in.openfhe_owner();
  ASSERT_TRUE(owner);
  EXPECT_EQ(owner->key_tag, "tag");
  EXPECT_EQ(owner->context_file.size(), 24U);
}

template <typename Action>
void expect_error(ErrorCode code, Action action, const std::string& mention) {
  try {
    action();
    ADD_FAILURE() << "nothing was thrown: " << mention;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_THAT(error.what(), HasSubstr(mention));
  }
}

TEST(ContainerObjectsTest, toy_parameters_must_be_asked_for_by_name) {
  const ObjectReader in(Container::open("tests/vectors/native/ciphertexts.hld"));
  expect_error(
      ErrorCode::insecure, [&] { in.parameters(); }, "security = none");
}

TEST(ContainerObjectsTest, what_a_file_lacks_is_named) {
  const ObjectReader in(Container::open("tests/vectors/native/ciphertexts.hld"));
  const auto parameters = in.parameters(rlwe::SecurityLevel::none);
  expect_error(
      ErrorCode::missing_key, [&] { in.secret_key(parameters); }, "no secret_key");
  expect_error(
      ErrorCode::missing_key, [&] { in.public_key(parameters); }, "no public_key");
  expect_error(
      ErrorCode::missing_key, [&] { in.relinearization_keys(parameters); },
      "no relinearization_key");
  expect_error(
      ErrorCode::missing_key, [&] { in.galois_keys(parameters); }, "no galois_key");
  expect_error(
      ErrorCode::out_of_range, [&] { in.ciphertext(parameters, 2); }, "2 is not below 2");
}

TEST(ContainerObjectsTest, other_parameters_are_refused) {
  const ObjectReader in(Container::open("tests/vectors/native/ciphertexts.hld"));
  auto d = small_description();
  d.error_scale = 5;
  const rlwe::Parameters other(d);
  expect_error(
      ErrorCode::mismatch, [&] { in.ciphertext(other, 0); }, "are not the caller's");
  ObjectWriter out(other);
  rlwe::Ciphertext wide;
  wide.limbs = rlwe::LimbMatrix(2, 3, kDegree);
  expect_error(
      ErrorCode::mismatch, [&] { out.add(wide); }, "2 x 3 limbs");
  rlwe::Ciphertext long_one;
  long_one.limbs = rlwe::LimbMatrix(2, 2, 2 * kDegree);
  expect_error(
      ErrorCode::mismatch, [&] { out.add(long_one); }, "degree 32");
}

TEST(ContainerObjectsTest, two_keys_for_the_same_are_refused) {
  const GoldenKeys golden;
  const auto refused = [&](auto add) {
    ObjectWriter out(golden.parameters);
    add(out);
    EXPECT_NO_THROW(ObjectReader(Container::view(out.finish())));
    add(out);
    const auto file = out.finish();
    expect_error(
        ErrorCode::malformed_file, [&] { ObjectReader(Container::view(file)); }, "there are two");
  };
  refused([&](ObjectWriter& out) { out.add(golden.public_key); });
  refused([&](ObjectWriter& out) { out.add(golden.relinearization); });
  refused([&](ObjectWriter& out) { out.add(golden.galois); });
  refused([&](ObjectWriter& out) { out.add(rlwe::SecretKey(golden.parameters, golden.ternary)); });
}

// A key that ships as a seed is the generated one: both sides mean the same streams.
TEST(ContainerObjectsTest, generated_keys_ship_at_half_size_and_come_back) {
  rlwe::ModuliRequest request{1024, {30, 30, 30}, 2, 257};
  auto d = rlwe::choose_moduli(request);
  d.security = rlwe::SecurityLevel::none;
  const rlwe::Parameters parameters(d);
  const auto context = std::make_shared<const rlwe::Context>(
      parameters, std::make_shared<reference::ReferenceTarget>());
  rlwe::KeyGenerator generator(context, base::TestSeed(1));
  const auto secret = generator.secret_key();
  const auto public_key = generator.public_key(secret);
  const auto relinearization = generator.relinearization_keys(secret);
  const std::array<std::uint64_t, 2> elements{5, 2047};
  const auto galois = generator.galois_keys(secret, elements);

  ObjectWriter out(parameters);
  out.add(secret);
  out.add(public_key);
  out.add(relinearization);
  out.add(galois);
  const auto file = out.finish();
  std::size_t packed_bits = 0;
  const auto count = [&](const rlwe::EvaluationKey& key) {
    for (std::size_t i = 0; i < key.limbs.limb_count(); ++i) {
      const bool is_q = i < key.gadget.max_limb_count;
      const auto& q = is_q ? parameters.q()[i] : parameters.p()[i - key.gadget.max_limb_count];
      packed_bits += key.digit_count() * q.bits() * parameters.degree();
    }
  };
  for (const auto& key : relinearization.keys) count(key);
  for (const auto& [element, keys] : galois.keys) {
    for (const auto& key : keys) count(key);
  }
  for (const auto& q : parameters.q().moduli()) packed_bits += q.bits() * parameters.degree();
  EXPECT_LT(file.size(), packed_bits / 8 + 16384);

  const ObjectReader in(Container::view(file));
  EXPECT_TRUE(std::ranges::equal(in.secret_key(parameters).coefficients(), secret.coefficients()));
  EXPECT_TRUE(in.public_key(parameters).limbs == public_key.limbs);
  const auto relinearization_back = in.relinearization_keys(parameters);
  ASSERT_EQ(relinearization_back.keys.size(), relinearization.keys.size());
  for (std::size_t k = 0; k < relinearization.keys.size(); ++k) {
    expect_equal(relinearization_back.keys[k], relinearization.keys[k]);
  }
  const std::array<std::uint64_t, 1> one{2047};
  const auto galois_back = in.galois_keys(parameters, one);
  ASSERT_EQ(galois_back.keys.size(), 1U);
  expect_equal(galois_back.keys.at(2047)[0], galois.keys.at(2047)[0]);
  const std::array<std::uint64_t, 1> absent{3};
  expect_error(
      ErrorCode::missing_key, [&] { in.galois_keys(parameters, absent); }, "element 3");
}

}  // namespace
}  // namespace heliodor::formats
