// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// NttCache: transforms shared by the plans of one target. A transform lives as long as a plan uses
// it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cpu {

class NttCache {
 public:
  explicit NttCache(const KernelTable& kernels) : kernels_(kernels) {}

  /// Made at first use. Safe to call from several threads.
  std::shared_ptr<const Ntt> get(const ring::Modulus& q);

 private:
  const KernelTable& kernels_;
  std::mutex mutex_;
  std::map<std::tuple<Word, std::uint64_t, Word>, std::weak_ptr<const Ntt>> transforms_;
};

}  // namespace heliodor::cpu
