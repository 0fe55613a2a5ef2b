// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a user of the installed library touches: schemes, targets, machine descriptions, files.
#include <heliodor/formats/container/object_reader.h>
#include <heliodor/formats/container/object_writer.h>
#include <heliodor/heliodor.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

using namespace heliodor;

namespace {

void multiply_on(const std::string& target) {
  const auto context = std::make_shared<bgv::Context>(
      bgv::Parameters::for_depth({.t = 65537, .depth = 1, .security = rlwe::SecurityLevel::none}),
      registry::make_target(target));
  rlwe::KeyGenerator keys(context->rlwe(), base::Seed::random());
  const rlwe::SecretKey secret = keys.secret_key();
  bgv::Encryptor encryptor(context, keys.public_key(secret), base::Seed::random());
  const bgv::Evaluator evaluator(context, keys.relinearization_keys(secret));
  const slots::SlotEncoder encoder(context->rlwe(), 65537);
  const std::int64_t values[] = {1, 2, 3};
  const bgv::Ciphertext x = encryptor.encrypt(encoder.encode(values));

  formats::ObjectWriter writer(context->rlwe()->parameters());
  writer.add(evaluator.multiply(x, x).rlwe);
  const auto bytes = writer.finish();
  const formats::ObjectReader reader(formats::Container::view(bytes));
  const bgv::Ciphertext product{reader.ciphertext(context->rlwe()->parameters(), 0),
                                evaluator.multiply(x, x).plaintext_factor};
  const auto squares = encoder.decode(bgv::Decryptor(context, secret).decrypt(product));
  std::cout << target << ' ' << squares[0] << ' ' << squares[1] << ' ' << squares[2] << '\n';
}

}  // namespace

int main() {
  multiply_on("cpu");
  multiply_on("machine:tutorial");
  try {
    registry::make_target("abacus");
  } catch (const Error& error) {
    std::cout << base::to_string(error.code()) << '\n';
  }
}
