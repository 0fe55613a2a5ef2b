// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// From the instructions of a trace, which work on names, to a LimbProgram.
//
// A trace may write a name again and again; each writing is a value of its own. A name read before
// it is written is an operand of the program. Traces do not say in which domain a value is, and of
// an operand not even its modulus. Both are found by inference:
//   modulus  an instruction states that of its result and, but for scale(), of its operands. An
//            operand that only scale() reads has the one modulus they state.
//   domain   a transform states both sides, scale() across moduli states coefficients on both,
//            pointwise instructions say that all they touch is in one domain. What remains open is
//            in evaluations, where nearly all of a computation happens.
// Contradictions are faults. What no output needs is left out.
//
// Every method throws Fault. Requires of each modulus index that it is below the number of moduli.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/base/error.h"
#include "heliodor/formats/trace/internal/classes.h"
#include "heliodor/formats/trace/internal/line_reader.h"
#include "heliodor/program/limb_program.h"

namespace heliodor::formats::trace::internal {

class Dataflow {
 public:
  /// The values that modulus indices stand for, for messages and for immediates.
  explicit Dataflow(std::vector<std::uint64_t> moduli) : moduli_(std::move(moduli)) {}

  /// Inputs stand in the order of declaration or, without one, of first reading. The name must not
  /// have been read or written before.
  void declare_input(const Name& name, program::InputKind kind, std::string label,
                     std::uint32_t modulus, std::optional<program::Domain> domain);
  /// What the name stands for at this point. Where no output is declared, outputs are what names
  /// stand for at the end that nothing has read, in the order of writing.
  void declare_output(const Name& name, std::string label);

  // Instructions. Operands are read before the result is written: they may have the same name.

  /// add, sub, neg, mul, or add_scalar with `scalar`.
  void pointwise(program::LimbOp op, const Name& result, std::span<const Name> operands,
                 std::uint32_t modulus, std::uint64_t scalar = 0);
  /// The integer x in [0, q_x) times c, modulo `modulus`.
  void scale(const Name& result, const Name& x, std::uint64_t c, std::uint32_t modulus);
  /// Zeros, of the modulus that uses of the result state where this does not.
  void zero(const Name& result, std::optional<std::uint32_t> modulus);
  /// ntt or intt.
  void transform(program::LimbOp op, const Name& result, const Name& x, std::uint32_t modulus);
  /// X -> X^g for odd g; g is taken modulo 2N.
  void permute(const Name& result, const Name& x, std::uint64_t g,
               std::optional<std::uint32_t> modulus, program::Domain domain);
  void copy(const Name& result, const Name& x);

  /// The program over `moduli`, whose values are those given to the constructor. Also throws what
  /// Builder::build() does.
  program::LimbProgram finish(std::vector<ring::Modulus> moduli, std::string program_name);

 private:
  using Node = std::uint32_t;
  static constexpr Node kNone = 0xffffffff;

  struct Binding {
    Node node;
    bool read;
    bool input;
    std::size_t written;  ///< counts writings
  };

  struct Input {
    Node node;
    program::InputKind kind;
    std::string label;
    bool declared;
  };

  struct Output {
    Node node;
    std::string label;
  };

  struct Step {
    program::LimbOp op;
    Node result;
    std::array<Node, 2> operands;  // kNone where there is none; a scaling of none is a zero
    std::uint64_t argument;        // scalar or Galois element
    base::Position place;
  };

  struct NameHash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  class Emitter;

  Node add_node(const base::Position& place);
  Node read(const Name& name);
  Node append(program::LimbOp op, const Name& result, std::array<Node, 2> operands,
              std::uint64_t argument);
  void set_modulus(Node node, const Name& name, std::optional<std::uint32_t> modulus);
  void set_domain(Node node, std::string_view name, const base::Position& place,
                  program::Domain domain);
  void join_domains(Node node, Node other, const Name& name);

  void infer_scalings();
  void infer_scaling(const Step& step);
  program::ValueType type(Node node);
  std::vector<Output> outputs() const;
  std::vector<bool> needed(const std::vector<Output>& outputs) const;

  std::vector<std::uint64_t> moduli_;
  std::unordered_map<std::string, Binding, NameHash, std::equal_to<>> bindings_;
  std::size_t writings_ = 0;
  std::vector<Input> inputs_;
  std::vector<Output> declared_outputs_;
  std::vector<Step> steps_;

  // By node.
  std::vector<base::Position> places_;
  Classes<std::uint32_t> modulus_of_;
  Classes<program::Domain> domain_of_;
  std::vector<bool> assumed_;  // by class of modulus_of_: known only from a scale() that reads it
};

/// What `import` returns, or the diagnostic of the Fault or Error that it throws.
template <typename Import>
base::Result<program::LimbProgram> diagnosed(Import import) {
  try {
    return import();
  } catch (const Fault& fault) {
    return base::Diagnostics{{fault.place, fault.message}};
  } catch (const Error& error) {
    std::string message = error.what();  // a list of diagnostics ends its lines
    if (message.ends_with('\n')) message.pop_back();
    return base::Diagnostics{{{}, std::move(message)}};
  }
}

}  // namespace heliodor::formats::trace::internal
