// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pseudo-random LimbPrograms of every instruction, with the patterns that plans fuse, for the tests
// of schedules and plans.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/program/builder.h"

namespace heliodor::cpu::internal {

class RandomProgram {
 public:
  /// Two operands of each modulus, a key, a constant and a seed come first. All moduli exceed 8.
  RandomProgram(std::vector<ring::Modulus> moduli, std::uint64_t number)
      : moduli_(moduli), random_(base::TestSeed(number), "random program"), builder_(moduli) {
    for (std::uint32_t m = 0; m < moduli_.size(); ++m) {
      add_value(builder_.operand(name('x', m), m, program::Domain::coeff));
      add_value(builder_.operand(name('y', m), m, program::Domain::eval));
    }
    add_value(builder_.key("key", 0, program::Domain::eval));
    add_value(builder_.constant("constant", 0, program::Domain::coeff));
    seed_ = builder_.seed("seed");
    add_value(builder_.uniform(seed_, 7, 0, program::Domain::eval));
  }

  /// At least that many instructions. Every value nothing reads becomes an output, and so do some
  /// that are read, an input, and one value a second time.
  program::LimbProgram make(std::size_t instructions) {
    const std::size_t target = values_.size() + instructions;
    while (values_.size() < target) add_value(next());
    std::vector<program::ValueId> outputs = {values_.front(), values_.back(), values_.back()};
    for (const program::ValueId value : values_) {
      if (!used_[value] || random_.below(16) == 0) outputs.push_back(value);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      builder_.output(name('z', i), outputs[i]);
    }
    return builder_.build();
  }

 private:
  using ValueId = program::ValueId;

  static std::string name(char letter, std::size_t number) {
    return std::string(1, letter).append(std::to_string(number));
  }

  void add_value(ValueId value) {
    values_.push_back(value);
    used_.resize(value + 1, false);
  }

  ValueId use(ValueId value) {
    used_[value] = true;
    return value;
  }

  /// A value for which `fits` holds: mostly a young one, so that others die. Some operand of every
  /// modulus and domain fits from the start.
  template <typename Fits>
  ValueId pick(Fits fits) {
    for (;;) {
      const std::size_t recent = std::min<std::size_t>(values_.size(), 12);
      const std::size_t from = random_.below(4) == 0 ? 0 : values_.size() - recent;
      const ValueId value = values_[from + random_.below(values_.size() - from)];
      if (fits(builder_.type(value))) return use(value);
    }
  }

  ValueId any() {
    return pick([](program::ValueType) { return true; });
  }
  ValueId coeff() {
    return pick([](program::ValueType type) { return type.domain == program::Domain::coeff; });
  }
  ValueId like(ValueId x) {
    return pick([&](program::ValueType type) { return type == builder_.type(x); });
  }
  std::uint32_t any_modulus() { return static_cast<std::uint32_t>(random_.below(moduli_.size())); }
  std::uint64_t word(std::uint32_t modulus) { return random_.below(moduli_[modulus].value()); }

  ValueId next() {
    switch (random_.below(15)) {
      case 0:
        return binary();
      case 1:
        return binary();
      case 2:
        return builder_.neg(any());
      case 3:
        return scalar();
      case 4:
        return dot();
      case 5:
        return dot_scalar();
      case 6:
        return quotient();
      case 7:
        return builder_.reduce(any_modulus(), static_cast<ring::Lift>(random_.below(2)), coeff());
      case 8:
      case 9:
        return transform();
      case 10:
        return builder_.permute(2 * random_.below(moduli_[0].degree()) + 1, any());
      case 11:
        return scaled();
      case 12:
        return conversions();
      case 13:
        return products_of_transforms();
      default:
        return builder_.uniform(seed_, random_.next(), any_modulus(), program::Domain::coeff);
    }
  }

  ValueId binary() {
    const ValueId x = any(), y = like(x);
    switch (random_.below(3)) {
      case 0:
        return builder_.add(x, y);
      case 1:
        return builder_.sub(x, y);
      default:
        return builder_.mul(x, y);
    }
  }

  ValueId scalar() {
    const ValueId x = any();
    const std::uint64_t c = word(builder_.type(x).modulus);
    return random_.below(2) == 0 ? builder_.add_scalar(x, c) : builder_.mul_scalar(x, c);
  }

