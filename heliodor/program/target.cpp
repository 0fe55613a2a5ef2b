// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/target.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "heliodor/base/check.h"
#include "heliodor/base/error.h"
#include "heliodor/program/verifier.h"

namespace heliodor::program {

namespace {

// Whose spans a check is about; named only when one is wrong, as a run may take microseconds.
struct Owner {
  std::optional<std::size_t> binding;  // none: what the batch shares

  std::string name() const { return binding ? fmt::format("binding {}", *binding) : "shared"; }
};

void check_count(Owner owner, std::string_view what, std::size_t count, std::size_t expected) {
  if (count == expected) return;
  throw Error(ErrorCode::mismatch, fmt::format("{} {} count {} differs from the program's {}",
                                               owner.name(), what, count, expected));
}

void check_words(Owner owner, std::string_view what, const std::string& name, std::size_t words,
                 std::uint64_t degree) {
  if (words == degree) return;
  throw Error(ErrorCode::mismatch, fmt::format("{} {} \"{}\" has {} words, the degree is {}",
                                               owner.name(), what, name, words, degree));
}

/// The limbs of one kind of input, in program order: `kinds` says whether an input belongs to them.
template <typename Kinds>
void check_limbs(const LimbProgram& program, Owner owner, std::string_view what, Kinds kinds,
                 std::span<const std::span<const std::uint64_t>> limbs) {
  std::size_t expected = 0;
  for (const Input& input : program.inputs()) expected += kinds(input.kind) ? 1 : 0;
  check_count(owner, what, limbs.size(), expected);
  std::size_t next = 0;
  for (const Input& input : program.inputs()) {
    if (!kinds(input.kind)) continue;
    const std::span<const std::uint64_t> words = limbs[next++];
    check_words(owner, what, input.name, words.size(), program.degree());
    HELIODOR_CHECK_RANGE(fmt::format("{} {} \"{}\"", owner.name(), what, input.name).c_str(), words,
                         program.modulus(input.value).value());
  }
}

void check_binding(const LimbProgram& program, Owner owner, const Binding& binding) {
  check_limbs(
      program, owner, "operand", [](InputKind kind) { return kind == InputKind::operand; },
      binding.operands);
  check_count(owner, "output", binding.outputs.size(), program.outputs().size());
  for (std::size_t i = 0; i < binding.outputs.size(); ++i) {
    check_words(owner, "output", program.outputs()[i].name, binding.outputs[i].size(),
                program.degree());
  }
}

void check_shared(const LimbProgram& program, const SharedBinding& shared) {
  const auto is_shared_limb = [](InputKind kind) {
    return kind == InputKind::key || kind == InputKind::constant;
  };
  check_limbs(program, Owner{}, "limb", is_shared_limb, shared.limbs);
  std::size_t seeds = 0;
  for (const Input& input : program.inputs()) seeds += input.kind == InputKind::seed ? 1 : 0;
  check_count(Owner{}, "seed", shared.seeds.size(), seeds);
}

}  // namespace

void Plan::check_batch(std::span<const Binding> batch) const {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    check_binding(*program_, Owner{i}, batch[i]);
  }
}

RunReport Plan::run(std::span<const Binding> batch, const SharedBinding& shared) const {
  check_shared(*program_, shared);
  check_batch(batch);
  if (batch.empty()) return {};
  return do_run(batch, shared);
}

std::unique_ptr<const LoadedShared> Plan::load(SharedBinding shared) const {
  check_shared(*program_, shared);
  std::unique_ptr<LoadedShared> loaded = do_load(std::move(shared));
  loaded->plan_ = this;
  return loaded;
}

RunReport Plan::run(std::span<const Binding> batch, const LoadedShared& shared) const {
  if (shared.plan_ != this) {
    throw Error(ErrorCode::mismatch,
                fmt::format("what is shared was loaded by another plan than that of \"{}\"",
                            program_->name()));
  }
  check_batch(batch);
  if (batch.empty()) return {};
  return do_run_loaded(batch, shared);
}

std::unique_ptr<const Plan> Target::plan(LimbProgram program) const {
  const base::Diagnostics diagnostics = verify(program);
  if (!diagnostics.empty()) {
    throw Error(ErrorCode::invalid_program, to_string(diagnostics, program.name()));
  }
  if (const auto reason = refusal(program)) {
    throw Error(ErrorCode::unsupported, fmt::format("target {}: {}", name(), *reason));
  }
  return do_plan(std::make_shared<const LimbProgram>(std::move(program)));
}

}  // namespace heliodor::program
