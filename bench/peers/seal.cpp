// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <seal/seal.h>

#include <cmath>
#include <memory>

#include "bench/peers/peers.h"

namespace heliodor::peers {
namespace {

using cli::Operation;
using cli::OperationRow;
using cli::OperationSet;
using cli::Scheme;

struct Session {
  seal::SEALContext context;
  seal::KeyGenerator keys;
  seal::Encryptor encryptor;
  seal::Evaluator evaluator;
  seal::RelinKeys relinearization;
  seal::GaloisKeys rotation;

  explicit Session(const seal::EncryptionParameters& parameters, bool rotates)
      : context(parameters, true, seal::sec_level_type::none),
        keys(context),
        encryptor(context, public_key(keys)),
        evaluator(context) {
    keys.create_relin_keys(relinearization);
    if (rotates) keys.create_galois_keys(std::vector<int>{1}, rotation);
  }

  static seal::PublicKey public_key(seal::KeyGenerator& keys) {
    seal::PublicKey key;
    keys.create_public_key(key);
    return key;
  }
};

// The set's limbs and one special prime of their width.
seal::EncryptionParameters describe(seal::scheme_type scheme, const OperationSet& set) {
  seal::EncryptionParameters parameters(scheme);
  parameters.set_poly_modulus_degree(set.degree);
  parameters.set_coeff_modulus(seal::CoeffModulus::Create(
      set.degree, std::vector<int>(set.limbs + 1, static_cast<int>(set.bits))));
  return parameters;
}

OperationRow row(const char* scheme, const char* operation, const OperationSet& set,
                 std::size_t limbs) {
  OperationRow result;
  result.scheme = scheme;
  result.operation = operation;
  result.degree = set.degree;
  result.limbs = limbs;
  result.log_q = static_cast<double>(limbs * set.bits);
  result.log_p = set.bits;
  result.digits = limbs;
  result.method = rlwe::KeySwitchMethod::hybrid;
  return result;
}

std::vector<Operation> ckks(const OperationSet& set) {
  const auto session = std::make_shared<Session>(describe(seal::scheme_type::ckks, set), true);
  seal::CKKSEncoder encoder(session->context);
  seal::Plaintext plaintext;
  encoder.encode(std::vector<double>{1, 2, 3, 4}, std::exp2(static_cast<double>(set.bits) - 2),
                 plaintext);
  std::vector<Operation> operations;
  for (const std::size_t l : set.limb_counts) {
    seal::Ciphertext x, y, three;
    session->encryptor.encrypt(plaintext, x);
    while (x.coeff_modulus_size() > l) session->evaluator.mod_switch_to_next_inplace(x);
    y = x;
    session->evaluator.multiply(x, y, three);
    operations.push_back({row("ckks", "relinearize", set, l), [=] {
                            seal::Ciphertext result;
                            session->evaluator.relinearize(three, session->relinearization, result);
                          }});
    operations.push_back({row("ckks", "rotate", set, l), [=] {
                            seal::Ciphertext result;
                            session->evaluator.rotate_vector(x, 1, session->rotation, result);
                          }});
    operations.push_back({row("ckks", "multiply_rescale", set, l), [=] {
                            seal::Ciphertext result;
                            session->evaluator.multiply(x, y, result);
                            session->evaluator.relinearize_inplace(result,
                                                                   session->relinearization);
                            session->evaluator.rescale_to_next_inplace(result);
                          }});
  }
  return operations;
}

std::vector<Operation> bfv(const OperationSet& set) {
  seal::EncryptionParameters parameters = describe(seal::scheme_type::bfv, set);
  parameters.set_plain_modulus(65537);
  const auto session = std::make_shared<Session>(parameters, false);
  seal::Plaintext plaintext;
  seal::BatchEncoder(session->context).encode(std::vector<std::uint64_t>{1, 2, 3, 4}, plaintext);
  seal::Ciphertext x;
  session->encryptor.encrypt(plaintext, x);
  const seal::Ciphertext y = x;
  return {{row("bfv", "multiply", set, set.limbs), [=] {
             seal::Ciphertext result;
             session->evaluator.multiply(x, y, result);
             session->evaluator.relinearize_inplace(result, session->relinearization);
           }}};
}

}  // namespace

std::vector<Operation> seal_operations(const OperationSet& set) {
  switch (set.scheme) {
    case Scheme::ckks:
      return ckks(set);
    case Scheme::bfv:
      return bfv(set);
    case Scheme::bgv:
      break;
  }
  return {};
}

}  // namespace heliodor::peers
