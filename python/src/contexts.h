// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Context of each scheme as Python holds it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/base/random.h"
#include "heliodor/rlwe/context.h"
#include "heliodor/schemes/bfv/encryption.h"
#include "heliodor/schemes/bfv/evaluator.h"
#include "heliodor/schemes/bgv/encryption.h"
#include "heliodor/schemes/bgv/evaluator.h"
#include "heliodor/schemes/ckks/encryption.h"
#include "heliodor/schemes/ckks/evaluator.h"
#include "heliodor/schemes/slots/slot_encoder.h"

namespace heliodor::python {

/// What keys and files need of a context, whatever its scheme.
struct AnyContext {
  virtual ~AnyContext() = default;

  std::string scheme;  ///< "bgv", "bfv" or "ckks", as in the metadata of files
  rlwe::ContextPtr rlwe;
};

struct Bgv {
  static constexpr const char* kName = "bgv";
  using Parameters = bgv::Parameters;
  using Context = bgv::Context;
  using Ciphertext = bgv::Ciphertext;
  using Encryptor = bgv::Encryptor;
  using Decryptor = bgv::Decryptor;
  using Evaluator = bgv::Evaluator;
};

struct Bfv {
  static constexpr const char* kName = "bfv";
  using Parameters = bfv::Parameters;
  using Context = bfv::Context;
  using Ciphertext = bfv::Ciphertext;
  using Encryptor = bfv::Encryptor;
  using Decryptor = bfv::Decryptor;
  using Evaluator = bfv::Evaluator;
};

/// Of BGV or BFV, with an encoder of slots.
template <typename Scheme>
class SlotContext : public AnyContext {
 public:
  SlotContext(const typename Scheme::Parameters& parameters,
              std::shared_ptr<const program::Target> target)
      : context_(std::make_shared<const typename Scheme::Context>(parameters, std::move(target))) {
    scheme = Scheme::kName;
    rlwe = context_->rlwe();
    try {
      encoder_.emplace(rlwe, t().value());
    } catch (const Error& error) {
      // Some plaintext moduli have no slots, only coefficients.
      if (error.code() != ErrorCode::invalid_modulus) throw;
    }
  }

  const std::shared_ptr<const typename Scheme::Context>& get() const { return context_; }
  const typename Scheme::Parameters& parameters() const { return context_->parameters(); }
  const slots::PlaintextModulus& t() const { return parameters().t(); }

  slots::Plaintext encode(std::span<const std::int64_t> values) const {
    return encoder().encode(values);
  }
  std::vector<std::int64_t> decode(const slots::Plaintext& plaintext, bool centred) const {
    if (centred) return encoder().decode_centred(plaintext);
    const std::vector<std::uint64_t> values = encoder().decode(plaintext);
    return {values.begin(), values.end()};
  }

 private:
  const slots::SlotEncoder& encoder() const {
    if (!encoder_) slots::SlotEncoder(rlwe, t().value());  // throws: says why there are no slots
    return *encoder_;
  }

  std::shared_ptr<const typename Scheme::Context> context_;
  std::optional<slots::SlotEncoder> encoder_;
};

class CkksContext : public AnyContext {
 public:
  CkksContext(const ckks::Parameters& parameters, std::shared_ptr<const program::Target> target)
      : context_(ckks::make_context(parameters, std::move(target))) {
    scheme = "ckks";
    rlwe = context_->rlwe();
  }

  const ckks::ContextPtr& get() const { return context_; }
  const ckks::Parameters& parameters() const { return context_->parameters(); }

 private:
  ckks::ContextPtr context_;
};

/// What a reproducible seed makes, or else one from the operating system.
template <typename Make>
auto with_seed(const std::optional<std::uint64_t>& test_seed, const Make& make) {
  return test_seed ? make(base::TestSeed(*test_seed)) : make(base::Seed::random());
}

/// Keys that an evaluator takes, from None too.
template <typename Keys>
Keys copy_or_none(const Keys* keys) {
  return keys != nullptr ? *keys : Keys{};
}

}  // namespace heliodor::python
