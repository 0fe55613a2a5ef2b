// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/kernel_table.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/targets/cpu/portable/kernels.h"
#ifdef HELIODOR_CPU_X86
#include "heliodor/targets/cpu/avx2/kernels.h"
#include "heliodor/targets/cpu/avx512/kernels.h"
#endif

namespace heliodor::cpu {
namespace {

std::vector<const KernelTable*> find_supported() {
  std::vector<const KernelTable*> tables = {&portable::kernel_table()};
#ifdef HELIODOR_CPU_X86
  if (avx2::kernel_table().supported()) tables.push_back(&avx2::kernel_table());
  if (avx512::kernel_table().supported()) tables.push_back(&avx512::kernel_table());
#endif
  return tables;
}

}  // namespace

std::span<const KernelTable* const> supported_kernel_tables() {
  static const std::vector<const KernelTable*> tables = find_supported();
  return tables;
}

const KernelTable& kernel_table(std::string_view name) {
  std::string present;
  for (const KernelTable* table : supported_kernel_tables()) {
    if (table->name == name) return *table;
    present += (present.empty() ? "" : ", ") + std::string(table->name);
  }
  throw Error(ErrorCode::unavailable, "kernel table '" + std::string(name) +
                                          "' is not available on this CPU, which has: " + present);
}

const KernelTable& chosen_kernel_table() {
  const char* forced = std::getenv("HELIODOR_CPU");
  if (forced != nullptr && *forced != '\0') return kernel_table(forced);
  return *supported_kernel_tables().back();
}

}  // namespace heliodor::cpu
