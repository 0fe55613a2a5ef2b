// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <heliodor/heliodor.h>

#include <iostream>

using namespace heliodor;

int main() {
  const auto context = std::make_shared<bgv::Context>(
      bgv::Parameters::for_depth({.t = 65537, .depth = 1}), registry::make_target("cpu"));
  rlwe::KeyGenerator generator(context->rlwe(), base::Seed::random());
  const rlwe::SecretKey secret = generator.secret_key();
  bgv::Encryptor encryptor(context, secret, base::Seed::random());
  const bgv::Evaluator evaluator(context, generator.relinearization_keys(secret));
  const bgv::Decryptor decryptor(context, secret);
  const slots::SlotEncoder encoder(context->rlwe(), 65537);

  // Eight pairs; slot i of pair k holds k + i and k - i.
  std::vector<bgv::Ciphertext> left;
  std::vector<bgv::Ciphertext> right;
  const auto slot_count = static_cast<std::int64_t>(encoder.slot_count());
  for (std::int64_t k = 0; k < 8; ++k) {
    std::vector<std::int64_t> sums;
    std::vector<std::int64_t> differences;
    for (std::int64_t i = 0; i < slot_count; ++i) {
      sums.push_back(k + i);
      differences.push_back(k - i);
    }
    left.push_back(encryptor.encrypt(encoder.encode(sums)));
    right.push_back(encryptor.encrypt(encoder.encode(differences)));
  }

  // One run for all products: every word of the relinearization key is read once, not eight times.
  const std::vector<bgv::Ciphertext> products = evaluator.multiply(left, right);

  std::size_t right_slots = 0;
  std::size_t equal_limbs = 0;
  for (std::int64_t k = 0; k < 8; ++k) {
    const auto index = static_cast<std::size_t>(k);
    const auto values = encoder.decode(decryptor.decrypt(products[index]));
    for (std::int64_t i = 0; i < slot_count; ++i) {
      const std::int64_t expected = ((k * k - i * i) % 65537 + 65537) % 65537;
      if (values[static_cast<std::size_t>(i)] == static_cast<std::uint64_t>(expected)) {
        ++right_slots;
      }
    }
    // A batch changes the time and nothing else: the single product has the same words.
    const bgv::Ciphertext single = evaluator.multiply(left[index], right[index]);
    if (single.rlwe.limbs == products[index].rlwe.limbs) ++equal_limbs;
  }
  std::cout << right_slots << " of " << 8 * slot_count << " slots are right\n";
  std::cout << equal_limbs << " of 8 products have the limbs of single ones\n";
}
