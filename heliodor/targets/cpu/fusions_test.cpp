// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every fusion on and off, with any number of threads and any batch: the same words, those of
// ring/reference.
#include "heliodor/targets/cpu/fusions.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/targets/cpu/cpu_target.h"
#include "heliodor/targets/cpu/internal/batch.h"

namespace heliodor::cpu {
namespace {

using internal::Batch;
using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

struct Choice {
  std::string name;
  Fusions fusions;
};

/// All on, all off, each one off and each one alone.
std::vector<Choice> choices() {
  std::vector<Choice> list = {{"all", {}}, {"none", Fusions::none()}};
  constexpr std::array<std::pair<const char*, bool Fusions::*>, 6> kMembers = {{
      {"demand order", &Fusions::demand_order},
      {"lazy transforms", &Fusions::lazy_transforms},
      {"scaled transforms", &Fusions::scaled_transforms},
      {"lifted transforms", &Fusions::lifted_transforms},
      {"grouped conversions", &Fusions::grouped_conversions},
      {"strips", &Fusions::strips},
  }};
  for (const auto& [name, member] : kMembers) {
    Fusions without, alone = Fusions::none();
    without.*member = false;
    alone.*member = true;
    list.push_back({std::string("without ") + name, without});
    list.push_back({std::string("only ") + name, alone});
  }
  return list;
}

void expect_same_words(const LimbProgram& program, const std::vector<std::size_t>& batches,
                       const std::vector<unsigned>& pools, std::uint64_t number) {
  std::vector<std::pair<Batch, std::vector<std::vector<internal::Limb>>>> expected;
  for (const std::size_t size : batches) {
    Batch batch(program, size, number);
    auto words = batch.expected();
    expected.emplace_back(std::move(batch), std::move(words));
  }
  for (const KernelTable* table : supported_kernel_tables()) {
    for (const unsigned threads : pools) {
      for (const Choice& choice : choices()) {
        const CpuTarget target(*table, threads, choice.fusions);
        const auto plan = target.plan(program);
        for (std::size_t i = 0; i < batches.size(); ++i) {
          ASSERT_EQ(expected[i].first.run(*plan), expected[i].second)
              << table->name << ", " << choice.name << ", " << threads << " threads, batch of "
              << batches[i] << ", program " << number;
        }
      }
    }
  }
}

TEST(FusionsTest, words_do_not_depend_on_fusions_threads_or_batch) {
  for (std::uint64_t number = 200; number < 206; ++number) {
    const std::uint64_t degree = std::array<std::uint64_t, 3>{8, 64, 256}[number % 3];
    expect_same_words(internal::random_program(degree, number, 100), {1, 2, 3, 4, 5}, {1, 2, 8},
                      number);
  }
}

// Several tiles to a strip, and transforms of several passes.
TEST(FusionsTest, words_do_not_depend_on_fusions_where_strips_have_several_tiles) {
  for (std::uint64_t number = 210; number < 212; ++number)
    expect_same_words(internal::random_program(4096, number, 60), {1, 3}, {1, 2, 8}, number);
}

/// A digit of every limb, transformed for every modulus, times three rows of keys, one with its
/// factors the other way round; conversions of all digits; everything scaled at the end.
LimbProgram every_fusion(std::uint64_t degree) {
  const std::vector<ring::Modulus> moduli = internal::mixed_moduli(degree);
  Builder b(moduli);
  const auto count = static_cast<std::uint32_t>(moduli.size());
  std::vector<ValueId> digits;
  for (std::uint32_t i = 0; i < count; ++i) {
    const ValueId x = b.operand("x" + std::to_string(i), i, Domain::eval);
    digits.push_back(b.mul_scalar(b.intt(x), moduli[i].value() - 2 - i));
  }
  for (std::uint32_t t = 0; t < count; ++t) {
    const std::string name = std::to_string(t);
    const std::vector<std::uint64_t> c(digits.size(), moduli[t].value() - 1);
    const ValueId lifted = b.ntt(b.dot_scalar(t, digits, c));
    const ValueId reduced = b.ntt(b.reduce(t, ring::Lift::centred, digits[(t + 1) % count]));
    for (const char* row : {"a", "b", "c"}) {
      const ValueId k0 = b.key(row + name + "k", t, Domain::eval);
      const ValueId k1 = b.key(row + name + "l", t, Domain::eval);
      const bool turned = row == std::string_view("c");
      const ValueId sum = b.dot(std::array{
          std::pair{lifted, k0}, turned ? std::pair{k1, reduced} : std::pair{reduced, k1}});
      b.output(row + name, b.mul_scalar(b.add(sum, k0), 3));
    }
  }
  return b.build();
}

TEST(FusionsTest, words_do_not_depend_on_fusions_where_all_of_them_meet) {
  for (const std::uint64_t degree : {16u, 128u, 2048u})
    expect_same_words(every_fusion(degree), {1, 2, 5}, {1, 2, 8}, degree);
}

}  // namespace
}  // namespace heliodor::cpu
