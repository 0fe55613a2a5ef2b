// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/agree/random_program.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "tests/agree/draw.h"
#include "tests/agree/moduli.h"

namespace heliodor::agree {
namespace {

using program::Builder;
using program::Domain;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;
using program::ValueType;

constexpr std::size_t kMaxDotPairs = 12;
constexpr std::size_t kMaxSources = 10;

class Generator {
 public:
  explicit Generator(std::uint64_t seed)
      : draw_(seed),
        degree_(std::uint64_t{16} << draw_.below(10)),
        moduli_(random_moduli(draw_, degree_, draw_.between(1, 8))),
        builder_(moduli_, "random_" + std::to_string(seed)) {}

  LimbProgram make() {
    const std::size_t instructions = draw_.between(1, degree_ > 1024 ? 20 : 60);
    for (std::size_t i = 0; i < instructions; ++i) {
      if (draw_.one_in(12)) {
        append_pattern();
      } else {
        append(draw_.of(std::span<const LimbOp>(program::kAllLimbOps)));
      }
    }
    for (ValueId value = 0; value < used_.size(); ++value) {
      if (builder_.type(value).is_seed()) continue;
      if (!used_[value] || draw_.one_in(16)) builder_.output("out" + std::to_string(value), value);
    }
    return builder_.build();
  }

 private:
  std::uint32_t some_modulus() { return static_cast<std::uint32_t>(draw_.below(moduli_.size())); }
  Domain some_domain() { return draw_.one_in(2) ? Domain::coeff : Domain::eval; }

  std::uint64_t some_scalar(std::uint32_t modulus) {
    const std::uint64_t q = moduli_[modulus].value();
    switch (draw_.below(6)) {
      case 0:
        return 0;
      case 1:
        return 1;
      case 2:
        return q - 1;
      default:
        return draw_.below(q);
    }
  }

  ValueId add_input(std::uint32_t modulus, Domain domain) {
    const std::string name = "in" + std::to_string(used_.size());
    used_.push_back(false);
    switch (draw_.below(4)) {
      case 0:
        return builder_.key(name, modulus, domain);
      case 1:
        return builder_.constant(name, modulus, domain);
      default:
        return builder_.operand(name, modulus, domain);
    }
  }

  // A value of that type, sometimes a fresh input, mostly a recent result.
  ValueId some_limb(std::uint32_t modulus, Domain domain) {
    std::vector<ValueId> fitting;
    for (ValueId value = 0; value < used_.size(); ++value) {
      if (builder_.type(value) == ValueType{modulus, domain}) fitting.push_back(value);
    }
    if (fitting.size() < 2 || draw_.one_in(8)) fitting = {add_input(modulus, domain)};
    const std::size_t recent =
        draw_.one_in(2) ? std::min<std::size_t>(3, fitting.size()) : fitting.size();
    const ValueId chosen = fitting[fitting.size() - 1 - draw_.below(recent)];
    used_[chosen] = true;
    return chosen;
  }

  ValueId some_seed() {
    std::vector<ValueId> seeds;
    for (ValueId value = 0; value < used_.size(); ++value) {
      if (builder_.type(value).is_seed()) seeds.push_back(value);
    }
    if (seeds.empty() || (seeds.size() < 3 && draw_.one_in(3))) {
      used_.push_back(true);
      return builder_.seed("seed" + std::to_string(used_.size()));
    }
    return draw_.of(std::span<const ValueId>(seeds));
  }

  void record(ValueId /*result*/) { used_.push_back(false); }

  // Every choice is drawn in a statement of its own: the order of evaluation of arguments is the
  // compiler's.
  void append(LimbOp op) {
    const std::uint32_t q = some_modulus();
    const Domain domain = some_domain();
    switch (op) {
      case LimbOp::add:
        return two(&Builder::add, q, domain);
      case LimbOp::sub:
        return two(&Builder::sub, q, domain);
      case LimbOp::mul:
        return two(&Builder::mul, q, domain);
      case LimbOp::neg:
        return record(builder_.neg(some_limb(q, domain)));
      case LimbOp::add_scalar:
        return with_scalar(&Builder::add_scalar, q, domain);
      case LimbOp::mul_scalar:
        return with_scalar(&Builder::mul_scalar, q, domain);
      case LimbOp::dot:
        return dot(q, domain);
      case LimbOp::dot_scalar:
        return dot_scalar(q, domain);
      case LimbOp::quotient:
        return quotient(q);
      case LimbOp::reduce: {
        const ValueId x = some_limb(some_modulus(), Domain::coeff);
        const auto lift = draw_.one_in(2) ? ring::Lift::plain : ring::Lift::centred;
        return record(builder_.reduce(q, lift, x));
      }
      case LimbOp::ntt:
        return record(builder_.ntt(some_limb(q, Domain::coeff)));
      case LimbOp::intt:
        return record(builder_.intt(some_limb(q, Domain::eval)));
      case LimbOp::permute: {
        const ValueId x = some_limb(q, domain);
        return record(builder_.permute(some_galois_element(), x));
      }
      case LimbOp::uniform: {
        const std::uint64_t stream = draw_.one_in(4) ? draw_.word() : draw_.below(4);
        return record(builder_.uniform(some_seed(), stream, q, domain));
      }
    }
  }

