// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// KlssKey: a hybrid key in the form that klss multiplies with. Derived, never made or shipped: the
// hybrid key is the stored form.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/keyswitch/key_switch.h"

namespace heliodor::rlwe {

/// K[c][j][block][i]: the residues of the key modulo the primes of a block (P first, then Q),
/// lifted to a centred integer, times (T/t_i)^-1 modulo t_i, in evaluations. With the factor the
/// sums of products are what the conversion from T starts from.
struct KlssKey {
  Gadget gadget;
  std::size_t block_size;
  std::vector<ring::Modulus> t;
  LimbMatrix limbs;  ///< parts (j, c) as EvaluationKey; limbs block * |T| + i
};

/// The program that turns one polynomial of a key (max_limb_count + special_count limbs in
/// EvaluationKey's order) into its klss form.
program::LimbProgram klss_key_program(const Parameters& parameters, const Gadget& gadget,
                                      std::size_t block_size, unsigned t_bits = kUsualTBits);

/// Derives it on `target`. Errors as klss_base; Error{unsupported} if the target cannot.
KlssKey derive_klss_key(const Parameters& parameters, const program::Target& target,
                        const EvaluationKey& key, std::size_t block_size,
                        unsigned t_bits = kUsualTBits);

/// Derived keys, each made once, at first use. Safe to use from many threads.
class KlssKeyCache {
 public:
  /// `key` is known by its address and must outlive the cache; gadget and sizes are the shape's.
  /// Errors as derive_klss_key.
  const KlssKey& get(const Parameters& parameters, const program::Target& target,
                     const EvaluationKey& key, const KeySwitchShape& shape);

 private:
  struct Entry {
    std::once_flag once;
    KlssKey key;
  };
  std::mutex mutex_;
  std::map<std::tuple<const EvaluationKey*, std::size_t, unsigned>, Entry> entries_;
};

}  // namespace heliodor::rlwe
