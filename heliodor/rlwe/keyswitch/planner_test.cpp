// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "heliodor/program/builder.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/internal/test_moduli.h"
#include "heliodor/rlwe/keyswitch/klss.h"

namespace heliodor::rlwe {
namespace {

using internal::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Gadget kBv = {1, 0, 4};
constexpr Gadget kLarge = {2, 2, 6};
constexpr Gadget kSmall = {1, 1, 3};

// Of a key switch that the planner emits by itself: the more limbs of key, the cheaper.
double cost_of_switch(const program::LimbProgram& program) {
  return -static_cast<double>(program.inputs().size());
}

// Costs and refusals are written into the names of programs.
class NamedCosts final : public program::Target {
 public:
  explicit NamedCosts(unsigned t_bits) : t_bits_(t_bits) {}

  std::string name() const override { return "named"; }
  std::optional<std::string> refusal(const program::LimbProgram& program) const override {
    if (program.name() == "refused") return "it is refused";
    return std::nullopt;
  }
  program::Cost predict(const program::LimbProgram& program) const override {
    if (program.name() == "keyswitch") return {cost_of_switch(program), std::nullopt};
    return {std::stod(program.name()), std::nullopt};
  }
  unsigned widest_fast_modulus_bits() const override { return t_bits_; }

 private:
  std::unique_ptr<const program::Plan> do_plan(
      std::shared_ptr<const program::LimbProgram>) const override {
    return nullptr;
  }

