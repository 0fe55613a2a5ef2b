// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <heliodor/heliodor.h>

#include <iostream>

using namespace heliodor;

int main() {
  const auto context = std::make_shared<bgv::Context>(
      bgv::Parameters::for_depth({.t = 65537, .depth = 1}), registry::make_target("cpu"));
  const std::uint64_t degree = context->parameters().degree();
  rlwe::KeyGenerator generator(context->rlwe(), base::Seed::random());
  const rlwe::SecretKey secret = generator.secret_key();

  // Every rotation needs a key of its own, named by its Galois element.
  std::vector<std::uint64_t> elements;
  for (const std::int64_t steps : {1, 2, 4, -1}) {
    elements.push_back(ring::galois_element_of_rotation(steps, degree));
  }
  bgv::Evaluator evaluator(context, {}, generator.galois_keys(secret, elements));
  bgv::Encryptor encryptor(context, generator.public_key(secret), base::Seed::random());
  const bgv::Decryptor decryptor(context, secret);
  const slots::SlotEncoder encoder(context->rlwe(), 65537);

  const auto print = [&](const char* name, const bgv::Ciphertext& x) {
    const auto values = encoder.decode(decryptor.decrypt(x));
    std::cout << name;
    for (std::size_t i = 0; i < 8; ++i) std::cout << ' ' << values[i];
    std::cout << " .. " << values[degree / 2 - 1] << '\n';
  };
  const std::int64_t values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const bgv::Ciphertext x = encryptor.encrypt(encoder.encode(values));
  print("x            ", x);
  print("left by 1    ", evaluator.rotate_rows(x, 1));
  print("right by 1   ", evaluator.rotate_rows(x, -1));
  print("sums of 8    ", evaluator.inner_sum(x, 8));

  // Several rotations of one ciphertext share its digits, the dearer half of a key switch. With
  // one method for both ways, the results are the same words.
  evaluator.planner().force(rlwe::KeySwitchMethod::hybrid);
  const std::int64_t steps[] = {1, 2, 4, -1};
  const auto hoisted = evaluator.rotate_rows(x, steps);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < hoisted.size(); ++i) {
    if (hoisted[i].rlwe.limbs == evaluator.rotate_rows(x, steps[i]).rlwe.limbs) ++equal;
  }
  std::cout << equal << " of " << hoisted.size() << " hoisted rotations have equal limbs\n";

  try {
    evaluator.rotate_rows(x, 3);
  } catch (const Error& error) {
    std::cout << to_string(error.code()) << ": " << error.what() << '\n';
  }
}
