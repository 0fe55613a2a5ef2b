// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/verifier.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "heliodor/program/internal/instruction_rules.h"
#include "heliodor/program/internal/names.h"

namespace heliodor::program {

namespace {

using base::Position;

class Verifier {
 public:
  explicit Verifier(const LimbProgram& program)
      : program_(program), used_(program.value_count(), false) {}

  base::Diagnostics run() {
    check_program();
    mark_uses();
    check_inputs();
    check_instructions();
    check_outputs();
    return std::move(diagnostics_);
  }

 private:
  void report(std::string message) { diagnostics_.push_back({position_, std::move(message)}); }

  void check_program();
  void mark_uses();
  void check_inputs();
  void check_instructions();
  void check_outputs();
  void check_name(const std::string& name, std::unordered_set<std::string_view>& names);
  void check_used(ValueId value);

  const LimbProgram& program_;
  std::vector<bool> used_;
  Position position_;
  base::Diagnostics diagnostics_;
};

void Verifier::check_program() {
  position_ = {Position::Kind::whole};
  if (auto fault = internal::name_fault(program_.name())) report("program " + *fault);
  if (program_.moduli().size() > kMaxModuli) {
    report(fmt::format("{} moduli exceed {}", program_.moduli().size(), kMaxModuli));
  }
  if (program_.outputs().empty()) report("the program has no output");
}

void Verifier::mark_uses() {
  const auto mark = [this](ValueId value) {
    if (value < used_.size()) used_[value] = true;
  };
  for (std::size_t i = 0; i < program_.instruction_count(); ++i) {
    for (const ValueId operand : program_.instruction(i).operands) mark(operand);
  }
  for (const Output& output : program_.outputs()) mark(output.value);
}

void Verifier::check_inputs() {
  std::unordered_set<std::string_view> names;
  for (std::size_t i = 0; i < program_.inputs().size(); ++i) {
    const Input& input = program_.inputs()[i];
    position_ = {Position::Kind::input, i};
    check_name(input.name, names);
    const ValueType type = program_.type(input.value);
    if (input.kind > InputKind::seed) {
      report(fmt::format("input kind {} is unknown", static_cast<unsigned>(input.kind)));
    } else if (input.kind == InputKind::seed && !type.is_seed()) {
      report("an input of kind seed has the type of a limb");
    } else if (input.kind != InputKind::seed && type.is_seed()) {
      report("a seed is not an input of kind seed");
    }
    if (!type.is_seed()) internal::check_limb_type(program_, type, position_, diagnostics_);
    check_used(input.value);
  }
}

void Verifier::check_instructions() {
  for (std::size_t i = 0; i < program_.instruction_count(); ++i) {
    position_ = {Position::Kind::instruction, i};
    check_used(program_.instruction(i).result);
    internal::check_instruction(program_, i, diagnostics_);
  }
}

void Verifier::check_outputs() {
  std::unordered_set<std::string_view> names;
  for (std::size_t i = 0; i < program_.outputs().size(); ++i) {
    const Output& output = program_.outputs()[i];
    position_ = {Position::Kind::output, i};
    check_name(output.name, names);
    if (output.value >= program_.value_count()) {
      report(fmt::format("%{} is not defined", output.value));
    } else if (program_.type(output.value).is_seed()) {
      report(fmt::format("%{} is a seed, an output is a limb", output.value));
    }
  }
}

void Verifier::check_name(const std::string& name, std::unordered_set<std::string_view>& names) {
  if (auto fault = internal::name_fault(name)) {
    report(*fault);
  } else if (!names.insert(name).second) {
    report(fmt::format("name \"{}\" is used before", name));
  }
}

void Verifier::check_used(ValueId value) {
  if (!used_[value]) report(fmt::format("%{} is never used", value));
}

}  // namespace

base::Diagnostics verify(const LimbProgram& program) { return Verifier(program).run(); }

}  // namespace heliodor::program
