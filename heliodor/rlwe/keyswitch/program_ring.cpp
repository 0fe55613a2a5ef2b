// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/program_ring.h"

#include <fmt/format.h>

#include "heliodor/base/error.h"

namespace heliodor::rlwe {
namespace {

ring::RnsBase q_prefix(const Parameters& parameters, std::size_t limb_count) {
  const std::size_t most = parameters.q().size();
  if (limb_count < 1 || limb_count > most) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("limb_count {} is not in [1, {}]", limb_count, most));
  }
  return parameters.q().prefix(limb_count);
}

std::optional<ring::RnsBase> p_prefix(const Parameters& parameters, std::size_t special_count) {
  const std::span<const ring::Modulus> p = parameters.p();
  if (special_count > p.size()) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("special_count {} exceeds {}", special_count, p.size()));
  }
  if (special_count == 0) return std::nullopt;
  return ring::RnsBase({p.begin(), p.begin() + static_cast<std::ptrdiff_t>(special_count)});
}

}  // namespace

ProgramRing::ProgramRing(const Parameters& parameters, std::size_t limb_count,
                         std::size_t special_count, std::span<const ring::Modulus> t)
    : q_(q_prefix(parameters, limb_count)),
      p_(p_prefix(parameters, special_count)),
      error_scale_(parameters.error_scale()),
      lift_(parameters.lift()) {
  if (!t.empty()) t_.emplace(std::vector<ring::Modulus>(t.begin(), t.end()));
}

std::vector<ring::Modulus> ProgramRing::moduli() const {
  std::vector<ring::Modulus> all(q_.moduli().begin(), q_.moduli().end());
  for (const auto* base : {&p_, &t_}) {
    if (*base) all.insert(all.end(), (*base)->moduli().begin(), (*base)->moduli().end());
  }
  return all;
}

const ring::RnsBase& ProgramRing::p() const {
  if (!p_) throw Error(ErrorCode::out_of_range, "special_count 0 is below 1: the ring has no P");
  return *p_;
}

const ring::RnsBase& ProgramRing::t() const {
  if (!t_)
    throw Error(ErrorCode::out_of_range, "0 auxiliary moduli are below 1: the ring has no T");
  return *t_;
}

std::uint32_t ProgramRing::q_index(std::size_t i) const noexcept {
  return static_cast<std::uint32_t>(i);
}

std::uint32_t ProgramRing::p_index(std::size_t i) const noexcept {
  return static_cast<std::uint32_t>(limb_count() + i);
}

std::uint32_t ProgramRing::t_index(std::size_t i) const noexcept {
  return static_cast<std::uint32_t>(qp_size() + i);
}

const ring::Modulus& ProgramRing::qp(std::size_t i) const noexcept {
  return i < limb_count() ? q_[i] : (*p_)[i - limb_count()];
}

}  // namespace heliodor::rlwe
