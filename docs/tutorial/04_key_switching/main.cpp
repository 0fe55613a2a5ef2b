// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <heliodor/heliodor.h>

#include <iostream>

using namespace heliodor;

int main() {
  // Enough depth for digits of several limbs, where the three methods differ.
  auto description = bgv::Parameters::for_depth({.t = 65537, .depth = 6}).rlwe().description();
  // A second way to cut ciphertexts into digits: one per limb and no special primes, which is bv.
  const std::size_t limb_count = description.q.size();
  description.gadgets.push_back(
      {.digit_size = 1, .special_count = 0, .max_limb_count = limb_count});
  const auto context = std::make_shared<bgv::Context>(bgv::Parameters(description, 65537),
                                                      registry::make_target("cpu"));

  rlwe::KeyGenerator generator(context->rlwe(), base::Seed::random());
  const rlwe::SecretKey secret = generator.secret_key();
  const rlwe::RelinearizationKeys keys = generator.relinearization_keys(secret);
  bgv::Encryptor encryptor(context, generator.public_key(secret), base::Seed::random());
  const bgv::Decryptor decryptor(context, secret);
  const slots::SlotEncoder encoder(context->rlwe(), 65537);
  const std::int64_t values[] = {3, 5, 8, 13};
  const bgv::Ciphertext x = encryptor.encrypt(encoder.encode(values));

  // The planner asks the target what each method would cost and takes the cheapest.
  const bgv::Ciphertext chosen = bgv::Evaluator(context, keys).square(x);

  const auto squared_by = [&](rlwe::KeySwitchMethod method) {
    bgv::Evaluator evaluator(context, keys);
    evaluator.planner().force(method);
    return evaluator.square(x);
  };
  const bgv::Ciphertext bv = squared_by(rlwe::KeySwitchMethod::bv);
  const bgv::Ciphertext hybrid = squared_by(rlwe::KeySwitchMethod::hybrid);
  const bgv::Ciphertext klss = squared_by(rlwe::KeySwitchMethod::klss);

  const auto print = [&](const char* name, const bgv::Ciphertext& y) {
    const auto squares = encoder.decode(decryptor.decrypt(y));
    std::cout << name;
    for (std::size_t i = 0; i < 4; ++i) std::cout << ' ' << squares[i];
    std::cout << '\n';
  };
  print("chosen", chosen);
  print("bv    ", bv);
  print("hybrid", hybrid);
  print("klss  ", klss);
  const auto equal = [](const bgv::Ciphertext& a, const bgv::Ciphertext& b) {
    return a.rlwe.limbs == b.rlwe.limbs ? "equal" : "different";
  };
  std::cout << "limbs of klss and hybrid: " << equal(klss, hybrid) << '\n';
  std::cout << "limbs of bv and hybrid: " << equal(bv, hybrid) << '\n';
}