  unsigned t_bits_;
};

ContextPtr make_context(std::vector<Gadget> gadgets, unsigned t_bits = kUsualTBits) {
  Parameters::Description d;
  const std::vector<ring::Modulus> all = internal::moduli(40, 16, 8);
  d.q.assign(all.begin(), all.begin() + 6);
  d.p.assign(all.begin() + 6, all.end());
  d.gadgets = std::move(gadgets);
  d.security = SecurityLevel::none;
  return std::make_shared<const Context>(Parameters(std::move(d)),
                                         std::make_shared<NamedCosts>(t_bits));
}

program::LimbProgram named(const std::string& name) {
  program::Builder b(internal::moduli(40, 16, 1), name);
  b.output("y", b.neg(b.operand("x", 0, ring::Domain::eval)));
  return b.build();
}

std::vector<std::string> names(const std::vector<KeySwitchShape>& shapes) {
  std::vector<std::string> result;
  for (const KeySwitchShape& shape : shapes) result.push_back(to_string(shape));
  return result;
}

std::vector<std::string> names(const KeySwitchChoice& choice) {
  std::vector<KeySwitchShape> shapes;
  for (const KeySwitchCandidate& candidate : choice) shapes.push_back(candidate.shape);
  return names(shapes);
}

std::string cost_of(const KeySwitchShape& shape) {
  if (shape.method == KeySwitchMethod::bv) return "3";
  if (shape.gadget == kSmall) return shape.method == KeySwitchMethod::klss ? "1" : "4";
  return shape.method == KeySwitchMethod::klss ? "5" : "2";
}

// The block size that cost_of_switch prefers.
std::size_t most_keys(const Parameters& parameters, const Gadget& gadget) {
  const auto cost = [&](std::size_t block_size) {
    return cost_of_switch(key_switch_program(
        parameters, {KeySwitchMethod::klss, gadget, block_size}, gadget.max_limb_count));
  };
  return std::ranges::min(klss_block_sizes(parameters, gadget), {}, cost);
}

TEST(KeySwitchPlannerTest, shapes_are_those_of_gadgets_that_reach_the_limb_count) {
  const ContextPtr context = make_context({kBv, kLarge, kSmall});
  const KeySwitchPlanner planner(context);
  const std::size_t large = most_keys(context->parameters(), kLarge);
  const std::size_t small = most_keys(context->parameters(), kSmall);
  const std::string klss_large = "klss/2+2/6/" + std::to_string(large);
  EXPECT_THAT(names(planner.shapes(6)), ElementsAre("hybrid/2+2/6", klss_large));
  EXPECT_THAT(names(planner.shapes(4)), ElementsAre("bv/1+0/4", "hybrid/2+2/6", klss_large));
  EXPECT_THAT(names(planner.shapes(3)),
              ElementsAre("bv/1+0/4", "hybrid/2+2/6", klss_large, "hybrid/1+1/3",
                          "klss/1+1/3/" + std::to_string(small)));
}

TEST(KeySwitchPlannerTest, klss_takes_the_widest_moduli_that_the_target_is_fast_with) {
  for (const unsigned bits : {32U, 47U, 60U}) {
    const KeySwitchPlanner planner(make_context({kLarge}, bits));
    const std::vector<KeySwitchShape> shapes = planner.shapes(6);
    ASSERT_EQ(shapes.size(), 2U);
    EXPECT_EQ(shapes[1].t_bits, bits);
  }
}

// Of 5 bits no prime is 1 modulo 32.
TEST(KeySwitchPlannerTest, a_target_without_moduli_for_klss_switches_by_other_methods) {
  const KeySwitchPlanner planner(make_context({kLarge}, 5));
  EXPECT_THAT(names(planner.shapes(6)), ElementsAre("hybrid/2+2/6"));
}

TEST(KeySwitchPlannerTest, the_cheapest_candidate_comes_first_and_is_remembered) {
  const KeySwitchPlanner planner(make_context({kBv, kLarge, kSmall}));
  int emitted = 0;
  const auto emit = [&](const KeySwitchShape& shape) {
    ++emitted;
    return named(cost_of(shape));
  };
  const KeySwitchChoice choice = planner.choose("multiply", 3, emit);
  std::vector<double> costs;
  for (const KeySwitchCandidate& candidate : choice) {
    EXPECT_EQ(candidate.predicted_seconds, std::stod(cost_of(candidate.shape)));
    costs.push_back(candidate.predicted_seconds);
  }
  EXPECT_THAT(costs, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(emitted, 5);
  EXPECT_EQ(names(planner.choose("multiply", 3, emit)), names(choice));
  EXPECT_EQ(emitted, 5);
  EXPECT_EQ(planner.choose("multiply", 6, emit).front().shape.method, KeySwitchMethod::hybrid);
  EXPECT_EQ(emitted, 7);
  planner.choose("rotate", 3, emit);
  EXPECT_EQ(emitted, 12);
}

TEST(KeySwitchPlannerTest, equal_costs_keep_the_order_of_the_gadgets) {
  const KeySwitchPlanner planner(make_context({kLarge, kBv}));
  const KeySwitchChoice choice =
      planner.choose("multiply", 2, [](const KeySwitchShape&) { return named("1"); });
  EXPECT_EQ(names(choice), names(planner.shapes(2)));
}

TEST(KeySwitchPlannerTest, a_forced_method_leaves_its_candidates_alone) {
  KeySwitchPlanner planner(make_context({kBv, kLarge, kSmall}));
  const auto emit = [](const KeySwitchShape& shape) { return named(cost_of(shape)); };
  planner.choose("multiply", 3, emit);
  planner.force(KeySwitchMethod::hybrid);
  EXPECT_THAT(names(planner.choose("multiply", 3, emit)),
              ElementsAre("hybrid/2+2/6", "hybrid/1+1/3"));
  planner.force(KeySwitchMethod::bv);
  EXPECT_THAT(names(planner.choose("multiply", 3, emit)), ElementsAre("bv/1+0/4"));
  EXPECT_THAT(error_of([&] { planner.choose("multiply", 5, emit); }),
              StartsWith("unsupported: multiply at limb_count 5 has 0 candidates"));
  planner.force(std::nullopt);
  EXPECT_EQ(planner.choose("multiply", 3, emit).size(), 5U);
}

TEST(KeySwitchPlannerTest, methods_that_no_gadget_allows_cannot_be_forced) {
  KeySwitchPlanner hybrid(make_context({kLarge}));
  EXPECT_THAT(error_of([&] { hybrid.force(KeySwitchMethod::bv); }), StartsWith("unsupported"));
  KeySwitchPlanner bv(make_context({kBv}));
  EXPECT_THAT(error_of([&] { bv.force(KeySwitchMethod::hybrid); }), StartsWith("unsupported"));
  EXPECT_THAT(error_of([&] { bv.force(KeySwitchMethod::klss); }), StartsWith("unsupported"));
}

TEST(KeySwitchPlannerTest, candidates_that_the_target_refuses_are_left_out) {
  const KeySwitchPlanner planner(make_context({kBv, kLarge}));
  const auto emit = [](const KeySwitchShape& shape) {
    return named(shape.method == KeySwitchMethod::bv ? "refused" : cost_of(shape));
  };
  EXPECT_EQ(planner.choose("multiply", 3, emit).size(), 2U);
  EXPECT_THAT(error_of([&] {
                planner.choose("square", 3, [](const KeySwitchShape&) { return named("refused"); });
              }),
              HasSubstr("bv/1+0/4: it is refused"));
}

}  // namespace
}  // namespace heliodor::rlwe
