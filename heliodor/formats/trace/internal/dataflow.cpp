// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/trace/internal/dataflow.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "heliodor/program/builder.h"

namespace heliodor::formats::trace::internal {

using program::Domain;
using program::InputKind;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;
using program::ValueType;

namespace {

const char* name_of(Domain domain) {
  return domain == Domain::coeff ? "coefficients" : "evaluations";
}

}  // namespace

void Dataflow::declare_input(const Name& name, InputKind kind, std::string label,
                             std::uint32_t modulus, std::optional<Domain> domain) {
  if (bindings_.contains(name.text)) {
    throw Fault{name.place, fmt::format("{} is used before", name.text)};
  }
  const Node node = add_node(name.place);
  modulus_of_.set(node, modulus);
  if (domain) domain_of_.set(node, *domain);
  inputs_.push_back({node, kind, std::move(label), true});
  bindings_.emplace(name.text, Binding{node, false, true, 0});
}

void Dataflow::declare_output(const Name& name, std::string label) {
  const auto found = bindings_.find(name.text);
  if (found == bindings_.end()) {
    throw Fault{name.place, fmt::format("{} is not defined", name.text)};
  }
  declared_outputs_.push_back({found->second.node, std::move(label)});
}

void Dataflow::pointwise(LimbOp op, const Name& result, std::span<const Name> operands,
                         std::uint32_t modulus, std::uint64_t scalar) {
  std::array<Node, 2> nodes{kNone, kNone};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    nodes[k] = read(operands[k]);
    set_modulus(nodes[k], operands[k], modulus);
    join_domains(nodes[k], nodes[0], operands[k]);
  }
  const Node node = append(op, result, nodes, scalar % moduli_[modulus]);
  set_modulus(node, result, modulus);
  join_domains(node, nodes[0], result);
}

void Dataflow::scale(const Name& result, const Name& x, std::uint64_t c, std::uint32_t modulus) {
  const Node operand = read(x);
  const Node node = append(LimbOp::mul_scalar, result, {operand, kNone}, c % moduli_[modulus]);
  set_modulus(node, result, modulus);
}

void Dataflow::zero(const Name& result, std::optional<std::uint32_t> modulus) {
  const Node node = append(LimbOp::mul_scalar, result, {kNone, kNone}, 0);
  set_modulus(node, result, modulus);
}

void Dataflow::transform(LimbOp op, const Name& result, const Name& x, std::uint32_t modulus) {
  const bool forward = op == LimbOp::ntt;
  const Node operand = read(x);
  set_modulus(operand, x, modulus);
  set_domain(operand, x.text, x.place, forward ? Domain::coeff : Domain::eval);
  const Node node = append(op, result, {operand, kNone}, 0);
  set_modulus(node, result, modulus);
  set_domain(node, result.text, result.place, forward ? Domain::eval : Domain::coeff);
}

void Dataflow::permute(const Name& result, const Name& x, std::uint64_t g,
                       std::optional<std::uint32_t> modulus, Domain domain) {
  const Node operand = read(x);
  set_modulus(operand, x, modulus);
  set_domain(operand, x.text, x.place, domain);
  const Node node = append(LimbOp::permute, result, {operand, kNone}, g);
  modulus_of_.join(operand, node);
  set_domain(node, result.text, result.place, domain);
}

void Dataflow::copy(const Name& result, const Name& x) {
  const Node node = read(x);
  bindings_.insert_or_assign(std::string(result.text), Binding{node, false, false, ++writings_});
}

Dataflow::Node Dataflow::add_node(const base::Position& place) {
  places_.push_back(place);
  modulus_of_.add();
  domain_of_.add();
  return static_cast<Node>(places_.size() - 1);
}

Dataflow::Node Dataflow::read(const Name& name) {
  const auto found = bindings_.find(name.text);
  if (found != bindings_.end()) {
    found->second.read = true;
    return found->second.node;
  }
  const Node node = add_node(name.place);
  inputs_.push_back({node, InputKind::operand, std::string(name.text), false});
  bindings_.emplace(name.text, Binding{node, true, true, 0});
  return node;
}

