// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Operand: a ciphertext as the caller gave it, or one made from it by matching. No limbs are copied
// where nothing has to be made.
#pragma once

#include <optional>
#include <utility>

#include "heliodor/schemes/ckks/evaluator.h"

namespace heliodor::ckks {

namespace internal {

/// Throws Error{mismatch} with both unless they are equal.
void check_scales(const Scale& a, const Scale& b);

}  // namespace internal

class Evaluator::Operand {
 public:
  /// Keeps a reference.
  explicit Operand(const Ciphertext& given) : given_(&given) {}
  explicit Operand(Ciphertext&& made) : made_(std::move(made)) {}

  const Ciphertext& operator*() const noexcept { return made_ ? *made_ : *given_; }
  const Ciphertext* operator->() const noexcept { return &**this; }

 private:
  std::optional<Ciphertext> made_;
  const Ciphertext* given_ = nullptr;
};

}  // namespace heliodor::ckks
