// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/ring/rns_base.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::ring {
namespace {

void check_moduli(std::span<const Modulus> moduli) {
  if (moduli.empty())
    throw Error(ErrorCode::out_of_range, "limb_count 0 of an RNS base is below 1");
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    if (moduli[i].degree() != moduli[0].degree()) {
      throw Error(ErrorCode::mismatch,
                  fmt::format("modulus {} has degree {}, modulus 0 has degree {}", i,
                              moduli[i].degree(), moduli[0].degree()));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (moduli[i].value() == moduli[j].value()) {
        throw Error(ErrorCode::mismatch,
                    fmt::format("moduli {} and {} are both {}", j, i, moduli[i].value()));
      }
    }
  }
}

}  // namespace

RnsBase::RnsBase(std::vector<Modulus> moduli) : moduli_(std::move(moduli)) {
  check_moduli(moduli_);
  inverse_cofactors_.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) {
    inverse_cofactors_.push_back(moduli_[i].inverse(cofactor_mod(i, moduli_[i])));
  }
}

RnsBase RnsBase::prefix(std::size_t count) const {
  if (count < 1 || count > size()) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("limb_count {} of a prefix is not in [1, {}]", count, size()));
  }
  return RnsBase({moduli_.begin(), moduli_.begin() + static_cast<std::ptrdiff_t>(count)});
}

RnsBase RnsBase::concatenate(const RnsBase& other) const {
  std::vector<Modulus> moduli = moduli_;
  moduli.insert(moduli.end(), other.moduli_.begin(), other.moduli_.end());
  return RnsBase(std::move(moduli));
}

std::uint64_t RnsBase::cofactor_mod(std::size_t i, const Modulus& p) const noexcept {
  std::uint64_t product = 1;
  for (std::size_t j = 0; j < size(); ++j) {
    if (j != i) product = p.mul(product, p.reduce(moduli_[j].value()));
  }
  return product;
}

std::uint64_t RnsBase::product_mod(const Modulus& p) const noexcept {
  return p.mul(cofactor_mod(0, p), p.reduce(moduli_[0].value()));
}

double RnsBase::log2() const noexcept {
  double sum = 0;
  for (const Modulus& q : moduli_) sum += std::log2(static_cast<double>(q.value()));
  return sum;
}

}  // namespace heliodor::ring
