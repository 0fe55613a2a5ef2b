// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/bench_programs.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/ring/rns_base.h"

namespace heliodor::cli {
namespace {

using program::Builder;
using program::LimbProgram;
using program::ValueId;
using ring::Domain;
using ring::Modulus;
using ring::RnsBase;

std::vector<Modulus> make_moduli(unsigned bits, std::uint64_t degree, std::size_t count) {
  std::vector<Modulus> moduli;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, count))
    moduli.emplace_back(q, degree);
  return moduli;
}

std::uint32_t index(std::size_t i) { return static_cast<std::uint32_t>(i); }

std::vector<ValueId> operands(Builder& b, const char* name, std::size_t limbs) {
  std::vector<ValueId> values;
  for (std::size_t i = 0; i < limbs; ++i)
    values.push_back(b.operand(fmt::format("{}[{}]", name, i), index(i), Domain::eval));
  return values;
}

// Key switching of d, given by evaluations modulo Q: what emitters of the pieces share.
class HybridSwitch {
 public:
  HybridSwitch(Builder& b, const RnsBase& q, const RnsBase& p, std::size_t digits)
      : b_(b), q_(q), p_(p), digit_size_((q.size() + digits - 1) / digits) {}

  void emit(const std::vector<ValueId>& d) {
    const std::size_t total = q_.size() + p_.size();
    std::vector<std::vector<ValueId>> lifted;  // by digit, by limb of QP
    for (std::size_t first = 0; first < q_.size(); first += digit_size_) {
      lifted.push_back(mod_up(d, first, std::min(q_.size(), first + digit_size_)));
    }
    for (const char* component : {"b", "a"}) {
      std::vector<ValueId> sums;
      for (std::size_t t = 0; t < total; ++t) sums.push_back(inner_product(lifted, component, t));
      mod_down(sums, component);
    }
  }

 private:
  const Modulus& modulus(std::size_t t) const { return t < q_.size() ? q_[t] : p_[t - q_.size()]; }

  // y_i = [x_i * (B/b_i)^-1] mod b_i, in coefficients.
  std::vector<ValueId> scaled_coefficients(const RnsBase& base, const std::vector<ValueId>& x) {
    std::vector<ValueId> y;
    for (std::size_t i = 0; i < x.size(); ++i)
      y.push_back(b_.mul_scalar(b_.intt(x[i]), base.inverse_cofactor(i)));
    return y;
  }

  ValueId convert(const RnsBase& base, const std::vector<ValueId>& y, std::size_t t) {
    std::vector<std::uint64_t> factors;
    for (std::size_t i = 0; i < y.size(); ++i) factors.push_back(base.cofactor_mod(i, modulus(t)));
    return b_.ntt(b_.dot_scalar(index(t), y, factors));
  }

  std::vector<ValueId> mod_up(const std::vector<ValueId>& d, std::size_t first, std::size_t last) {
    const RnsBase base({q_.moduli().begin() + static_cast<std::ptrdiff_t>(first),
                        q_.moduli().begin() + static_cast<std::ptrdiff_t>(last)});
    const std::vector<ValueId> y =
        scaled_coefficients(base, {d.begin() + static_cast<std::ptrdiff_t>(first),
                                   d.begin() + static_cast<std::ptrdiff_t>(last)});
    std::vector<ValueId> lifted;
    for (std::size_t t = 0; t < q_.size() + p_.size(); ++t) {
      lifted.push_back(t >= first && t < last ? d[t] : convert(base, y, t));
    }
    return lifted;
  }

  ValueId inner_product(const std::vector<std::vector<ValueId>>& lifted, const char* component,
                        std::size_t t) {
    std::vector<std::pair<ValueId, ValueId>> pairs;
    for (std::size_t j = 0; j < lifted.size(); ++j) {
      pairs.emplace_back(lifted[j][t], b_.key(fmt::format("key.{}[{}][{}]", component, j, t),
                                              index(t), Domain::eval));
    }
    return b_.dot(pairs);
  }

  // (x - [x mod P]) / P, the conversion unsigned and uncorrected.
  void mod_down(const std::vector<ValueId>& x, const char* component) {
    const std::vector<ValueId> y =
        scaled_coefficients(p_, {x.begin() + static_cast<std::ptrdiff_t>(q_.size()), x.end()});
    for (std::size_t t = 0; t < q_.size(); ++t) {
      const ValueId difference = b_.sub(x[t], convert(p_, y, t));
      b_.output(fmt::format("{}[{}]", component, t),
                b_.mul_scalar(difference, q_[t].inverse(p_.product_mod(q_[t]))));
    }
  }

