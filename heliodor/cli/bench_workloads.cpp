// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/bench_workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/cli/bench_programs.h"

namespace heliodor::cli {
namespace {

constexpr std::array<std::pair<std::string_view, Workload>, 6> kNames = {
    {{"ntt", Workload::ntt},
     {"intt", Workload::intt},
     {"dot", Workload::dot},
     {"baseconv", Workload::baseconv},
     {"keyswitch", Workload::keyswitch},
     {"evalmult", Workload::evalmult}}};

void require(std::string_view name, std::size_t value, std::size_t least, std::size_t most) {
  if (value >= least && value <= most) return;
  throw Error(ErrorCode::out_of_range,
              fmt::format("{} {} is outside [{}, {}]", name, value, least, most));
}

// Enough for any scheme, little enough to be built.
constexpr std::size_t kMaxCount = 1024;

// Of n residues to m moduli: n scalings and m sums of n terms; a single residue is only reduced.
void count_conversion(std::size_t sources, std::size_t targets, WorkCount& work) {
  if (sources == 1) return;
  work.scalings += static_cast<double>(sources);
  work.terms += static_cast<double>(sources * targets);
  work.outputs += static_cast<double>(targets);
}

// In limbs of work: l of Q, k of P, digits of the sizes that the program gives them.
WorkCount count_keyswitch(const WorkloadSize& size) {
  const std::size_t l = size.limbs, k = size.special, all = l + k;
  const std::size_t digit_size = (l + size.digits - 1) / size.digits;
  std::size_t digits = 0, lifted = 0;
  WorkCount work;
  for (std::size_t first = 0; first < l; first += digit_size) {
    const std::size_t own = std::min(digit_size, l - first);
    ++digits;
    lifted += all - own;
    count_conversion(own, all - own, work);
  }
  for (int component = 0; component < 2; ++component) count_conversion(k, l, work);
  work.butterflies = static_cast<double>(l + lifted + 2 * all);
  work.terms += static_cast<double>(2 * digits * all);
  work.outputs += static_cast<double>(2 * all);
  work.scalings += static_cast<double>(2 * l);
  return work;
}

// The same for the tensor product (4 terms and 3 outputs per limb), l^2 transforms, and two inner
// products over l digits per limb.
WorkCount count_evalmult(std::size_t limbs) {
  const auto l = static_cast<double>(limbs);
  return {.butterflies = l * l, .terms = 4 * l + 2 * l * l, .outputs = 3 * l + 2 * l};
}

WorkCount count_limbs(Workload workload, const WorkloadSize& size) {
  const auto sources = static_cast<double>(size.limbs), targets = static_cast<double>(size.special);
  switch (workload) {
    case Workload::ntt:
    case Workload::intt:
      return {.butterflies = 1};
    case Workload::dot:
      return {.terms = static_cast<double>(size.digits), .outputs = 1};
    case Workload::baseconv:
      return {.terms = sources * targets, .outputs = targets};
    case Workload::keyswitch:
      return count_keyswitch(size);
    case Workload::evalmult:
      return count_evalmult(size.limbs);
  }
  return {};
}

}  // namespace

std::optional<Workload> workload_named(std::string_view name) {
  for (const auto& [known, workload] : kNames) {
    if (known == name) return workload;
  }
  return std::nullopt;
}

std::string_view to_string(Workload workload) {
  return kNames[static_cast<std::size_t>(workload)].first;
}

WorkloadSize usual_size(Workload workload) {
  switch (workload) {
    case Workload::ntt:
    case Workload::intt:
      return {.degree = 65536, .bits = 46};
    case Workload::dot:
      return {.degree = 65536, .bits = 46, .digits = 12};
    case Workload::baseconv:
      return {.degree = 65536, .bits = 46, .limbs = 14, .special = 28};
    case Workload::keyswitch:
      return {.degree = 65536, .bits = 47, .limbs = 27, .special = 9, .digits = 3};
    case Workload::evalmult:
      return {.degree = 4096, .bits = 30, .limbs = 12};
  }
  return {};
}

program::LimbProgram make_program(Workload workload, const WorkloadSize& size) {
  const bool converts = workload == Workload::baseconv || workload == Workload::keyswitch;
  if (converts || workload == Workload::evalmult) require("limbs", size.limbs, 1, kMaxCount);
  if (converts) require("special", size.special, 1, kMaxCount);
  if (workload == Workload::keyswitch) require("digits", size.digits, 1, size.limbs);
  if (workload == Workload::dot) require("digits", size.digits, 1, kMaxCount);
  switch (workload) {
    case Workload::ntt:
    case Workload::intt:
      return transform_program(size.bits, size.degree, workload == Workload::ntt);
    case Workload::dot:
      return dot_program(size.bits, size.degree, size.digits);
    case Workload::baseconv:
      return conversion_program(size.bits, size.degree, size.limbs, size.special);
    case Workload::keyswitch:
      return keyswitch_hybrid_program(size.bits, size.degree, size.limbs, size.special,
                                      size.digits);
    case Workload::evalmult:
      break;
  }
  return evalmult_bv_program(size.bits, size.degree, size.limbs);
}

WorkCount count_work(Workload workload, const WorkloadSize& size) {
  WorkCount work = count_limbs(workload, size);
  const auto n = static_cast<double>(size.degree);
  work.butterflies *= n / 2 * std::countr_zero(size.degree);
  work.terms *= n;
  work.outputs *= n;
  work.scalings *= n;
  return work;
}

}  // namespace heliodor::cli
