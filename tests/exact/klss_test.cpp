// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// klss against hybrid, key switch by key switch: the same key, the same digits, the same limbs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/ring/sampler.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/keyswitch/key_limbs.h"
#include "heliodor/rlwe/keyswitch/klss.h"
#include "heliodor/rlwe/keyswitch/klss_key.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

using rlwe::DigitLift;
using rlwe::EvaluationKey;
using rlwe::Gadget;
using rlwe::KeySwitchMethod;
using rlwe::KeySwitchShape;
using rlwe::KlssKey;
using rlwe::LimbMatrix;
using rlwe::Parameters;

struct Set {
  std::uint64_t degree;
  unsigned q_bits, p_bits;
  Gadget gadget;
  std::uint64_t error_scale;
};

std::ostream& operator<<(std::ostream& out, const Set& set) {
  return out << "N " << set.degree << ", " << set.gadget.max_limb_count << " limbs of "
             << set.q_bits << " bits, digit_size " << set.gadget.digit_size << ", P "
             << set.gadget.special_count << " of " << set.p_bits << " bits, tau "
             << set.error_scale;
}

std::vector<ring::Modulus> make_moduli(const Set& set, unsigned bits, std::size_t count,
                                       std::span<const ring::Modulus> taken = {}) {
  std::vector<std::uint64_t> exclude;
  for (const ring::Modulus& q : taken) exclude.push_back(q.value());
  std::vector<ring::Modulus> moduli;
  for (const std::uint64_t q : ring::generate_primes(bits, set.degree, count, exclude))
    moduli.emplace_back(q, set.degree);
  return moduli;
}

Parameters make_parameters(const Set& set, DigitLift lift) {
  Parameters::Description d;
  d.q = make_moduli(set, set.q_bits, set.gadget.max_limb_count);
  d.p = make_moduli(set, set.p_bits, set.gadget.special_count, d.q);
  d.gadgets = {set.gadget};
  d.error_scale = set.error_scale;
  d.lift = lift;
  d.security = rlwe::SecurityLevel::none;
  return Parameters(std::move(d));
}

void fill_uniform(base::RandomStream& random, const ring::RnsBase& moduli, LimbMatrix& limbs) {
  for (std::size_t part = 0; part < limbs.parts(); ++part) {
    for (std::size_t i = 0; i < limbs.limb_count(); ++i)
      ring::sample_uniform(moduli[i], random, limbs.limb(part, i));
  }
}

// Any residues do: neither method asks that a key encrypt something.
EvaluationKey random_key(const Parameters& parameters, base::RandomStream& random) {
  const Gadget gadget = parameters.gadgets().front();
  const std::size_t parts = 2 * gadget.digit_count(gadget.max_limb_count);
  EvaluationKey key{
      gadget, LimbMatrix(parts, gadget.max_limb_count + gadget.special_count, parameters.degree()),
      std::nullopt};
  const ring::RnsBase p({parameters.p().begin(), parameters.p().end()});
  fill_uniform(random, parameters.q().concatenate(p), key.limbs);
  return key;
}

// Relinearizes c (three parts).
LimbMatrix relinearize(const Parameters& parameters, const program::Target& target,
                       const KeySwitchShape& shape, const rlwe::LimbSpans& keys,
                       const LimbMatrix& c) {
  const auto plan = target.plan(relinearize_program(parameters, shape, c.limb_count()));
  LimbMatrix result(2, c.limb_count(), c.degree());
  program::Binding binding;
  for (std::size_t part = 0; part < 3; ++part) {
    for (std::size_t i = 0; i < c.limb_count(); ++i) binding.operands.push_back(c.limb(part, i));
  }
  for (std::size_t part = 0; part < 2; ++part) {
    for (std::size_t i = 0; i < c.limb_count(); ++i)
      binding.outputs.push_back(result.limb(part, i));
  }
  plan->run({&binding, 1}, {keys, {}});
  return result;
}

const Set kSets[] = {{128, 36, 36, {1, 1, 7}, 1},
                     {64, 40, 41, {3, 3, 10}, 257},
                     {64, 45, 45, {9, 9, 27}, 1},
                     {32, 30, 60, {3, 2, 8}, 65537}};

void expect_equal_at_every_limb_count(const Set& set, DigitLift lift, std::size_t block_size,
                                      const program::Target& target,
                                      unsigned t_bits = rlwe::kUsualTBits) {
  SCOPED_TRACE(testing::Message() << set << ", lift " << static_cast<int>(lift) << ", block_size "
                                  << block_size << ", " << target.name());
  const Parameters parameters = make_parameters(set, lift);
  base::RandomStream random(base::TestSeed(1), "klss test");
  const EvaluationKey key = random_key(parameters, random);
  const KlssKey klss_key = derive_klss_key(parameters, target, key, block_size, t_bits);
  for (std::size_t l = set.gadget.max_limb_count; l >= 1; --l) {
    LimbMatrix c(3, l, set.degree);
    fill_uniform(random, parameters.q(), c);
    const KeySwitchShape hybrid{KeySwitchMethod::hybrid, set.gadget};
    const KeySwitchShape klss{KeySwitchMethod::klss, set.gadget, block_size, t_bits};
    EXPECT_EQ(relinearize(parameters, target, klss, key_limbs(klss_key, l), c),
              relinearize(parameters, target, hybrid, key_limbs(key, l), c))
        << "limb_count " << l;
  }
}