Dataflow::Node Dataflow::append(LimbOp op, const Name& result, std::array<Node, 2> operands,
                                std::uint64_t argument) {
  const Node node = add_node(result.place);
  bindings_.insert_or_assign(std::string(result.text), Binding{node, false, false, ++writings_});
  steps_.push_back({op, node, operands, argument, result.place});
  return node;
}

void Dataflow::set_modulus(Node node, const Name& name, std::optional<std::uint32_t> modulus) {
  if (!modulus || modulus_of_.set(node, *modulus)) return;
  throw Fault{name.place, fmt::format("{} is a residue modulo {}, not modulo {}", name.text,
                                      moduli_[*modulus_of_.fact(node)], moduli_[*modulus])};
}

void Dataflow::set_domain(Node node, std::string_view name, const base::Position& place,
                          Domain domain) {
  if (domain_of_.set(node, domain)) return;
  throw Fault{place, fmt::format("{} is in {}, expected {}", name, name_of(*domain_of_.fact(node)),
                                 name_of(domain))};
}

void Dataflow::join_domains(Node node, Node other, const Name& name) {
  if (domain_of_.join(node, other)) return;
  throw Fault{name.place,
              fmt::format("{} is in {}, the other operand in {}", name.text,
                          name_of(*domain_of_.fact(node)), name_of(*domain_of_.fact(other)))};
}

void Dataflow::infer_scalings() {
  assumed_.assign(places_.size(), false);
  for (const Step& step : steps_) {
    if (step.op == LimbOp::mul_scalar && step.operands[0] != kNone) infer_scaling(step);
  }
}

void Dataflow::infer_scaling(const Step& step) {
  const Node operand = step.operands[0];
  const std::uint32_t modulus = *modulus_of_.fact(step.result);
  if (!modulus_of_.fact(operand)) {
    modulus_of_.set(operand, modulus);
    assumed_[modulus_of_.root(operand)] = true;
  }
  const std::uint32_t own = *modulus_of_.fact(operand);
  if (own == modulus) {
    if (domain_of_.join(operand, step.result)) return;
    throw Fault{step.place, fmt::format("the operand is in {}, the result in {}",
                                        name_of(*domain_of_.fact(operand)),
                                        name_of(*domain_of_.fact(step.result)))};
  }
  if (assumed_[modulus_of_.root(operand)]) {
    throw Fault{step.place,
                fmt::format("nothing states whether the operand is a residue modulo {} or {}",
                            moduli_[own], moduli_[modulus])};
  }
  set_domain(operand, "the operand of another modulus", step.place, Domain::coeff);
  set_domain(step.result, "the result of an operand of another modulus", step.place, Domain::coeff);
}

ValueType Dataflow::type(Node node) {
  const std::optional<std::uint32_t>& modulus = modulus_of_.fact(node);
  if (!modulus) throw Fault{places_[node], "nothing states the modulus of this value"};
  return {*modulus, domain_of_.fact(node).value_or(Domain::eval)};
}

std::vector<Dataflow::Output> Dataflow::outputs() const {
  if (!declared_outputs_.empty()) return declared_outputs_;
  std::vector<std::pair<std::size_t, Output>> unread;
  for (const auto& [name, binding] : bindings_) {
    if (!binding.read && !binding.input) unread.push_back({binding.written, {binding.node, name}});
  }
  std::ranges::sort(unread, {}, [](const auto& entry) { return entry.first; });
  std::vector<Output> result;
  for (auto& [written, output] : unread) result.push_back(std::move(output));
  return result;
}

std::vector<bool> Dataflow::needed(const std::vector<Output>& outputs) const {
  std::vector<bool> needed(places_.size(), false);
  for (const Output& output : outputs) needed[output.node] = true;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (!needed[step->result]) continue;
    for (const Node operand : step->operands) {
      if (operand != kNone) needed[operand] = true;
    }
  }
  return needed;
}

