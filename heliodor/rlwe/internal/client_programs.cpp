// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/internal/client_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/keyswitch/program_ring.h"

namespace heliodor::rlwe::internal {
namespace {

using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

/// A program over some moduli that all inputs have a limb of.
class Emitter {
 public:
  Emitter(std::vector<ring::Modulus> moduli, std::string name)
      : limb_count_(moduli.size()), b_(std::move(moduli), std::move(name)) {}

  Builder& builder() noexcept { return b_; }
  std::size_t limb_count() const noexcept { return limb_count_; }

  Limbs operand(std::string_view name, Domain domain = Domain::eval) {
    return each([&](std::uint32_t i) { return b_.operand(indexed(name, i), i, domain); });
  }
  Limbs key(std::string_view name) {
    return each([&](std::uint32_t i) { return b_.key(indexed(name, i), i, Domain::eval); });
  }
  Limbs uniform(std::uint64_t first_stream) {
    const ValueId seed = b_.seed("seed");
    return each(
        [&](std::uint32_t i) { return b_.uniform(seed, first_stream + i, i, Domain::eval); });
  }
  /// tau*e in evaluations, e an operand in coefficients.
  Limbs error(std::string_view name, std::uint64_t tau) {
    const Limbs e = operand(name, Domain::coeff);
    return each([&](std::uint32_t i) {
      const ValueId transformed = b_.ntt(e[i]);
      return tau == 1 ? transformed : b_.mul_scalar(transformed, tau % b_.modulus(i).value());
    });
  }

  /// One value for each modulus.
  template <typename F>
  Limbs each(F&& f) {
    Limbs limbs;
    for (std::uint32_t i = 0; i < limb_count_; ++i) limbs.push_back(f(i));
    return limbs;
  }
  void output(std::string_view name, const Limbs& limbs) {
    for (std::size_t i = 0; i < limbs.size(); ++i) b_.output(indexed(name, i), limbs[i]);
  }

 private:
  static std::string indexed(std::string_view name, std::size_t i) {
    return fmt::format("{}.{}", name, i);
  }

