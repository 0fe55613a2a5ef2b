// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/trace/p_isa.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/formats/trace/internal/dataflow.h"

namespace heliodor::formats::trace {
namespace {

using internal::Dataflow;
using internal::Fault;
using internal::LineReader;
using internal::Name;
using program::Domain;
using program::InputKind;
using program::LimbOp;
using program::LimbProgram;

/// label, op, dst, src0, src1, residue. With `accumulates` the product is added to dst; with
/// `immediate` src1 is one.
struct Opcode {
  std::string_view name;
  LimbOp op;
  bool immediate;
  bool accumulates;
};

constexpr std::array kOpcodes{
    Opcode{"add", LimbOp::add, false, false}, Opcode{"sub", LimbOp::sub, false, false},
    Opcode{"mul", LimbOp::mul, false, false}, Opcode{"mac", LimbOp::mul, false, true},
    Opcode{"muli", LimbOp::mul, true, false}, Opcode{"maci", LimbOp::mul, true, true},
};

constexpr std::string_view kCopy = "copy";

constexpr const char* kTransformStage =
    "is one stage of a transform; its twiddle factors are not in the file";
/// Instructions that are understood but cannot be expressed, and why.
constexpr std::array<std::pair<std::string_view, const char*>, 4> kRefused{{
    {"ntt", kTransformStage},
    {"intt", kTransformStage},
    {"twntt", "computes twiddle factors that are not in the file"},
    {"twintt", "computes twiddle factors that are not in the file"},
}};

const Opcode* find_opcode(std::string_view name) {
  const auto* const found = std::ranges::find(kOpcodes, name, &Opcode::name);
  return found == kOpcodes.end() ? nullptr : found;
}

const char* refusal(std::string_view name) {
  const auto* const found =
      std::ranges::find(kRefused, name, [](const auto& r) { return r.first; });
  return found == kRefused.end() ? nullptr : found->second;
}

class PIsaParser {
 public:
  explicit PIsaParser(const PIsaContext& context) : context_(context), flow_(context.moduli) {}

  LimbProgram parse(std::string_view text);

 private:
  void parse_row(LineReader& line);
  void parse_copy(LineReader& line);
  void parse_pointwise(LineReader& line, const Opcode& opcode);
  Name parse_register(LineReader& line);
  std::uint32_t parse_residue(LineReader& line);
  Name immediate(const Name& name, std::uint32_t residue);

  const PIsaContext& context_;
  Dataflow flow_;
  std::set<std::string_view> registers_;  // all names of them so far
  std::set<std::string_view> immediates_;
  std::set<std::string> labels_;  // of constants; Names view them
};

LimbProgram PIsaParser::parse(std::string_view text) {
  std::vector<ring::Modulus> moduli;
  for (const std::uint64_t q : context_.moduli) moduli.emplace_back(q, context_.register_words);
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    LineReader line(text.substr(start, end - start), ++number);
    if (!line.done() && !line.next_is('#')) parse_row(line);
    start = end + 1;
  }
  return std::move(flow_).finish(std::move(moduli), "kernel");
}

void PIsaParser::parse_row(LineReader& line) {
  line.label("a label");
  line.expect(',');
  const Name name = line.name("an instruction");
  line.expect(',');
  if (name.text == kCopy) return parse_copy(line);
  if (const Opcode* const opcode = find_opcode(name.text)) return parse_pointwise(line, *opcode);
  const char* const reason = refusal(name.text);
  throw Fault{name.place,
              reason ? fmt::format("{} {}", name.text, reason)
                     : fmt::format("instruction '{}' is unknown", name.text.substr(0, 40))};
}

void PIsaParser::parse_copy(LineReader& line) {
  const Name result = parse_register(line);
  line.expect(',');
  const Name x = parse_register(line);
  line.expect_end();
  flow_.copy(result, x);
}

void PIsaParser::parse_pointwise(LineReader& line, const Opcode& opcode) {
  const Name result = parse_register(line);
  line.expect(',');
  const Name x = parse_register(line);
  line.expect(',');
  Name y = opcode.immediate ? line.name("an immediate") : parse_register(line);
  line.expect(',');
  const std::uint32_t residue = parse_residue(line);
  line.expect_end();
  if (opcode.immediate) y = immediate(y, residue);
  if (!opcode.accumulates) return flow_.pointwise(opcode.op, result, std::array{x, y}, residue);
  const Name product{"", result.place};  // no register has this name
  flow_.pointwise(opcode.op, product, std::array{x, y}, residue);
  flow_.pointwise(LimbOp::add, result, std::array{result, product}, residue);
}

Name PIsaParser::parse_register(LineReader& line) {
  const Name name = line.name("a register");
  if (immediates_.contains(name.text)) {
    throw Fault{name.place, fmt::format("{} is an immediate elsewhere", name.text)};
  }
  registers_.insert(name.text);
  return name;
}

std::uint32_t PIsaParser::parse_residue(LineReader& line) {
  const base::Position place = line.place();
  const std::uint64_t residue = line.number("the index of a modulus");
  if (residue >= context_.moduli.size()) {
    throw Fault{place, fmt::format("residue index {} is not below the number of moduli, {}",
                                   residue, context_.moduli.size())};
  }
  return static_cast<std::uint32_t>(residue);
}

/// The constant input that stands for it, declared at its first use.
Name PIsaParser::immediate(const Name& name, std::uint32_t residue) {
  if (registers_.contains(name.text)) {
    throw Fault{name.place, fmt::format("{} is a register elsewhere", name.text)};
  }
  immediates_.insert(name.text);
  const auto [label, is_new] = labels_.insert(fmt::format("{}[{}]", name.text, residue));
  const Name constant{*label, name.place};
  if (is_new) flow_.declare_input(constant, InputKind::constant, *label, residue, Domain::eval);
  return constant;
}

}  // namespace

bool is_p_isa(std::string_view text) {
  for (std::size_t start = 0, number = 1; start < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    LineReader line(text.substr(start, end - start), number);
    start = end + 1;
    if (line.done() || line.next_is('#')) continue;
    try {
      line.label("a label");
      line.expect(',');
      const std::string_view name = line.word("an instruction");
      line.expect(',');
      return name == kCopy || find_opcode(name) != nullptr || refusal(name) != nullptr;
    } catch (const Fault&) {
      return false;
    }
  }
  return false;
}

base::Result<LimbProgram> parse_p_isa(std::string_view text, const PIsaContext& context) {
  return internal::diagnosed([&] { return PIsaParser(context).parse(text); });
}

}  // namespace heliodor::formats::trace
