// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A FHETCH trace as a LimbProgram. One line is one statement: FhetchRing collects what the trace
// says of its ring, Dataflow what instructions do with values.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

#include "heliodor/formats/trace/fhetch.h"
#include "heliodor/formats/trace/internal/dataflow.h"
#include "heliodor/formats/trace/internal/fhetch_ring.h"

namespace heliodor::formats::trace {
namespace {

using base::Position;
using internal::Argument;
using internal::Dataflow;
using internal::Fault;
using internal::FhetchRing;
using internal::LineReader;
using internal::Name;
using program::Domain;
using program::InputKind;
using program::LimbOp;
using program::LimbProgram;

enum class Form {
  two_operands,  // %d, %x, %y
  one_operand,   // %d, %x
  scalar,        // %d, %x, c; with LimbOp::sub, c is subtracted
  transform,     // %d, %x, omega=..
  automorphism,  // %d, %x, k=..
};

struct Opcode {
  std::string_view name;
  Form form;
  LimbOp op;
};

constexpr std::array kOpcodes{
    Opcode{"sr_addp", Form::two_operands, LimbOp::add},
    Opcode{"sr_subp", Form::two_operands, LimbOp::sub},
    Opcode{"sr_mulp", Form::two_operands, LimbOp::mul},
    Opcode{"sr_negp", Form::one_operand, LimbOp::neg},
    Opcode{"sr_addps", Form::scalar, LimbOp::add_scalar},
    Opcode{"sr_subps", Form::scalar, LimbOp::sub},
    Opcode{"sr_mulps", Form::scalar, LimbOp::mul_scalar},
    Opcode{"sr_ntt", Form::transform, LimbOp::ntt},
    Opcode{"sr_intt", Form::transform, LimbOp::intt},
    Opcode{"sr_automorph_eval", Form::automorphism, LimbOp::permute},
    Opcode{"sr_automorph_coeff", Form::automorphism, LimbOp::permute},
};

constexpr const char* kNotResidues = "works on real numbers, not on residues";
constexpr const char* kTwoMeanings =
    "changes coefficient 0 by its definition, every word in fhetch_sim";

/// Instructions that are understood but cannot be expressed, and why.
constexpr std::array<std::pair<std::string_view, const char*>, 6> kRefused{{
    {"sr_permute", "does not say which permutation: traces drop it"},
    {"sr_rot_automorph_coeff",
     "multiplies by a power of X: LimbPrograms have no instruction for it"},
    {"sr_addps_coeff", kTwoMeanings},
    {"sr_subps_coeff", kTwoMeanings},
    {"sr_ft", kNotResidues},
    {"sr_ift", kNotResidues},
}};

const char* refusal(std::string_view opcode) {
  if (opcode.ends_with("_ni")) return kNotResidues;
  const auto* const found =
      std::ranges::find(kRefused, opcode, [](const auto& r) { return r.first; });
  return found == kRefused.end() ? nullptr : found->second;
}

class FhetchParser {
 public:
  FhetchParser(std::string_view text, std::optional<std::uint64_t> degree)
      : text_(text), ring_(degree) {}

  LimbProgram parse();

 private:
  struct Arguments {
    std::optional<Argument> m, omega, k, mask, logn;
  };
  using Names = std::initializer_list<std::string_view>;

  void parse_line(std::string_view line);
  void parse_annotation(LineReader& line);
  void parse_input(LineReader& line);
  void parse_modulus(LineReader& line);
  void parse_instruction(LineReader& line, const Name& opcode);
  void parse_scalar(LineReader& line, LimbOp op, const Name& result, const Name& x);
  void parse_transform(LineReader& line, LimbOp op, const Name& result, const Name& x);
  void parse_automorphism(LineReader& line, const Opcode& opcode, const Name& result,
                          const Name& x);
  Arguments parse_arguments(LineReader& line, Names allowed);
  std::uint32_t parse_modulus_argument(LineReader& line);