TEST(KlssTest, equals_hybrid_at_every_limb_count) {
  for (const Set& set : kSets) {
    for (const DigitLift lift : {DigitLift::fast, DigitLift::exact}) {
      const auto sizes = klss_block_sizes(make_parameters(set, lift), set.gadget);
      for (const std::size_t size : {sizes.front(), sizes[sizes.size() / 2]})
        expect_equal_at_every_limb_count(set, lift, size, *fastest());
    }
  }
}

// One limb, all limbs, and sizes that leave a partial last block.
TEST(KlssTest, equals_hybrid_for_every_block_size) {
  const Set& set = kSets[1];
  for (const std::size_t block_size : {1U, 2U, 4U, 5U, 13U})
    expect_equal_at_every_limb_count(set, DigitLift::fast, block_size, *fastest());
}

TEST(KlssTest, equals_hybrid_over_any_width_of_auxiliary_primes) {
  for (const unsigned t_bits : {32U, 60U}) {
    for (const DigitLift lift : {DigitLift::fast, DigitLift::exact})
      expect_equal_at_every_limb_count(kSets[1], lift, 4, *fastest(), t_bits);
  }
}

TEST(KlssTest, equals_hybrid_on_every_target) {
  for (const auto& target : subjects()) {
    for (const DigitLift lift : {DigitLift::fast, DigitLift::exact})
      expect_equal_at_every_limb_count(kSets[3], lift, 3, *target);
  }
}

// The key for the first `t_count` primes T' of T alone: its factors (T'/t_i)^-1 are (T/t_i)^-1
// times T/T'.
LimbMatrix shortened(const KlssKey& key, std::size_t t_count) {
  const std::size_t blocks = key.limbs.limb_count() / key.t.size();
  LimbMatrix result(key.limbs.parts(), blocks * t_count, key.limbs.degree());
  for (std::size_t part = 0; part < key.limbs.parts(); ++part) {
    for (std::size_t i = 0; i < result.limb_count(); ++i) {
      const ring::Modulus& t = key.t[i % t_count];
      std::uint64_t factor = 1;
      for (const ring::Modulus& dropped : std::span(key.t).subspan(t_count))
        factor = t.mul(factor, t.reduce(dropped.value()));
      const auto from = key.limbs.limb(part, i / t_count * key.t.size() + i % t_count);
      std::ranges::transform(from, result.limb(part, i).begin(),
                             [&](std::uint64_t word) { return t.mul(word, factor); });
    }
  }
  return result;
}

// klss over the first `t_count` primes of T.
LimbMatrix switched_over(const Parameters& parameters, const KlssKey& key, std::size_t t_count,
                         const LimbMatrix& d) {
  const KeySwitchShape shape{KeySwitchMethod::klss, key.gadget, key.block_size};
  const rlwe::ProgramRing ring(parameters, d.limb_count(), key.gadget.special_count,
                               std::span(key.t).first(t_count));
  program::Builder b(ring.moduli(), "shortened");
  rlwe::Limbs limbs;
  for (std::size_t i = 0; i < d.limb_count(); ++i)
    limbs.push_back(b.operand(fmt::format("d{}", i), ring.q_index(i), ring::Domain::eval));
  const auto key_values = declare_key(b, ring, shape, "key");
  const auto result = emit_switched(b, ring, shape, emit_digits(b, ring, shape, limbs), key_values);
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t i = 0; i < d.limb_count(); ++i)
      b.output(fmt::format("o{}.{}", c, i), result[c][i]);
  }
  const auto plan = fastest()->plan(b.build());

  const LimbMatrix key_limbs = shortened(key, t_count);
  rlwe::LimbSpans keys;
  for (std::size_t part = 0; part < key_limbs.parts(); ++part) {
    for (std::size_t i = 0; i < key_limbs.limb_count(); ++i)
      keys.push_back(key_limbs.limb(part, i));
  }
  LimbMatrix output(2, d.limb_count(), d.degree());
  program::Binding binding;
  for (std::size_t i = 0; i < d.limb_count(); ++i) {
    binding.operands.push_back(d.limb(0, i));
    binding.outputs.push_back(output.limb(0, i));
  }
  for (std::size_t i = 0; i < d.limb_count(); ++i) binding.outputs.push_back(output.limb(1, i));
  plan->run({&binding, 1}, {keys, {}});
  return output;
}

// The bound on T is needed: over all of T but one prime the limbs differ.
TEST(KlssTest, one_prime_less_of_t_breaks_it) {
  for (const Set& set : kSets) {
    SCOPED_TRACE(testing::Message() << set);
    const Parameters parameters = make_parameters(set, DigitLift::fast);
    base::RandomStream random(base::TestSeed(2), "klss test");
    const EvaluationKey key = random_key(parameters, random);
    const std::size_t block_size = klss_block_sizes(parameters, set.gadget).front();
    const KlssKey klss_key = derive_klss_key(parameters, *fastest(), key, block_size);
    LimbMatrix c(3, set.gadget.max_limb_count, set.degree), d(1, c.limb_count(), c.degree());
    fill_uniform(random, parameters.q(), d);
    for (std::size_t i = 0; i < d.limb_count(); ++i)
      std::ranges::copy(d.limb(0, i), c.limb(2, i).begin());
    const LimbMatrix hybrid =
        relinearize(parameters, *fastest(), {KeySwitchMethod::hybrid, set.gadget},
                    key_limbs(key, c.limb_count()), c);
    EXPECT_EQ(switched_over(parameters, klss_key, klss_key.t.size(), d), hybrid);
    EXPECT_NE(switched_over(parameters, klss_key, klss_key.t.size() - 1, d), hybrid);
  }
}

}  // namespace
}  // namespace heliodor::exact