  ValueId dot() {
    const ValueId first = any();
    std::vector<std::pair<ValueId, ValueId>> pairs{{first, like(first)}};
    while (random_.below(3) != 0) pairs.emplace_back(like(first), like(first));
    return builder_.dot(pairs);
  }

  std::vector<ValueId> coeffs() {
    std::vector<ValueId> sources{coeff()};
    while (sources.size() < 8 && random_.below(3) != 0) sources.push_back(coeff());
    return sources;
  }

  ValueId dot_scalar() {
    const std::vector<ValueId> sources = coeffs();
    const std::uint32_t modulus = any_modulus();
    std::vector<std::uint64_t> c;
    for (std::size_t k = 0; k < sources.size(); ++k) c.push_back(word(modulus));
    return builder_.dot_scalar(modulus, sources, c);
  }

  ValueId quotient() {
    const std::vector<ValueId> sources = coeffs();
    return builder_.quotient(any_modulus(), static_cast<ring::Rounding>(random_.below(2)), sources);
  }

  ValueId transform() {
    const ValueId x = any();
    return builder_.type(x).domain == program::Domain::coeff ? builder_.ntt(x) : builder_.intt(x);
  }

  // A value that is left out of values_ is read by nothing else.

  /// An intt or a sub that mostly only a mul_scalar reads.
  ValueId scaled() {
    const ValueId x = pick([](program::ValueType type) { return type.domain != kCoeff; });
    const ValueId factor = random_.below(2) == 0 ? builder_.intt(x) : builder_.sub(x, like(x));
    if (random_.below(4) == 0) {
      add_value(factor);
      use(factor);
    }
    return builder_.mul_scalar(factor, word(builder_.type(x).modulus));
  }

  /// Up to six dot_scalars with the same sources, other instructions between some of them.
  ValueId conversions() {
    const std::vector<ValueId> sources = coeffs();
    std::vector<std::uint64_t> c(sources.size());
    for (;;) {
      const std::uint32_t modulus = any_modulus();
      for (std::uint64_t& factor : c) factor = word(modulus);
      const ValueId result = builder_.dot_scalar(modulus, sources, c);
      if (random_.below(6) == 0) return result;
      add_value(result);
      if (random_.below(3) == 0) add_value(builder_.neg(use(result)));
    }
  }

  /// Two dots over transforms that mostly nothing else reads, sometimes against each other; often
  /// in the same order, and with an add behind them that mostly nothing else reads.
  ValueId products_of_transforms() {
    const ValueId y = pick([](program::ValueType type) { return type.domain != kCoeff; });
    const program::ValueType coefficients{builder_.type(y).modulus, kCoeff};
    std::vector<ValueId> transforms;
    while (transforms.empty() || random_.below(3) != 0) {
      transforms.push_back(
          builder_.ntt(pick([&](program::ValueType type) { return type == coefficients; })));
      if (random_.below(8) == 0) {
        add_value(transforms.back());
        use(transforms.back());
      }
    }
    const auto product = [&] {
      const bool ordered = random_.below(4) != 0;
      std::vector<std::pair<ValueId, ValueId>> pairs{{transforms.front(), y}};
      for (const ValueId x : transforms) {
        const ValueId partner = random_.below(8) == 0 ? transforms.back() : like(y);
        ordered || random_.below(2) == 0 ? pairs.emplace_back(x, partner)
                                         : pairs.emplace_back(partner, x);
      }
      return builder_.dot(pairs);
    };
    const ValueId first = product(), second = product();
    const std::uint64_t choice = random_.below(4);
    add_value(first);
    if (choice == 0) return second;
    use(first);
    if (random_.below(4) != 0) values_.pop_back();
    switch (choice) {
      case 1:
        return builder_.add(first, second);
      default: {
        const ValueId other = random_.below(2) == 0 ? like(y) : builder_.mul(y, like(y));
        add_value(builder_.add(first, other));
        return random_.below(2) == 0 ? builder_.add(like(y), second) : second;
      }
    }
  }

  static constexpr program::Domain kCoeff = program::Domain::coeff;

  std::vector<ring::Modulus> moduli_;
  base::RandomStream random_;
  program::Builder builder_;
  std::vector<ValueId> values_;  // limbs
  std::vector<bool> used_;
  ValueId seed_ = 0;
};

}  // namespace heliodor::cpu::internal
