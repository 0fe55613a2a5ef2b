// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <heliodor/formats/mapped_file.h>
#include <heliodor/formats/openfhe/codec.h>
#include <heliodor/formats/openfhe/convert.h>
#include <heliodor/heliodor.h>

#include <iostream>

using namespace heliodor;
namespace openfhe = formats::openfhe;

namespace {

template <typename Object>
const Object& object(const openfhe::File& file) {
  return *std::get<std::shared_ptr<Object>>(file.object);
}

}  // namespace

int main() {
  const formats::MappedFile secret_bytes("tests/vectors/ecosystem/bgvbv.sk.bin");
  const formats::MappedFile bytes("tests/vectors/ecosystem/bgvbv.ct.bin");
  const openfhe::File secret_file = openfhe::parse(secret_bytes.bytes());
  openfhe::File file = openfhe::parse(bytes.bytes());

  // The parameters of these test files are not secure, so that has to be asked for by name.
  auto description = openfhe::description(openfhe::context_of(file));
  description.security = rlwe::SecurityLevel::none;
  const auto context = std::make_shared<bgv::Context>(bgv::Parameters(description, 65537),
                                                      registry::make_target("cpu"));
  const rlwe::Parameters& parameters = context->parameters().rlwe();
  const rlwe::SecretKey secret =
      openfhe::to_secret_key(object<openfhe::SecretKey>(secret_file), parameters);
  const auto& theirs = object<openfhe::Ciphertext>(file);
  bgv::Ciphertext x{openfhe::to_ciphertext(theirs, parameters), theirs.scaling_factor_int};
  // Files hold no noise bounds. This ciphertext is fresh: 40 bits are more than it has.
  x.rlwe.bounds = {rlwe::NoiseBound::of_log2(40), rlwe::NoiseBound::of_log2(40)};

  const slots::SlotEncoder encoder(context->rlwe(), 65537);
  const bgv::Decryptor decryptor(context, secret);
  const auto print = [&](const char* name, const bgv::Ciphertext& y) {
    const auto values = encoder.decode(decryptor.decrypt(y));
    std::cout << name;
    for (std::size_t i = 0; i < 5; ++i) std::cout << ' ' << values[i];
    std::cout << '\n';
  };
  print("from OpenFHE:", x);
  const bgv::Ciphertext doubled = bgv::Evaluator(context).add(x, x);
  print("doubled:", doubled);

  // Back into a file that OpenFHE reads, with context, key tag and counters of the first one.
  file.object = std::make_shared<openfhe::Ciphertext>(
      openfhe::from_ciphertext(doubled.rlwe, parameters, theirs));
  formats::write_file("doubled.bin", openfhe::write(file));
  std::cout << "doubled.bin is written\n";
}