  Builder& b_;
  const RnsBase& q_;
  const RnsBase& p_;
  std::size_t digit_size_;
};

}  // namespace

LimbProgram transform_program(unsigned bits, std::uint64_t degree, bool forward) {
  Builder b(make_moduli(bits, degree, 1), forward ? "ntt" : "intt");
  const ValueId x = b.operand("x", 0, forward ? Domain::coeff : Domain::eval);
  b.output("y", forward ? b.ntt(x) : b.intt(x));
  return b.build();
}

LimbProgram dot_program(unsigned bits, std::uint64_t degree, std::size_t terms) {
  Builder b(make_moduli(bits, degree, 1), "dot");
  std::vector<std::pair<ValueId, ValueId>> pairs;
  for (std::size_t k = 0; k < terms; ++k) {
    pairs.emplace_back(b.operand(fmt::format("x[{}]", k), 0, Domain::eval),
                       b.key(fmt::format("key[{}]", k), 0, Domain::eval));
  }
  b.output("y", b.dot(pairs));
  return b.build();
}

LimbProgram conversion_program(unsigned bits, std::uint64_t degree, std::size_t sources,
                               std::size_t targets) {
  const std::vector<Modulus> moduli = make_moduli(bits, degree, sources + targets);
  const RnsBase from({moduli.begin(), moduli.begin() + static_cast<std::ptrdiff_t>(sources)});
  Builder b(moduli, "conversion");
  std::vector<ValueId> y;
  for (std::size_t s = 0; s < sources; ++s)
    y.push_back(b.operand(fmt::format("y[{}]", s), index(s), Domain::coeff));
  for (std::size_t t = sources; t < sources + targets; ++t) {
    std::vector<std::uint64_t> factors;
    for (std::size_t s = 0; s < sources; ++s) factors.push_back(from.cofactor_mod(s, moduli[t]));
    b.output(fmt::format("x[{}]", t - sources), b.dot_scalar(index(t), y, factors));
  }
  return b.build();
}

LimbProgram evalmult_bv_program(unsigned bits, std::uint64_t degree, std::size_t limbs) {
  Builder b(make_moduli(bits, degree, limbs), "evalmult");
  const std::vector<ValueId> a0 = operands(b, "a0", limbs), a1 = operands(b, "a1", limbs);
  const std::vector<ValueId> b0 = operands(b, "b0", limbs), b1 = operands(b, "b1", limbs);
  std::vector<ValueId> c2, digits;
  for (std::size_t i = 0; i < limbs; ++i) {
    c2.push_back(b.mul(a1[i], b1[i]));
    digits.push_back(b.intt(c2[i]));
  }
  for (std::size_t i = 0; i < limbs; ++i) {
    std::vector<std::pair<ValueId, ValueId>> with_b, with_a;
    for (std::size_t j = 0; j < limbs; ++j) {
      const ValueId digit =
          i == j ? c2[i] : b.ntt(b.reduce(index(i), ring::Lift::centred, digits[j]));
      with_b.emplace_back(digit, b.key(fmt::format("key.b[{}][{}]", j, i), index(i), Domain::eval));
      with_a.emplace_back(digit, b.key(fmt::format("key.a[{}][{}]", j, i), index(i), Domain::eval));
    }
    const std::pair<ValueId, ValueId> cross[] = {{a0[i], b1[i]}, {a1[i], b0[i]}};
    b.output(fmt::format("c0[{}]", i), b.add(b.mul(a0[i], b0[i]), b.dot(with_b)));
    b.output(fmt::format("c1[{}]", i), b.add(b.dot(cross), b.dot(with_a)));
  }
  return b.build();
}

LimbProgram keyswitch_hybrid_program(unsigned bits, std::uint64_t degree, std::size_t limbs,
                                     std::size_t special, std::size_t digits) {
  const std::vector<Modulus> moduli = make_moduli(bits, degree, limbs + special);
  const RnsBase q({moduli.begin(), moduli.begin() + static_cast<std::ptrdiff_t>(limbs)});
  const RnsBase p({moduli.begin() + static_cast<std::ptrdiff_t>(limbs), moduli.end()});
  Builder b(moduli, "keyswitch");
  const std::vector<ValueId> d = operands(b, "d", limbs);
  HybridSwitch(b, q, p, digits).emit(d);
  return b.build();
}

}  // namespace heliodor::cli
