// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/prepared.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/targets/cpu/internal/kernel_inputs.h"

namespace heliodor::cpu {
namespace {

using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;
using testing::ElementsAre;
using testing::IsEmpty;

// What the transform that makes `value` fetches.
class Fetched {
 public:
  explicit Fetched(LimbProgram program)
      : program_(std::move(program)),
        schedule_(make_schedule(program_, Fusions::usual(), Concurrency::serial)),
        transforms_(*supported_kernel_tables().front()),
        prepared_(program_, schedule_, transforms_, true) {}

  const std::vector<ValueId>& by(ValueId value) const {
    return prepared_[*program_.definition(value)].ahead;
  }
  bool keys() const { return prepared_.fetches_keys(); }

 private:
  LimbProgram program_;
  Schedule schedule_;
  NttCache transforms_;
  PreparedProgram prepared_;
};

Builder builder(std::uint64_t degree, unsigned bits) {
  return Builder({internal::ends_of_size(bits, degree).back()}, "fetch");
}

TEST(PreparedTest, transform_fetches_inputs_keys_and_outputs_of_what_follows) {
  Builder b = builder(64, 46);
  const ValueId x = b.ntt(b.operand("x", 0, Domain::coeff));
  const ValueId y = b.operand("y", 0, Domain::eval), key = b.key("k", 0, Domain::eval);
  const ValueId sum = b.dot(std::array{std::pair{x, key}});
  const ValueId z = b.add(sum, y);
  b.output("z", z);
  const Fetched fetched(b.build());
  EXPECT_THAT(fetched.by(x), testing::IsSubsetOf({key, y, z}));
  EXPECT_THAT(fetched.by(x), testing::SizeIs(2)) << "16 bytes for each of its words";
  EXPECT_TRUE(fetched.keys());
}

// Keys of 30 bits are packed, so a transform fetches four of them. The first one takes what there
// is no room for in the second.
TEST(PreparedTest, what_is_needed_soonest_is_fetched_last) {
  Builder b = builder(64, 30);
  const ValueId x = b.ntt(b.operand("x", 0, Domain::coeff));
  const ValueId y = b.ntt(b.operand("y", 0, Domain::coeff));
  std::vector<ValueId> keys;
  for (int i = 0; i < 6; ++i) keys.push_back(b.key("k" + std::to_string(i), 0, Domain::eval));
  const auto row = [&](std::size_t i) {
    return b.dot(std::array{std::pair{x, keys[i]}, std::pair{y, keys[i + 1]}});
  };
  b.output("s", b.neg(row(0)));
  b.output("t", b.neg(row(2)));
  const ValueId late = b.dot(std::array{std::pair{y, keys[4]}, std::pair{x, keys[5]}});
  b.output("u", b.neg(late));
  const Fetched fetched(b.build());
  EXPECT_THAT(fetched.by(y), testing::UnorderedElementsAre(keys[0], keys[1], keys[2], keys[3]));
  EXPECT_THAT(fetched.by(x), testing::IsSupersetOf({keys[4]}));
}

TEST(PreparedTest, operation_that_takes_more_than_a_cache_holds_is_not_fetched_for) {
  Builder b = builder(16384, 46);
  const ValueId x = b.ntt(b.operand("x", 0, Domain::coeff));
  std::vector<std::pair<ValueId, ValueId>> pairs;
  for (int i = 0; i < 7; ++i)  // 7 limbs of 128 KiB
    pairs.emplace_back(x, b.key("k" + std::to_string(i), 0, Domain::eval));
  b.output("s", b.neg(b.dot(pairs)));
  const Fetched fetched(b.build());
  EXPECT_FALSE(fetched.keys());
  EXPECT_THAT(fetched.by(x), testing::SizeIs(1)) << "the output";
}

TEST(PreparedTest, nothing_is_fetched_where_no_transform_comes_before) {
  Builder b = builder(64, 46);
  const ValueId x = b.operand("x", 0, Domain::eval), key = b.key("k", 0, Domain::eval);
  const ValueId y = b.ntt(b.intt(b.dot(std::array{std::pair{x, key}})));
  b.output("y", y);
  EXPECT_THAT(Fetched(b.build()).by(y), IsEmpty());
}

}  // namespace
}  // namespace heliodor::cpu
