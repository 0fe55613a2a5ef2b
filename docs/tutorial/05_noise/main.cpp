// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <heliodor/heliodor.h>

#include <iomanip>
#include <iostream>

using namespace heliodor;

namespace {

// log2 of the largest coefficient of the phase: what really is there, where bounds say what could
// be. It needs the secret key, and publishing it would leak that key.
double measured_phase_log2(const rlwe::Decryptor& decryptor, const bgv::Context& context,
                           const bgv::Ciphertext& x) {
  const rlwe::LimbMatrix zero(1, x.limb_count(), context.parameters().degree());
  return rlwe::measured_noise_log2_for_debugging(decryptor, context.parameters().rlwe(), x.rlwe,
                                                 zero);
}

}  // namespace

int main() {
  const auto context = std::make_shared<bgv::Context>(
      bgv::Parameters::for_depth({.t = 65537, .depth = 3}), registry::make_target("cpu"));
  // A test seed gives the same keys and errors every time. Keys that protect something take a
  // base::Seed, which is another type.
  rlwe::KeyGenerator generator(context->rlwe(), base::TestSeed(1));
  const rlwe::SecretKey secret = generator.secret_key();
  bgv::Encryptor encryptor(context, generator.public_key(secret), base::TestSeed(2));
  bgv::Evaluator evaluator(context, generator.relinearization_keys(secret));
  // Methods differ in noise, and which one is the cheapest depends on the machine: fix it, so that
  // everyone sees the same bounds.
  evaluator.planner().force(rlwe::KeySwitchMethod::hybrid);
  const rlwe::Decryptor decryptor(context->rlwe(), secret);
  const slots::SlotEncoder encoder(context->rlwe(), 65537);

  const std::int64_t values[] = {3};
  bgv::Ciphertext x = encryptor.encrypt(encoder.encode(values));
  std::cout << "            limbs  measured  bound  limit (log2)\n" << std::fixed;
  const auto print = [&](int power) {
    const auto limit = context->parameters().rlwe().phase_limit(x.limb_count());
    std::cout << "x^" << std::left << std::setw(10) << power << std::right << std::setw(5)
              << x.limb_count() << std::setprecision(1) << std::setw(10)
              << measured_phase_log2(decryptor, *context, x) << std::setw(7)
              << x.rlwe.bounds.phase.log2() << std::setw(7) << limit.log2() << '\n';
  };
  print(1);
  try {
    for (int power = 2;; power *= 2) {
      x = evaluator.square(x);
      print(power);
    }
  } catch (const Error& error) {
    std::cout << to_string(error.code()) << ": " << error.what() << '\n';
  }
  const auto last = encoder.decode(bgv::Decryptor(context, secret).decrypt(x));
  std::cout << "the last ciphertext decrypts to " << last[0] << '\n';
}
