// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which limbs of keys are packed, and that results do not depend on it.
#include "heliodor/targets/cpu/packed_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/targets/cpu/cpu_target.h"
#include "heliodor/targets/cpu/internal/batch.h"
#include "heliodor/targets/cpu/prepared.h"

namespace heliodor::cpu {
namespace {

using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;
using testing::ElementsAre;

using Pairs = std::vector<std::pair<ValueId, ValueId>>;

std::vector<ring::Modulus> moduli(std::uint64_t degree) {
  std::vector<ring::Modulus> moduli;
  for (const unsigned bits : {30u, 33u, 32u})
    moduli.push_back(internal::ends_of_size(bits, degree).back());
  return moduli;
}

// Two sums of transforms and keys for each modulus, as a key switch has, and others: of operands,
// and of a key with itself.
LimbProgram sums(std::uint64_t degree, std::size_t terms) {
  Builder b(moduli(degree), "sums");
  for (std::uint32_t q = 0; q < 3; ++q) {
    std::array<Pairs, 2> pairs;
    for (std::size_t k = 0; k < terms; ++k) {
      const std::string name = std::to_string(q) + "_" + std::to_string(k);
      const ValueId x = b.ntt(b.operand("x" + name, q, Domain::coeff));
      pairs[0].emplace_back(x, b.key("a" + name, q, Domain::eval));
      pairs[1].emplace_back(b.key("b" + name, q, Domain::eval), x);
    }
    b.output("s" + std::to_string(q), b.dot(pairs[0]));
    b.output("t" + std::to_string(q), b.dot(pairs[1]));
  }
  const ValueId x = b.operand("x", 0, Domain::eval), key = b.key("k", 0, Domain::eval);
  b.output("u", b.dot(Pairs{{x, x}, {x, key}}));
  return b.build();
}

std::vector<bool> packed_limbs(const LimbProgram& program, bool packs) {
  const Schedule schedule = make_schedule(program, {}, Concurrency::serial);
  NttCache transforms(*supported_kernel_tables().front());
  return PreparedProgram(program, schedule, transforms, packs).packed_limbs();
}

TEST(PackedKeysTest, limbs_of_narrow_moduli_that_only_sums_of_keys_read_are_packed) {
  // Two keys of each modulus, of 30, 33 and 32 bits, and the one beside an operand.
  const std::vector<bool> packed = packed_limbs(sums(64, 1), true);
  ASSERT_GE(packed.size(), 7u);
  EXPECT_THAT(std::vector<bool>(packed.begin(), packed.begin() + 7),
              ElementsAre(true, true, false, false, true, true, false));
}

TEST(PackedKeysTest, nothing_is_packed_for_tables_without_such_sums_or_short_limbs) {
  EXPECT_THAT(packed_limbs(sums(64, 2), false), testing::Not(testing::Contains(true)));
  EXPECT_THAT(packed_limbs(sums(32, 2), true), testing::Not(testing::Contains(true)));
}

TEST(PackedKeysTest, packed_words_are_the_words) {
  std::vector<std::uint64_t> first(70, 0xffffffff), second(70, 7), third(70);
  for (std::size_t i = 0; i < third.size(); ++i) third[i] = i * 1'000'003;
  const PackedKeys keys({{first, second, third}, {}}, {true, false, true});
  EXPECT_EQ(keys.limb(1), nullptr);
  for (std::size_t i = 0; i < third.size(); ++i) {
    EXPECT_EQ(keys.limb(0)[i], first[i]);
    EXPECT_EQ(keys.limb(2)[i], third[i]);
  }
}

// internal::Batch compares runs on keys as they are with runs on loaded ones.
TEST(PackedKeysTest, results_are_those_of_the_definition) {
  for (const std::uint64_t degree : {32u, 64u, 1024u, 4096u}) {
    const LimbProgram program = sums(degree, 5);
    for (const std::size_t size : {1u, 3u}) {
      const internal::Batch batch(program, size, degree);
      for (const KernelTable* table : supported_kernel_tables()) {
        for (const unsigned threads : {1u, 2u}) {
          const CpuTarget target(*table, threads);
          EXPECT_EQ(batch.run(*target.plan(program)), batch.expected())
              << table->name << ", degree " << degree << ", batch " << size;
        }
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::cpu
