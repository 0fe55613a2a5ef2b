// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every operation of every scheme on every kind of target: the limbs are those of the reference,
// and there they decrypt right. docs/reference/operations.md is the list of these tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <functional>
#include <iterator>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "heliodor/ring/automorphism.h"
#include "heliodor/schemes/slots/inner_sum.h"
#include "heliodor/targets/registry/registry.h"
#include "tests/exact/bfv_setup.h"
#include "tests/exact/bgv_setup.h"
#include "tests/exact/ckks_setup.h"

namespace heliodor::exact {
namespace {

using TargetPtr = std::shared_ptr<const program::Target>;
using rlwe::KeySwitchMethod;

constexpr std::uint64_t kDegree = 64;
constexpr std::uint64_t kT = 65537;
constexpr std::int64_t kSteps[] = {1, 2, 4, -3};

struct Outcome {
  std::vector<rlwe::LimbMatrix> limbs;
  bool decrypts_right = true;
};

struct Operation {
  std::string name;  // scheme, then what it does
  std::function<Outcome(const TargetPtr&)> run;

  friend void PrintTo(const Operation& operation, std::ostream* out) { *out << operation.name; }
};

// What each scheme's table of operations maps a system and two pairs of slots and ciphertext to.
template <typename Setup, typename Slots, typename Ciphertext>
struct Body {
  struct Inputs {
    Slots a, b;
    Ciphertext x, y;
  };
  struct Results {
    std::vector<Ciphertext> ciphertexts;
    std::vector<Slots> expected;
  };
  std::string name;
  std::function<Results(Setup&, const Inputs&)> run;
  KeySwitchMethod method = KeySwitchMethod::hybrid;
};

bool decrypts_to(const BgvSetup& bgv, const bgv::Ciphertext& x, const Slots& expected) {
  return bgv.decrypt(x) == expected;
}
bool decrypts_to(const BfvSetup& bfv, const bfv::Ciphertext& x, const Slots& expected) {
  return bfv.decrypt(x) == expected;
}
bool decrypts_to(const CkksSetup& ckks, const ckks::Ciphertext& x, const ckks::Slots& expected) {
  return distance(ckks.decryptor.decrypt(x), expected) <= ckks::slot_error_bound(x) + 0x1p-40;
}

const rlwe::LimbMatrix& limbs_of(const rlwe::Ciphertext& x) { return x.limbs; }
template <typename Ciphertext>
const rlwe::LimbMatrix& limbs_of(const Ciphertext& x) {
  return x.rlwe.limbs;
}

bgv::Ciphertext encrypt(BgvSetup& bgv, const Slots& a) { return bgv.encrypt(a); }
bfv::Ciphertext encrypt(BfvSetup& bfv, const Slots& a) { return bfv.encrypt(a); }
ckks::Ciphertext encrypt(CkksSetup& ckks, const ckks::Slots& a) {
  return ckks.encryptor.encrypt(a);
}

template <typename Setup, typename AnyBody>
Operation operation(const std::string& scheme, std::function<Setup(TargetPtr)> make,
                    const AnyBody& body) {
  return {scheme + "_" + body.name, [make = std::move(make), body](const TargetPtr& target) {
            Setup setup = make(target);
            setup.evaluator.planner().force(body.method);
            const auto a = setup.random_slots(), b = setup.random_slots();
            const auto x = encrypt(setup, a), y = encrypt(setup, b);
            const auto results = body.run(setup, {a, b, x, y});
            Outcome outcome;
            for (std::size_t i = 0; i < results.expected.size(); ++i) {
              outcome.limbs.push_back(limbs_of(results.ciphertexts[i]));
              outcome.decrypts_right &=
                  decrypts_to(setup, results.ciphertexts[i], results.expected[i]);
            }
            return outcome;
          }};
}

rlwe::Parameters::Description moduli(std::uint64_t error_scale) {
  auto description = rlwe::choose_moduli(
      {.degree = kDegree, .q_bits = {45, 45, 45}, .digit_count = 2, .error_scale = error_scale});
  description.gadgets.push_back({.digit_size = 1, .special_count = 0, .max_limb_count = 3});
  description.security = rlwe::SecurityLevel::none;
  return description;
}

std::vector<std::uint64_t> elements() {
  auto list = slots::inner_sum_elements(kDegree, kDegree);
  list.push_back(ring::galois_element_of_rotation(-3, kDegree));
  return list;
}

BgvSetup make_bgv(TargetPtr target) {
  return {bgv::Parameters(moduli(kT), kT), std::move(target), elements()};
}
BfvSetup make_bfv(TargetPtr target) {
  return {bfv::Parameters(moduli(1), kT), std::move(target), elements()};
}
CkksSetup make_ckks(TargetPtr target) {
  const auto chosen = ckks::Parameters::for_depth({.depth = 2,
                                                   .scale_bits = 40,
                                                   .integer_bits = 8,
                                                   .security = rlwe::SecurityLevel::none,
                                                   .degree = kDegree});
  auto description = chosen.rlwe().description();
  description.gadgets.push_back(
      {.digit_size = 1, .special_count = 0, .max_limb_count = chosen.limb_count()});
  return {ckks::Parameters(description, chosen.scale(chosen.limb_count()), chosen.base_limbs()),
          std::move(target), kSteps};
}

template <typename Setup, typename AnyBody, typename Product>
std::vector<AnyBody> products(const Product& product) {
  std::vector<AnyBody> list;
  for (const auto method : {KeySwitchMethod::bv, KeySwitchMethod::hybrid, KeySwitchMethod::klss}) {
    list.push_back({"multiply_by_" + std::string(to_string(method)),
                    [product](Setup& s, const typename AnyBody::Inputs& in) {
                      return typename AnyBody::Results{{s.evaluator.multiply(in.x, in.y)},
                                                       {product(s, in.a, in.b)}};
                    },
                    method});
  }
  list.push_back({"multiply_a_batch", [product](Setup& s, const typename AnyBody::Inputs& in) {
                    return typename AnyBody::Results{
                        s.evaluator.multiply(std::vector{in.x, in.y}, std::vector{in.y, in.y}),
                        {product(s, in.a, in.b), product(s, in.b, in.b)}};
                  }});
  return list;
}

Slots total(const Slots& a) {
  std::int64_t sum = 0;
  for (const std::int64_t v : a) sum = (sum + v) % static_cast<std::int64_t>(kT);
  return Slots(a.size(), sum);
}

template <typename Setup>
std::vector<Operation> slots_operations(const std::string& scheme, Setup (*make)(TargetPtr)) {
  using B = Body<Setup, Slots, typename Setup::Ciphertext>;
  using In = typename B::Inputs;
  using R = typename B::Results;
  std::vector<B> bodies = {
      {"encrypt_and_decrypt",
       [](Setup&, const In& in) {
         return R{{in.x}, {in.a}};
       }},
      {"add",
       [](Setup& s, const In& in) {
         return R{{s.evaluator.add(in.x, in.y)}, {s.sum(in.a, in.b)}};
       }},
      {"subtract",
       [](Setup& s, const In& in) {
         return R{{s.evaluator.sub(in.x, in.y)}, {s.difference(in.a, in.b)}};
       }},
      {"negate",
       [](Setup& s, const In& in) {
         return R{{s.evaluator.negate(in.x)}, {s.difference(Slots(in.a.size()), in.a)}};
       }},
      {"add_a_plaintext",
       [](Setup& s, const In& in) {
         return R{{s.evaluator.add_plain(in.x, s.encoder.encode(in.b))}, {s.sum(in.a, in.b)}};
       }},
      {"multiply_by_a_plaintext",
       [](Setup& s, const In& in) {
         return R{{s.evaluator.multiply_plain(in.x, s.encoder.encode(in.b))},
                  {s.product(in.a, in.b)}};
       }},
      {"rotate",
       [](Setup& s, const In& in) {
         return R{{s.evaluator.rotate_rows(in.x, -3)}, {Setup::rotated(in.a, -3)}};
       }},
      {"rotate_hoisted",
       [](Setup& s, const In& in) {
         R results{s.evaluator.rotate_rows(in.x, kSteps), {}};
         for (const auto steps : kSteps) results.expected.push_back(Setup::rotated(in.a, steps));
         return results;
       }},
      {"swap_rows",
       [](Setup& s, const In& in) {
         return R{{s.evaluator.rotate_columns(in.x)}, {Setup::swapped(in.a)}};
       }},
      {"sum_slots",
       [](Setup& s, const In& in) {
         return R{{s.evaluator.inner_sum(in.x, kDegree)}, {total(in.a)}};
       }},
      {"drop_a_limb",
       [](Setup& s, const In& in) {
         return R{{s.evaluator.mod_switch(in.x)}, {in.a}};
       }},
  };
  std::ranges::copy(products<Setup, B>([](const Setup& s, const Slots& a, const Slots& b) {
                      return s.product(a, b);
                    }),
                    std::back_inserter(bodies));
  std::vector<Operation> list;
  for (const B& body : bodies) list.push_back(operation<Setup>(scheme, make, body));
  return list;
}

ckks::Slots conjugated(ckks::Slots a) {
  for (auto& z : a) z = std::conj(z);
  return a;
}

ckks::Slots negated(ckks::Slots a) {
  for (auto& z : a) z = -z;
  return a;
}

std::vector<Operation> ckks_operations() {
  using B = Body<CkksSetup, ckks::Slots, ckks::Ciphertext>;
  using In = B::Inputs;
  using R = B::Results;
  std::vector<B> bodies = {
      {"encrypt_and_decrypt",
       [](CkksSetup&, const In& in) {
         return R{{in.x}, {in.a}};
       }},
      {"add",
       [](CkksSetup& s, const In& in) {
         return R{{s.evaluator.add(in.x, in.y)}, {sum(in.a, in.b)}};
       }},
      {"subtract",
       [](CkksSetup& s, const In& in) {
         return R{{s.evaluator.sub(in.x, in.y)}, {sum(in.a, negated(in.b))}};
       }},
      {"negate",
       [](CkksSetup& s, const In& in) {
         return R{{s.evaluator.negate(in.x)}, {negated(in.a)}};
       }},
      {"add_a_plaintext",
       [](CkksSetup& s, const In& in) {
         return R{{s.evaluator.add(in.x, in.b)}, {sum(in.a, in.b)}};
       }},
      {"multiply_by_a_plaintext",
       [](CkksSetup& s, const In& in) {
         return R{{s.evaluator.multiply(in.x, in.b)}, {product(in.a, in.b)}};
       }},
      {"rotate",
       [](CkksSetup& s, const In& in) {
         return R{{s.evaluator.rotate(in.x, -3)}, {rotated(in.a, -3)}};
       }},
      {"rotate_hoisted",
       [](CkksSetup& s, const In& in) {
         R results{s.evaluator.rotate(in.x, kSteps), {}};
         for (const auto steps : kSteps) results.expected.push_back(rotated(in.a, steps));
         return results;
       }},
      {"conjugate",
       [](CkksSetup& s, const In& in) {
         return R{{s.evaluator.conjugate(in.x)}, {conjugated(in.a)}};
       }},
      {"sum_slots",
       [](CkksSetup& s, const In& in) {
         const auto pairs = sum(in.a, rotated(in.a, 1));
         const auto fours = sum(pairs, rotated(pairs, 2));
         return R{{s.evaluator.inner_sum(in.x, 4)}, {fours}};
       }},
      {"drop_a_limb",
       [](CkksSetup& s, const In& in) {
         return R{{s.evaluator.to_level(in.x, in.x.limb_count() - 1)}, {in.a}};
       }},
  };
  std::ranges::copy(products<CkksSetup, B>([](const CkksSetup&, const ckks::Slots& a,
                                              const ckks::Slots& b) { return product(a, b); }),
                    std::back_inserter(bodies));
  std::vector<Operation> list;
  for (const B& body : bodies) list.push_back(operation<CkksSetup>("ckks", make_ckks, body));
  return list;
}

std::vector<Operation> all_operations() {
  auto list = slots_operations<BgvSetup>("bgv", make_bgv);
  std::ranges::copy(slots_operations<BfvSetup>("bfv", make_bfv), std::back_inserter(list));
  std::ranges::copy(ckks_operations(), std::back_inserter(list));
  return list;
}

// "cpu" stands for every kernel table of this CPU, "machine" for the tutorial's, which takes every
// program.
std::vector<TargetPtr> targets_of(const std::string& kind) {
  std::vector<TargetPtr> list;
  for (auto& target : registry::present_targets()) {
    const std::string name = target->name();
    if (name == kind || (kind == "cpu" && name.starts_with("cpu:")) ||
        (kind == "machine" && name == "machine:tutorial")) {
      list.push_back(std::move(target));
    }
  }
  return list;
}

class OperationTest : public testing::TestWithParam<std::tuple<Operation, std::string>> {};

TEST_P(OperationTest, decrypts_right_and_has_the_limbs_of_the_reference) {
  const auto& [operation, kind] = GetParam();
  const Outcome expected = operation.run(registry::make_target("reference"));
  ASSERT_FALSE(expected.limbs.empty());
  const auto targets = targets_of(kind);
  ASSERT_FALSE(targets.empty());
  for (const TargetPtr& target : targets) {
    const Outcome outcome = operation.run(target);
    EXPECT_TRUE(outcome.decrypts_right) << target->name();
    EXPECT_TRUE(outcome.limbs == expected.limbs) << target->name();
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, OperationTest,
                         testing::Combine(testing::ValuesIn(all_operations()),
                                          testing::Values("reference", "cpu", "machine")),
                         [](const auto& test) {
                           return std::get<0>(test.param).name + "_on_" + std::get<1>(test.param);
                         });

}  // namespace
}  // namespace heliodor::exact
