// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/internal/text_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/program/internal/names.h"
#include "heliodor/program/verifier.h"

namespace heliodor::program::internal {

namespace {

using base::Position;
using Kind = Token::Kind;

constexpr std::uint64_t kVersion = 1;

}  // namespace

base::Result<LimbProgram> TextParser::parse() {
  for (std::size_t start = 0; start < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', start), text_.size());
    parse_line(text_.substr(start, end - start));
    start = end + 1;
  }
  if (diagnostics_.empty() && !program_) {
    const char* const missing = !name_                ? "limb_program line"
                                : !degree_            ? "degree line"
                                : modulus_count_ == 0 ? "modulus"
                                                      : "value";
    diagnostics_.push_back({{}, fmt::format("the text has no {}", missing)});
  }
  if (diagnostics_.empty()) diagnostics_ = verified();
  if (!diagnostics_.empty()) return std::move(diagnostics_);
  return *std::move(program_);
}

void TextParser::parse_line(std::string_view line) {
  ++line_;
  lexer_ = TextLexer(line);
  if (lexer_.peek().kind == Kind::end) return;
  try {
    parse_statement();
  } catch (const TextFault& fault) {
    diagnostics_.push_back({Position::line(line_, fault.column), fault.message});
  } catch (const Error& error) {
    diagnostics_.push_back({Position::line(line_, 1), error.what()});
  }
}

void TextParser::parse_statement() {
  const Token first = lexer_.peek();
  if (!name_) return parse_header();
  if (!degree_) return parse_degree();
  if (first.kind == Kind::value) return parse_definition();
  if (first.is_word("modulus")) return parse_modulus();
  if (first.is_word("output")) return parse_output();
  throw TextFault{first.column, fmt::format("expected a modulus, a value or an output, found {}",
                                            describe(first))};
}

void TextParser::parse_header() {
  name_ = "";
  lexer_.expect_word("limb_program");
  const Token version = lexer_.expect(Kind::number, "the version");
  if (version.number != kVersion) {
    throw TextFault{version.column, fmt::format("version {} is not {}", version.number, kVersion)};
  }
  const Token name = lexer_.expect(Kind::string, "the program's name in quotes");
  if (auto fault = name_fault(name.text)) throw TextFault{name.column, *std::move(fault)};
  lexer_.expect_end();
  name_ = name.text;
}

void TextParser::parse_degree() {
  degree_ = 0;
  lexer_.expect_word("degree");
  const Token token = lexer_.expect(Kind::number, "the ring degree");
  try {
    ring::Modulus::check_degree(token.number);
  } catch (const Error& error) {
    throw TextFault{token.column, error.what()};
  }
  degree_ = token.number;
  lexer_.expect_end();
}

void TextParser::parse_modulus() {
  const Token first = lexer_.take();
  if (in_values_) throw TextFault{first.column, "a modulus must stand before the first value"};
  const std::string name = fmt::format("q{}", modulus_count_++);
  if (modulus_count_ > kMaxModuli) {
    throw TextFault{first.column, fmt::format("{} moduli exceed {}", modulus_count_, kMaxModuli)};
  }
  lexer_.expect_word(name);
  const Token q = lexer_.expect(Kind::number, "the modulus");
  lexer_.expect_word("psi");
  const Token psi = lexer_.expect(Kind::number, "the primitive root psi");
  lexer_.expect_end();
  if (*degree_ == 0) return;
  try {
    moduli_.emplace_back(q.number, *degree_, psi.number);
  } catch (const Error& error) {
    throw TextFault{q.column, error.what()};
  }
}

/// The moduli are complete: values may follow.
void TextParser::begin_values(const Token& at) {
  if (in_values_) return;
  in_values_ = true;
  if (modulus_count_ == 0) throw TextFault{at.column, "modulus count 0 is below 1"};
  if (diagnostics_.empty()) program_.emplace(std::move(moduli_), *name_);
}

void TextParser::parse_definition() {
  const Token value = lexer_.take();
  const std::uint64_t expected = std::exchange(next_value_, value.number + 1);
  begin_values(value);
  if (value.number != expected) {
    throw TextFault{value.column,
                    fmt::format("%{} is out of order, expected %{}", value.number, expected)};
  }
  lexer_.expect_mark('=');
  if (lexer_.peek().is_word("input")) return parse_input(value.column);
  parse_instruction(value.column);
}

void TextParser::parse_input(std::size_t column) {
  constexpr std::array<std::pair<std::string_view, InputKind>, 4> kKinds{
      {{"operand", InputKind::operand},
       {"key", InputKind::key},
       {"constant", InputKind::constant},
       {"seed", InputKind::seed}}};
  lexer_.take();
  const Token word = lexer_.take();
  const auto* const kind = std::find_if(
      kKinds.begin(), kKinds.end(), [&](const auto& entry) { return word.is_word(entry.first); });
  if (kind == kKinds.end()) {
    throw TextFault{word.column, fmt::format("expected operand, key, constant or seed, found {}",
                                             describe(word))};
  }
  const Token name = lexer_.expect(Kind::string, "the input's name in quotes");
  const ValueType type = kind->second == InputKind::seed ? ValueType::seed() : parse_type();
  lexer_.expect_end();
  if (!program_) return;
  program_->append_input(kind->second, std::string(name.text), type);
  input_places_.push_back(Position::line(line_, column));
}

void TextParser::parse_instruction(std::size_t column) {
  const Token name = lexer_.expect(Kind::word, "an instruction");
  const auto op = find_limb_op(name.text);
  if (!op) throw TextFault{name.column, fmt::format("instruction {} is unknown", describe(name))};
  const LimbOpInfo& row = info(*op);
  operands_.clear();
  scalars_.clear();
  std::uint64_t parameter = parse_parameter(row);
  parse_operands(row);
  if (row.parameter == ParameterKind::stream) {
    lexer_.expect_word("stream");
    parameter = lexer_.expect(Kind::number, "the stream").number;
  }
  const ValueType type = parse_type();
  lexer_.expect_end();
  if (!program_) return;
  program_->append(*op, type, operands_, scalars_, parameter);
  instruction_places_.push_back(Position::line(line_, column));
}

std::uint64_t TextParser::parse_parameter(const LimbOpInfo& row) {
  const auto choice = [this](std::string_view zero, std::string_view one) -> std::uint64_t {
    const Token word = lexer_.take();
    if (word.is_word(zero)) return 0;
    if (word.is_word(one)) return 1;
    throw TextFault{word.column,
                    fmt::format("expected {} or {}, found {}", zero, one, describe(word))};
  };
  switch (row.parameter) {
    case ParameterKind::galois_element:
      return lexer_.expect(Kind::number, "the Galois element").number;
    case ParameterKind::rounding:
      return choice("floor", "nearest");
    case ParameterKind::lift:
      return choice("plain", "centred");
    case ParameterKind::none:
    case ParameterKind::stream:
      break;
  }
  return 0;
}

void TextParser::parse_operands(const LimbOpInfo& row) {
  const bool list = row.operands == OperandShape::list || row.operands == OperandShape::pairs;
  parse_operand();
  for (;;) {
    if (row.scalars == ScalarShape::per_operand) {
      lexer_.expect_mark('*');
      scalars_.push_back(lexer_.expect(Kind::number, "a scalar").number);
    }
    if (row.operands == OperandShape::pairs || row.operands == OperandShape::two) parse_operand();
    if (!list || !lexer_.peek().is_mark(',')) break;
    lexer_.take();
    parse_operand();
  }
  if (row.scalars == ScalarShape::one) {
    scalars_.push_back(lexer_.expect(Kind::number, "a scalar").number);
  }
}

void TextParser::parse_operand() { operands_.push_back(lexer_.expect_value()); }

ValueType TextParser::parse_type() {
  lexer_.expect_mark(':');
  const Token modulus = lexer_.expect(Kind::word, "a modulus");
  const char* const digits = modulus.text.data() + 1;
  const char* const end = modulus.text.data() + modulus.text.size();
  std::uint32_t index = 0;
  const auto [stop, fault] = std::from_chars(digits, end, index);
  if (modulus.text.front() != 'q' || fault != std::errc{} || stop != end ||
      index >= modulus_count_) {
    throw TextFault{modulus.column, fmt::format("modulus {} is not one of q0 to q{}",
                                                describe(modulus), modulus_count_ - 1)};
  }
  const Token domain = lexer_.take();
  if (domain.is_word("coeff")) return {index, Domain::coeff};
  if (domain.is_word("eval")) return {index, Domain::eval};
  throw TextFault{domain.column, fmt::format("expected coeff or eval, found {}", describe(domain))};
}

void TextParser::parse_output() {
  const Token first = lexer_.take();
  begin_values(first);
  const Token name = lexer_.expect(Kind::string, "the output's name in quotes");
  lexer_.expect_mark('=');
  const ValueId value = lexer_.expect_value();
  lexer_.expect_end();
  if (!program_) return;
  program_->append_output(std::string(name.text), value);
  output_places_.push_back(Position::line(line_, first.column));
}

base::Diagnostics TextParser::verified() {
  base::Diagnostics diagnostics = verify(*program_);
  for (base::Diagnostic& diagnostic : diagnostics) {
    diagnostic.position = place_of(diagnostic.position);
  }
  return diagnostics;
}

Position TextParser::place_of(const Position& position) const {
  switch (position.kind) {
    case Position::Kind::input:
      return input_places_[position.index];
    case Position::Kind::instruction:
      return instruction_places_[position.index];
    case Position::Kind::output:
      return output_places_[position.index];
    default:
      return position;
  }
}

}  // namespace heliodor::program::internal
