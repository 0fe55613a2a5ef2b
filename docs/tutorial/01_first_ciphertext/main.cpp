// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <heliodor/heliodor.h>

#include <iostream>

using namespace heliodor;

int main() {
  // What is computed: one multiplication in a row, modulo 65537, at 128 bits of security (the
  // default). Where: on the fastest kernels of this CPU.
  const auto parameters = bgv::Parameters::for_depth({.t = 65537, .depth = 1});
  const auto context = std::make_shared<bgv::Context>(parameters, registry::make_target("cpu"));
  std::cout << "degree " << parameters.degree() << ", " << parameters.rlwe().q().size()
            << " limbs, " << to_string(parameters.rlwe().security()) << " security\n";

  // The owner of the data makes keys. The secret key stays with the owner.
  rlwe::KeyGenerator generator(context->rlwe(), base::Seed::random());
  const rlwe::SecretKey secret = generator.secret_key();
  const rlwe::PublicKey public_key = generator.public_key(secret);
  const rlwe::RelinearizationKeys relinearization = generator.relinearization_keys(secret);

  // Whoever has the public key encrypts: many numbers, one in each slot.
  const slots::SlotEncoder encoder(context->rlwe(), 65537);
  bgv::Encryptor encryptor(context, public_key, base::Seed::random());
  const std::int64_t prices[] = {12, 7, -3, 100};
  const std::int64_t amounts[] = {2, 5, 10, 41};
  const bgv::Ciphertext x = encryptor.encrypt(encoder.encode(prices));
  const bgv::Ciphertext y = encryptor.encrypt(encoder.encode(amounts));

  // A server without any secret computes x*y + x, on all slots at once.
  const bgv::Evaluator evaluator(context, relinearization);
  const bgv::Ciphertext result = evaluator.add(evaluator.multiply(x, y), x);

  // The owner decrypts.
  const bgv::Decryptor decryptor(context, secret);
  const auto values = encoder.decode_centred(decryptor.decrypt(result));
  for (std::size_t i = 0; i < 4; ++i) {
    std::cout << prices[i] << " * " << amounts[i] << " + " << prices[i] << " = " << values[i]
              << '\n';
  }
}
