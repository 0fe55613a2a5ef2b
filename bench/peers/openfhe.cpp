// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <openfhe.h>

#include <cmath>
#include <memory>
#include <utility>

#include "bench/peers/peers.h"

namespace heliodor::peers {
namespace {

using cli::Operation;
using cli::OperationRow;
using cli::OperationSet;
using cli::Scheme;
using Context = lbcrypto::CryptoContext<lbcrypto::DCRTPoly>;
using Ciphertext = lbcrypto::Ciphertext<lbcrypto::DCRTPoly>;
using Keys = lbcrypto::KeyPair<lbcrypto::DCRTPoly>;

// What all schemes have in common. `limbs` of about `bits` bits.
template <typename Parameters>
void describe(Parameters& parameters, const OperationSet& set) {
  parameters.SetRingDim(static_cast<std::uint32_t>(set.degree));
  parameters.SetSecurityLevel(lbcrypto::HEStd_NotSet);
  if (set.digits == set.limbs) {
    parameters.SetKeySwitchTechnique(lbcrypto::BV);
    parameters.SetDigitSize(0);
  } else {
    parameters.SetKeySwitchTechnique(lbcrypto::HYBRID);
    parameters.SetNumLargeDigits(static_cast<std::uint32_t>(set.digits));
  }
}

struct Session {
  Context context;
  Keys keys;
  lbcrypto::Plaintext plaintext;

  explicit Session(Context made, bool rotates, const std::vector<std::int64_t>& values)
      : context(std::move(made)) {
    lbcrypto::OpenFHEParallelControls.Disable();  // one thread
    context->Enable(lbcrypto::PKE);
    context->Enable(lbcrypto::KEYSWITCH);
    context->Enable(lbcrypto::LEVELEDSHE);
    keys = context->KeyGen();
    context->EvalMultKeyGen(keys.secretKey);
    if (rotates) context->EvalRotateKeyGen(keys.secretKey, {1});
    plaintext =
        rotates
            ? context->MakeCKKSPackedPlaintext(std::vector<double>(values.begin(), values.end()))
            : context->MakeCoefPackedPlaintext(values);
  }

  Ciphertext encrypt() const { return context->Encrypt(keys.publicKey, plaintext); }
};

const std::vector<std::int64_t> kValues = {1, 0, 1};

OperationRow row(const char* scheme, const char* operation, const OperationSet& set,
                 const Ciphertext& ciphertext) {
  OperationRow result;
  result.scheme = scheme;
  result.operation = operation;
  result.degree = set.degree;
  const auto& element = ciphertext->GetElements()[0];
  result.limbs = element.GetNumOfElements();
  for (const auto& tower : element.GetAllElements()) {
    result.log_q += std::log2(tower.GetModulus().ConvertToDouble());
  }
  result.digits = set.digits;
  result.method =
      set.digits == set.limbs ? rlwe::KeySwitchMethod::bv : rlwe::KeySwitchMethod::hybrid;
  return result;
}

std::vector<Operation> ckks(const OperationSet& set) {
  lbcrypto::CCParams<lbcrypto::CryptoContextCKKSRNS> parameters;
  describe(parameters, set);
  parameters.SetMultiplicativeDepth(static_cast<std::uint32_t>(set.limbs - 1));
  parameters.SetScalingModSize(set.bits);
  parameters.SetFirstModSize(set.bits + 1);
  parameters.SetScalingTechnique(lbcrypto::FIXEDMANUAL);
  const auto session =
      std::make_shared<const Session>(lbcrypto::GenCryptoContext(parameters), true, kValues);
  std::vector<Operation> operations;
  for (const std::size_t l : set.limb_counts) {
    Ciphertext x = session->encrypt(), y = session->encrypt();
    if (l < set.limbs) {
      session->context->LevelReduceInPlace(x, nullptr, set.limbs - l);
      session->context->LevelReduceInPlace(y, nullptr, set.limbs - l);
    }
    const Ciphertext three = session->context->EvalMultNoRelin(x, y);
    operations.push_back(
        {row("ckks", "relinearize", set, x), [=] { session->context->Relinearize(three); }});
    operations.push_back(
        {row("ckks", "rotate", set, x), [=] { session->context->EvalRotate(x, 1); }});
    operations.push_back({row("ckks", "multiply_rescale", set, x), [=] {
                            const Ciphertext product = session->context->EvalMult(x, y);
                            session->context->Rescale(product);
                          }});
  }
  return operations;
}

std::vector<Operation> multiply(const char* scheme, const OperationSet& set,
                                const Context& context) {
  const auto session = std::make_shared<const Session>(context, false, kValues);
  const Ciphertext x = session->encrypt(), y = session->encrypt();
  return {{row(scheme, "multiply", set, x), [=] { session->context->EvalMult(x, y); }}};
}

}  // namespace

std::vector<Operation> openfhe_operations(const OperationSet& set) {
  if (set.scheme == Scheme::ckks) return ckks(set);
  if (set.scheme == Scheme::bgv) {
    lbcrypto::CCParams<lbcrypto::CryptoContextBGVRNS> parameters;
    describe(parameters, set);
    // Its moduli are 1 modulo 2N and t: few of 30 bits are where t is large. Time depends on
    // neither.
    parameters.SetPlaintextModulus(3);
    parameters.SetMultiplicativeDepth(static_cast<std::uint32_t>(set.limbs - 1));
    parameters.SetScalingTechnique(lbcrypto::FIXEDMANUAL);
    parameters.SetScalingModSize(set.bits);
    parameters.SetFirstModSize(set.bits);
    return multiply("bgv", set, lbcrypto::GenCryptoContext(parameters));
  }
  lbcrypto::CCParams<lbcrypto::CryptoContextBFVRNS> parameters;
  describe(parameters, set);
  parameters.SetPlaintextModulus(65537);
  parameters.SetScalingModSize(60);
  // OpenFHE derives the limbs of BFV from the depth; the row's log Q says what came of it.
  parameters.SetMultiplicativeDepth(set.degree <= 8192 ? 1 : 17);
  return multiply("bfv", set, lbcrypto::GenCryptoContext(parameters));
}

}  // namespace heliodor::peers