  std::size_t limb_count_;
  Builder b_;
};

std::vector<ring::Modulus> q_prefix(const Parameters& parameters, std::size_t limb_count) {
  return ProgramRing(parameters, limb_count).moduli();
}

std::vector<ring::Modulus> all_moduli(const Parameters& parameters) {
  return ProgramRing(parameters, parameters.q().size(), parameters.p().size()).moduli();
}

}  // namespace

LimbProgram public_key_program(const Parameters& parameters) {
  Emitter emit(q_prefix(parameters, parameters.q().size()), "public_key");
  Builder& b = emit.builder();
  const Limbs e = emit.error("e", parameters.error_scale());
  const Limbs s = emit.key("s");
  const Limbs a = emit.uniform(0);
  emit.output("b", emit.each([&](std::uint32_t i) { return b.sub(e[i], b.mul(a[i], s[i])); }));
  emit.output("a", a);
  return b.build();
}

LimbProgram evaluation_key_program(const Parameters& parameters, const Gadget& gadget,
                                   std::size_t j) {
  const ProgramRing ring(parameters, gadget.max_limb_count, gadget.special_count);
  Emitter emit(ring.moduli(), fmt::format("evaluation_key_{}", j));
  Builder& b = emit.builder();
  const Limbs e = emit.error("e", parameters.error_scale());
  const Limbs s = emit.key("s");
  const Limbs a = emit.uniform(uniform_stream(j, 0));
  Limbs result = emit.each([&](std::uint32_t i) { return b.sub(e[i], b.mul(a[i], s[i])); });
  const std::size_t last = std::min((j + 1) * gadget.digit_size, gadget.max_limb_count);
  for (std::size_t i = j * gadget.digit_size; i < last; ++i) {
    const auto index = static_cast<std::uint32_t>(i);
    ValueId source = b.key(fmt::format("source.{}", i), index, Domain::eval);
    if (gadget.special_count > 0) {
      source = b.mul_scalar(source, ring.p().product_mod(b.modulus(index)));
    }
    result[i] = b.add(result[i], source);
  }
  emit.output("b", result);
  emit.output("a", a);
  return b.build();
}

LimbProgram square_program(const Parameters& parameters) {
  Emitter emit(all_moduli(parameters), "square");
  Builder& b = emit.builder();
  const Limbs s = emit.key("s");
  emit.output("square", emit.each([&](std::uint32_t i) { return b.mul(s[i], s[i]); }));
  return b.build();
}

LimbProgram automorphism_program(const Parameters& parameters, std::uint64_t g) {
  Emitter emit(all_moduli(parameters), fmt::format("automorphism_{}", g));
  Builder& b = emit.builder();
  const Limbs s = emit.key("s");
  emit.output("result", emit.each([&](std::uint32_t i) { return b.permute(g, s[i]); }));
  return b.build();
}

LimbProgram encrypt_program(const Parameters& parameters, std::size_t limb_count) {
  Emitter emit(q_prefix(parameters, limb_count), "encrypt");
  Builder& b = emit.builder();
  const std::uint64_t tau = parameters.error_scale();
  const Limbs m = emit.operand("m");
  const Limbs e0 = emit.error("e0", tau);
  const Limbs e1 = emit.error("e1", tau);
  const Limbs u = emit.error("u", 1);
  const Limbs key_b = emit.key("b");
  const Limbs key_a = emit.key("a");
  emit.output("c0", emit.each([&](std::uint32_t i) {
    return b.add(b.add(b.mul(key_b[i], u[i]), e0[i]), m[i]);
  }));
  emit.output("c1",
              emit.each([&](std::uint32_t i) { return b.add(b.mul(key_a[i], u[i]), e1[i]); }));
  return b.build();
}

LimbProgram encrypt_with_secret_program(const Parameters& parameters, std::size_t limb_count) {
  Emitter emit(q_prefix(parameters, limb_count), "encrypt_with_secret");
  Builder& b = emit.builder();
  const Limbs m = emit.operand("m");
  const Limbs e = emit.error("e", parameters.error_scale());
  const Limbs s = emit.key("s");
  const Limbs a = emit.uniform(0);
  emit.output("c0", emit.each([&](std::uint32_t i) {
    return b.add(b.sub(e[i], b.mul(a[i], s[i])), m[i]);
  }));
  emit.output("c1", a);
  return b.build();
}

LimbProgram phase_program(const Parameters& parameters, std::size_t parts, std::size_t limb_count) {
  Emitter emit(q_prefix(parameters, limb_count), "phase");
  Builder& b = emit.builder();
  std::vector<Limbs> c;
  for (std::size_t k = 0; k < parts; ++k) c.push_back(emit.operand(fmt::format("c{}", k)));
  Limbs sum = c.back();
  if (parts > 1) {
    const Limbs s = emit.key("s");
    for (std::size_t k = parts - 1; k-- > 0;) {
      sum = emit.each([&](std::uint32_t i) { return b.add(b.mul(sum[i], s[i]), c[k][i]); });
    }
  }
  emit.output("phase", emit.each([&](std::uint32_t i) { return b.intt(sum[i]); }));
  return b.build();
}

LimbProgram mixed_radix_program(const Parameters& parameters, std::size_t limb_count) {
  Emitter emit(q_prefix(parameters, limb_count), "mixed_radix");
  Builder& b = emit.builder();
  Limbs d = emit.operand("x", Domain::coeff);
  for (std::uint32_t i = 0; i < limb_count; ++i) {
    const ring::Modulus& q = b.modulus(i);
    for (std::uint32_t j = 0; j < i; ++j) {
      const ValueId digit = b.reduce(i, ring::Lift::centred, d[j]);
      d[i] = b.mul_scalar(b.sub(d[i], digit), q.inverse(q.reduce(b.modulus(j).value())));
    }
  }
  emit.output("d", d);
  return b.build();
}

}  // namespace heliodor::rlwe::internal
