// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/ntt_cache.h"

namespace heliodor::cpu {

std::shared_ptr<const Ntt> NttCache::get(const ring::Modulus& q) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<const Ntt>& entry = transforms_[{q.value(), q.degree(), q.psi()}];
  std::shared_ptr<const Ntt> ntt = entry.lock();
  if (!ntt) {
    ntt = kernels_.make_ntt(q);
    entry = ntt;
  }
  return ntt;
}

}  // namespace heliodor::cpu
