// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The parser of the text form. Each line is one statement and yields at most one diagnostic about
// its syntax; the next line is then read as if the faulty one had defined what it was to define. A
// text without faults of syntax is handed to verify(), whose findings point at the line of the
// input, instruction or output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/program/internal/text_lexer.h"
#include "heliodor/program/limb_program.h"

namespace heliodor::program::internal {

class TextParser {
 public:
  explicit TextParser(std::string_view text) : text_(text) {}

  base::Result<LimbProgram> parse();

 private:
  void parse_line(std::string_view line);
  void parse_statement();
  void parse_header();
  void parse_degree();
  void parse_modulus();
  void parse_definition();
  void parse_input(std::size_t column);
  void parse_instruction(std::size_t column);
  void parse_output();
  std::uint64_t parse_parameter(const LimbOpInfo& row);
  void parse_operands(const LimbOpInfo& row);
  void parse_operand();
  ValueType parse_type();
  void begin_values(const Token& at);
  base::Diagnostics verified();
  base::Position place_of(const base::Position& position) const;

  std::string_view text_;
  std::size_t line_ = 0;
  TextLexer lexer_{{}};
  base::Diagnostics diagnostics_;

  std::optional<std::string> name_;
  std::optional<std::uint64_t> degree_;  // 0 if its line is faulty
  std::vector<ring::Modulus> moduli_;
  std::uint64_t modulus_count_ = 0;  // declared, faulty ones too
  std::optional<LimbProgram>
      program_;  // from the first value on, if the lines before are free of faults
  bool in_values_ = false;
  std::uint64_t next_value_ = 0;

  std::vector<ValueId> operands_;
  std::vector<std::uint64_t> scalars_;
  std::vector<base::Position> input_places_;
  std::vector<base::Position> instruction_places_;
  std::vector<base::Position> output_places_;
};

}  // namespace heliodor::program::internal
