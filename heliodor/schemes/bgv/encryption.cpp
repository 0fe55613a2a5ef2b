// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bgv/encryption.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "heliodor/base/wipe.h"
#include "heliodor/schemes/bgv/message.h"
#include "heliodor/schemes/bgv/noise.h"

namespace heliodor::bgv {

Encryptor::Encryptor(ContextPtr context, rlwe::PublicKey key, const base::Seed& seed)
    : context_(std::move(context)), encryptor_(context_->rlwe(), std::move(key), seed) {}

Encryptor::Encryptor(ContextPtr context, rlwe::PublicKey key, const base::TestSeed& seed)
    : context_(std::move(context)), encryptor_(context_->rlwe(), std::move(key), seed) {}

Encryptor::Encryptor(ContextPtr context, const rlwe::SecretKey& key, const base::Seed& seed)
    : context_(std::move(context)), encryptor_(context_->rlwe(), key, seed) {}

Encryptor::Encryptor(ContextPtr context, const rlwe::SecretKey& key, const base::TestSeed& seed)
    : context_(std::move(context)), encryptor_(context_->rlwe(), key, seed) {}

Ciphertext Encryptor::encrypt(const slots::Plaintext& plaintext) {
  const Parameters& parameters = context_->parameters();
  rlwe::LimbMatrix message = to_message(*context_, plaintext, 1, parameters.rlwe().q().size());
  Ciphertext result{encryptor_.encrypt(message, message_bound(parameters)), 1};
  message.wipe();
  return result;
}

Decryptor::Decryptor(ContextPtr context, const rlwe::SecretKey& key)
    : context_(std::move(context)), decryptor_(context_->rlwe(), key) {}

// With v = sum_i d_i * q_0*..*q_{i-1}, |d_i| <= q_i/2: the message is v / factor modulo t.
slots::Plaintext Decryptor::decrypt(const Ciphertext& ciphertext) const {
  const Parameters& parameters = context_->parameters();
  const slots::PlaintextModulus& t = parameters.t();
  rlwe::LimbMatrix digits = decryptor_.mixed_radix_phase(ciphertext.rlwe);
  slots::Plaintext result{t, std::vector<std::int64_t>(parameters.degree())};
  base::SecretVector<std::uint64_t> sums(parameters.degree());
  std::uint64_t weight = t.inverse(ciphertext.plaintext_factor);
  for (std::size_t i = 0; i < digits.limb_count(); ++i) {
    const std::uint64_t q = parameters.rlwe().q()[i].value();
    const auto by = t.factor(weight);
    const std::uint64_t minus_q = t.value() - 1 - t.reduce(q - 1);  // in [0, t)
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const std::uint64_t d = digits.limb(0, i)[k];
      const std::uint64_t above = std::uint64_t{0} - static_cast<std::uint64_t>(d > q / 2);
      const std::uint64_t residue = t.add(t.reduce(d), minus_q & above);
      sums[k] = t.add(sums[k], t.multiply(residue, by));
    }
    weight = t.multiply(weight, t.factor(t.reduce(q)));
  }
  digits.wipe();
  for (std::size_t k = 0; k < sums.size(); ++k) result.coefficients[k] = t.centred(sums[k]);
  return result;
}

}  // namespace heliodor::bgv