/// Writes what is needed into a Builder.
class Dataflow::Emitter {
 public:
  Emitter(Dataflow& flow, program::Builder& b) : flow_(flow), b_(b), values_(flow.places_.size()) {}

  void emit_input(const Input& input) {
    const ValueType type = flow_.type(input.node);
    ValueId& value = values_[input.node];
    switch (input.kind) {
      case InputKind::key:
        value = b_.key(input.label, type.modulus, type.domain);
        break;
      case InputKind::constant:
        value = b_.constant(input.label, type.modulus, type.domain);
        break;
      default:
        value = b_.operand(input.label, type.modulus, type.domain);
    }
    if (!first_input_) first_input_ = value;
  }

  void emit_step(const Step& step) { values_[step.result] = value_of(step); }

  void emit_output(const Output& output) { b_.output(output.label, values_[output.node]); }

 private:
  ValueId value_of(const Step& step) {
    if (step.operands[0] == kNone) return zero(step);
    const ValueId x = values_[step.operands[0]];
    switch (step.op) {
      case LimbOp::add:
        return b_.add(x, values_[step.operands[1]]);
      case LimbOp::sub:
        return b_.sub(x, values_[step.operands[1]]);
      case LimbOp::mul:
        return b_.mul(x, values_[step.operands[1]]);
      case LimbOp::neg:
        return b_.neg(x);
      case LimbOp::add_scalar:
        return b_.add_scalar(x, step.argument);
      case LimbOp::ntt:
        return b_.ntt(x);
      case LimbOp::intt:
        return b_.intt(x);
      case LimbOp::permute:
        return b_.permute(step.argument % (2 * b_.modulus(0).degree()), x);
      default:
        return scaled(x, step);
    }
  }

  ValueId scaled(ValueId x, const Step& step) {
    const std::uint32_t modulus = flow_.type(step.result).modulus;
    if (b_.type(x).modulus == modulus) return b_.mul_scalar(x, step.argument);
    return b_.dot_scalar(modulus, std::array{x}, std::array{step.argument});
  }

  /// 0 times the first input, once for each type.
  ValueId zero(const Step& step) {
    const ValueType type = flow_.type(step.result);
    std::optional<ValueId>& known = zeros_[{type.modulus, type.domain == Domain::eval}];
    if (known) return *known;
    if (!first_input_) throw Fault{step.place, "zeros need an input to be made from"};
    if (!coefficients_) coefficients_ = b_.coefficients(*first_input_);
    known =
        b_.dot_scalar(type.modulus, std::array{*coefficients_}, std::array<std::uint64_t, 1>{0});
    if (type.domain == Domain::eval) known = b_.ntt(*known);
    return *known;
  }

  Dataflow& flow_;
  program::Builder& b_;
  std::vector<ValueId> values_;  // by node
  std::optional<ValueId> first_input_;
  std::optional<ValueId> coefficients_;  // of the first input
  // By modulus and whether in evaluations.
  std::map<std::pair<std::uint32_t, bool>, std::optional<ValueId>> zeros_;
};

LimbProgram Dataflow::finish(std::vector<ring::Modulus> moduli, std::string program_name) {
  infer_scalings();
  const std::vector<Output> results = outputs();
  const std::vector<bool> is_needed = needed(results);
  program::Builder b(std::move(moduli), std::move(program_name));
  Emitter emitter(*this, b);
  for (const Input& input : inputs_) {
    if (is_needed[input.node]) {
      emitter.emit_input(input);
    } else if (input.declared) {
      throw Fault{places_[input.node],
                  fmt::format("no output depends on input \"{}\"", input.label)};
    }
  }
  for (const Step& step : steps_) {
    if (is_needed[step.result]) emitter.emit_step(step);
  }
  for (const Output& output : results) emitter.emit_output(output);
  return b.build();
}

}  // namespace heliodor::formats::trace::internal
