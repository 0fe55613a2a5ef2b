// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/agree/subjects.h"

#include <array>
#include <string_view>
#include <utility>

#include "heliodor/targets/cpu/cpu_target.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::agree {
namespace {

constexpr std::string_view kCpuPrefix = "cpu:";

struct Variant {
  const char* name;
  bool cpu::Fusions::*off;  // null for all of them
};

constexpr std::array kVariants = {
    Variant{"without fusions", nullptr},
    Variant{"without demand order", &cpu::Fusions::demand_order},
    Variant{"without lazy transforms", &cpu::Fusions::lazy_transforms},
    Variant{"without scaled transforms", &cpu::Fusions::scaled_transforms},
    Variant{"without lifted transforms", &cpu::Fusions::lifted_transforms},
    Variant{"without scaled differences", &cpu::Fusions::scaled_differences},
    Variant{"without grouped conversions", &cpu::Fusions::grouped_conversions},
    Variant{"without paired dots", &cpu::Fusions::paired_dots},
    Variant{"without accumulating dots", &cpu::Fusions::accumulating_dots},
    Variant{"without strips", &cpu::Fusions::strips},
};

cpu::Fusions fusions_of(const Variant& variant) {
  if (variant.off == nullptr) return cpu::Fusions::none();
  cpu::Fusions fusions;
  fusions.*variant.off = false;
  return fusions;
}

}  // namespace

std::vector<Subject> subjects() {
  std::vector<Subject> list;
  for (auto& target : registry::present_targets()) {
    if (target->name() != "reference") list.push_back({std::move(target), 1});
  }
  return list;
}

std::vector<Subject> subjects_with_threads() {
  std::vector<Subject> list = subjects();
  for (const unsigned threads : {2U, 8U}) {
    for (auto& target : registry::present_targets(threads)) {
      if (target->name().starts_with(kCpuPrefix)) list.push_back({std::move(target), threads});
    }
  }
  return list;
}

std::vector<Subject> subjects_without_fusions() {
  std::vector<Subject> list;
  for (const auto& present : registry::present_targets()) {
    if (!present->name().starts_with(kCpuPrefix)) continue;
    const cpu::KernelTable& kernels = cpu::kernel_table(present->name().substr(kCpuPrefix.size()));
    for (const Variant& variant : kVariants) {
      for (const unsigned threads : {1U, 2U}) {
        list.push_back({std::make_unique<cpu::CpuTarget>(kernels, threads, fusions_of(variant)),
                        threads, variant.name});
      }
    }
  }
  return list;
}

}  // namespace heliodor::agree