  // What targets fuse seldom meets in single draws.
  void append_pattern() {
    switch (draw_.below(3)) {
      case 0:
        return scaled();
      case 1:
        return conversions();
      default:
        return inner_products();
    }
  }

  ValueId recorded(ValueId result) {
    record(result);
    return result;
  }

  // A transform or a difference that only the product reads.
  void scaled() {
    const std::uint32_t q = some_modulus();
    const ValueId x = some_limb(q, Domain::eval);
    const ValueId factor =
        recorded(draw_.one_in(2) ? builder_.intt(x) : builder_.sub(some_limb(q, Domain::eval), x));
    used_[factor] = true;
    record(builder_.mul_scalar(factor, some_scalar(q)));
  }

  // Sums of the same sources modulo several moduli.
  void conversions() {
    std::vector<ValueId> sources(draw_.between(1, kMaxSources));
    for (ValueId& source : sources) source = some_limb(some_modulus(), Domain::coeff);
    for (std::size_t left = draw_.between(2, 6); left > 0; --left) {
      const std::uint32_t q = some_modulus();
      std::vector<std::uint64_t> scalars;
      for (std::size_t k = 0; k < sources.size(); ++k) scalars.push_back(some_scalar(q));
      record(builder_.dot_scalar(q, sources, scalars));
    }
  }

  // Two sums over the same fresh transforms, as with the two columns of a key; mostly with the
  // transforms first, and often with something added to them.
  void inner_products() {
    const std::uint32_t q = some_modulus();
    std::vector<ValueId> transforms(draw_.between(1, 4));
    for (ValueId& transform : transforms) {
      transform = recorded(builder_.ntt(some_limb(q, Domain::coeff)));
      used_[transform] = true;
    }
    for (int column = 0; column < 2; ++column) {
      const bool mixed = draw_.one_in(4);
      std::vector<std::pair<ValueId, ValueId>> pairs;
      for (const ValueId transform : transforms) {
        const ValueId partner = some_limb(q, Domain::eval);
        pairs.emplace_back(transform, partner);
        if (mixed && draw_.one_in(2)) std::swap(pairs.back().first, pairs.back().second);
      }
      const ValueId sum = recorded(builder_.dot(pairs));
      if (draw_.one_in(2)) continue;
      used_[sum] = true;
      record(builder_.add(sum, some_limb(q, Domain::eval)));
    }
  }

  void two(ValueId (Builder::*method)(ValueId, ValueId), std::uint32_t q, Domain domain) {
    const ValueId x = some_limb(q, domain);
    const ValueId y = some_limb(q, domain);
    record((builder_.*method)(x, y));
  }

  void with_scalar(ValueId (Builder::*method)(ValueId, std::uint64_t), std::uint32_t q,
                   Domain domain) {
    const ValueId x = some_limb(q, domain);
    record((builder_.*method)(x, some_scalar(q)));
  }

  void dot(std::uint32_t q, Domain domain) {
    std::vector<std::pair<ValueId, ValueId>> pairs(draw_.between(1, kMaxDotPairs));
    for (auto& [x, y] : pairs) {
      x = some_limb(q, domain);
      y = some_limb(q, domain);
    }
    record(builder_.dot(pairs));
  }

  void dot_scalar(std::uint32_t q, Domain domain) {
    const bool own = draw_.one_in(4);
    const std::size_t count = draw_.between(1, kMaxSources);
    std::vector<ValueId> sources;
    std::vector<std::uint64_t> scalars;
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t modulus = own ? q : some_modulus();
      sources.push_back(some_limb(modulus, own ? domain : Domain::coeff));
      scalars.push_back(some_scalar(q));
    }
    record(builder_.dot_scalar(q, sources, scalars));
  }

  void quotient(std::uint32_t q) {
    std::vector<ValueId> sources(draw_.between(1, kMaxSources));
    for (ValueId& source : sources) source = some_limb(some_modulus(), Domain::coeff);
    const auto rounding = draw_.one_in(2) ? ring::Rounding::floor : ring::Rounding::nearest;
    record(builder_.quotient(q, rounding, sources));
  }

  std::uint64_t some_galois_element() {
    switch (draw_.below(5)) {
      case 0:
        return 2 * degree_ - 1;
      case 1:
        return 5;
      case 2:
        return 1;
      default:
        return 2 * draw_.below(degree_) + 1;
    }
  }

  Draw draw_;
  std::uint64_t degree_;
  std::vector<ring::Modulus> moduli_;
  Builder builder_;
  std::vector<bool> used_;  // by ValueId
};

}  // namespace

LimbProgram random_program(std::uint64_t seed) { return Generator(seed).make(); }

}  // namespace heliodor::agree