  std::string_view text_;
  std::size_t line_ = 0;
  std::string name_ = "trace";
  FhetchRing ring_;
  std::optional<Dataflow> flow_;  // from the end of the table on
  bool halted_ = false;
};

LimbProgram FhetchParser::parse() {
  for (std::size_t start = 0; start < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', start), text_.size());
    ++line_;
    parse_line(text_.substr(start, end - start));
    start = end + 1;
  }
  ring_.require_table({});
  return flow_->finish(ring_.make_moduli(), name_);
}

void FhetchParser::parse_line(std::string_view line) {
  constexpr std::string_view kAnnotation = "heliodor";
  const std::size_t comment = std::min(line.find('#'), line.size());
  LineReader reader(line.substr(0, comment), line_);
  if (reader.done()) {
    if (comment == line.size()) return;
    LineReader rest(line, line_);
    rest.expect('#');
    if (rest.next_word_is(kAnnotation)) parse_annotation(rest);
    return;
  }
  const Name first = reader.name("an instruction");
  if (halted_) throw Fault{first.place, "nothing may follow halt"};
  if (first.text == "modulus_count") return ring_.parse_count(reader);
  if (first.text == "m") return parse_modulus(reader);
  ring_.require_table(first.place);
  if (first.text == "halt") {
    halted_ = true;
    return reader.expect_end();
  }
  parse_instruction(reader, first);
}

void FhetchParser::parse_annotation(LineReader& line) {
  line.word("heliodor");
  const Name what = line.name("program, degree, input or output");
  if (what.text == "program") {
    name_ = line.quoted("the program's name in quotes");
  } else if (what.text == "degree") {
    const Position place = line.place();
    ring_.state_degree(line.number("the degree"), place);
  } else if (what.text == "input") {
    ring_.require_table(what.place);
    parse_input(line);
  } else if (what.text == "output") {
    ring_.require_table(what.place);
    const Name name = line.address();
    flow_->declare_output(name, std::string(line.quoted("the output's name in quotes")));
  } else {
    throw Fault{what.place, fmt::format("expected program, degree, input or output, found '{}'",
                                        what.text.substr(0, 40))};
  }
  line.expect_end();
}

void FhetchParser::parse_input(LineReader& line) {
  constexpr std::array<std::pair<std::string_view, InputKind>, 3> kKinds{
      {{"operand", InputKind::operand},
       {"key", InputKind::key},
       {"constant", InputKind::constant}}};
  const Name name = line.address();
  const Name kind = line.name("operand, key or constant");
  const auto* const found =
      std::ranges::find(kKinds, kind.text, [](const auto& entry) { return entry.first; });
  if (found == kKinds.end()) {
    throw Fault{kind.place, fmt::format("expected operand, key or constant, found '{}'",
                                        kind.text.substr(0, 40))};
  }
  const Name m = line.name("m=..");
  if (m.text != "m") {
    throw Fault{m.place, fmt::format("expected m=.., found '{}'", m.text.substr(0, 40))};
  }
  line.expect('=');
  const std::uint32_t modulus = ring_.real_number({line.number("the index of a modulus"), m.place});
  const Name domain = line.name("coeff or eval");
  if (domain.text != "coeff" && domain.text != "eval") {
    throw Fault{domain.place,
                fmt::format("expected coeff or eval, found '{}'", domain.text.substr(0, 40))};
  }
  flow_->declare_input(name, found->second, std::string(line.quoted("the input's name in quotes")),
                       modulus, domain.text == "coeff" ? Domain::coeff : Domain::eval);
}

void FhetchParser::parse_modulus(LineReader& line) {
  ring_.parse_modulus(line);
  if (ring_.has_table()) flow_.emplace(ring_.values());
}

void FhetchParser::parse_instruction(LineReader& line, const Name& name) {
  const auto* const opcode = std::ranges::find(kOpcodes, name.text, &Opcode::name);
  if (opcode == kOpcodes.end()) {
    const char* const reason = refusal(name.text);
    throw Fault{name.place,
                reason ? fmt::format("{} {}", name.text, reason)
                       : fmt::format("instruction '{}' is unknown", name.text.substr(0, 40))};
  }
  const Name result = line.address();
  line.expect(',');
  const Name x = line.address();
  switch (opcode->form) {
    case Form::two_operands: {
      line.expect(',');
      const Name y = line.address();
      return flow_->pointwise(opcode->op, result, std::array{x, y}, parse_modulus_argument(line));
    }
    case Form::one_operand:
      return flow_->pointwise(opcode->op, result, std::array{x}, parse_modulus_argument(line));
    case Form::scalar:
      return parse_scalar(line, opcode->op, result, x);
    case Form::transform:
      return parse_transform(line, opcode->op, result, x);
    case Form::automorphism:
      return parse_automorphism(line, *opcode, result, x);
  }
}

void FhetchParser::parse_scalar(LineReader& line, LimbOp op, const Name& result, const Name& x) {
  line.expect(',');
  const std::uint64_t c = line.number("an immediate");
  const Arguments arguments = parse_arguments(line, {"m"});
  const std::optional<std::uint32_t> modulus = ring_.number(*arguments.m);
  // With an immediate of 0 and the sentinel: a copy, of any modulus.
  if (op == LimbOp::add_scalar && c == 0 && !modulus) return flow_->copy(result, x);
  // With an immediate of 0: zeros; x is not read and often not written before.
  if (op == LimbOp::mul_scalar && c == 0) return flow_->zero(result, modulus);
  const std::uint32_t index = ring_.real_number(*arguments.m);
  if (op == LimbOp::mul_scalar) return flow_->scale(result, x, c, index);
  const std::uint64_t q = ring_.values()[index];
  flow_->pointwise(LimbOp::add_scalar, result, std::array{x}, index,
                   op == LimbOp::sub ? q - c % q : c);
}

void FhetchParser::parse_transform(LineReader& line, LimbOp op, const Name& result, const Name& x) {
  const Arguments arguments = parse_arguments(line, {"m", "omega"});
  const std::uint32_t modulus = ring_.real_number(*arguments.m);
  ring_.state_root(modulus, arguments.omega, x.place);
  flow_->transform(op, result, x, modulus);
}

void FhetchParser::parse_automorphism(LineReader& line, const Opcode& opcode, const Name& result,
                                      const Name& x) {
  const bool in_evaluations = opcode.name == "sr_automorph_eval";
  const Position place = line.place();
  const Arguments arguments = in_evaluations ? parse_arguments(line, {"m", "k", "mask", "logn"})
                                             : parse_arguments(line, {"m", "k"});
  if (!arguments.k) throw Fault{place, "k=.. is missing"};
  if (arguments.k->value % 2 == 0) {
    throw Fault{arguments.k->place, fmt::format("k {} is even", arguments.k->value)};
  }
  if (arguments.mask) ring_.state_degree(arguments.mask->value + 1, arguments.mask->place);
  if (arguments.logn) {
    const std::uint64_t logn = arguments.logn->value;
    ring_.state_degree(logn < 64 ? std::uint64_t{1} << logn : 0, arguments.logn->place);
  }
  flow_->permute(result, x, arguments.k->value, ring_.number(*arguments.m),
                 in_evaluations ? Domain::eval : Domain::coeff);
}

/// ", m=1, k=5" in any order up to the end of the line; m must be there.
FhetchParser::Arguments FhetchParser::parse_arguments(LineReader& line, Names allowed) {
  Arguments arguments;
  const std::array<std::pair<std::string_view, std::optional<Argument>*>, 5> known{
      {{"m", &arguments.m},
       {"omega", &arguments.omega},
       {"k", &arguments.k},
       {"mask", &arguments.mask},
       {"logn", &arguments.logn}}};
  const Position start = line.place();
  while (!line.done()) {
    line.expect(',');
    const Name name = line.name("a named number");
    const auto* const found =
        std::ranges::find(known, name.text, [](const auto& entry) { return entry.first; });
    if (found == known.end() || std::ranges::find(allowed, name.text) == allowed.end()) {
      throw Fault{name.place, fmt::format("'{}' has no meaning here, expected one of: {}",
                                          name.text.substr(0, 40), fmt::join(allowed, ", "))};
    }
    if (*found->second) throw Fault{name.place, fmt::format("{} is stated twice", name.text)};
    line.expect('=');
    *found->second = Argument{line.number(name.text), name.place};
  }
  if (!arguments.m) throw Fault{start, "m=.. is missing"};
  return arguments;
}

std::uint32_t FhetchParser::parse_modulus_argument(LineReader& line) {
  return ring_.real_number(*parse_arguments(line, {"m"}).m);
}

}  // namespace

bool is_fhetch(std::string_view text) {
  for (std::size_t start = 0, number = 1; start < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    LineReader reader(line.substr(0, line.find('#')), number);
    if (!reader.done()) return reader.next_word_is("modulus_count");
    start = end + 1;
  }
  return false;
}

base::Result<LimbProgram> parse_fhetch(std::string_view text, std::optional<std::uint64_t> degree) {
  return internal::diagnosed([&] { return FhetchParser(text, degree).parse(); });
}

}  // namespace heliodor::formats::trace
