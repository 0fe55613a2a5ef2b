// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each line is one statement and yields at most one diagnostic. Operations of a text whose head
// has faults are read for their syntax alone.
#include "heliodor/targets/machine/micro_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/targets/machine/internal/micro_line.h"
#include "heliodor/targets/machine/internal/micro_syntax.h"

namespace heliodor::machine {
namespace {

using internal::Line;
using internal::TextFault;
using internal::Word;

constexpr std::uint64_t kVersion = 1;
constexpr std::array<std::string_view, 4> kInputKinds{"operand", "key", "constant", "seed"};

/// The form of visit_syntax() that writes.
class OpWriter {
 public:
  explicit OpWriter(fmt::memory_buffer& out) : out_(out) {}

  void numbered(std::string_view prefix, std::uint64_t number) { put(" {}{}", prefix, number); }
  void labelled(std::string_view label, std::uint64_t number) { put(" {} {}", label, number); }
  void word(std::string_view text) { put(" {}", text); }
  void place(Place place) { numbered(place.is_register() ? "reg" : "r", place.number()); }
  void result(const MicroOp& op) { write_count(op) == 0 ? word("acc") : place(op.out); }
  void flag(std::string_view name, bool flag) {
    if (flag) word(name);
  }
  void optional(std::string_view prefix, std::uint64_t number) {
    if (number != 0) numbered(prefix, number);
  }

 private:
  template <typename... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  fmt::memory_buffer& out_;
};

void write_op(fmt::memory_buffer& out, const MicroOp& op) {
  out.append(info(op.code).name);
  OpWriter writer(out);
  internal::visit_syntax(writer, op);
}

/// The form of visit_syntax() that reads.
class OpReader {
 public:
  explicit OpReader(Line& line) : line_(line) {}

  template <typename T>
  void numbered(std::string_view prefix, T& number) {
    line_.take_number(prefix, number);
  }
  template <typename T>
  void labelled(std::string_view label, T& number) {
    line_.expect(label);
    line_.take_number("", number);
  }
  void word(std::string_view text) { line_.expect(text); }
  void place(Place& place) {
    const Word word = line_.peek();
    const bool is_register = word.text.starts_with("reg");
    std::uint32_t number = 0;
    line_.take_number(is_register ? "reg" : "r", number);
    if (number >= Place::kRegister) {
      throw TextFault{word.column, fmt::format("{} is not below {}", number, Place::kRegister)};
    }
    place = is_register ? Place::reg(number) : Place::limb(number);
  }
  /// Whether the operation has a result is known only when its flags are; check() compares.
  void result(MicroOp& op) {
    result_ = line_.peek();
    to_accumulator_ = line_.take_if("acc");
    if (!to_accumulator_) place(op.out);
  }
  void flag(std::string_view name, bool& flag) { flag = line_.take_if(name); }
  void optional(std::string_view prefix, std::uint32_t& number) {
    if (line_.peek().text.starts_with(prefix)) line_.take_number(prefix, number);
  }

  void check(const MicroOp& op) const {
    if (info(op.code).writes == 0 && op.code != MicroCode::quotient_mac) return;
    if (to_accumulator_ == (write_count(op) == 0)) return;
    throw TextFault{result_.column, to_accumulator_ ? "the result must be a place, not acc"
                                                    : "the result must be acc without last"};
  }

 private:
  Line& line_;
  Word result_;
  bool to_accumulator_ = false;
};

class Parser {
 public:
  base::Result<MicroProgram> parse(std::string_view text);

 private:
  void parse_line(Line& line);
  void parse_version(Line& line);
  void parse_frame(Line& line);
  void parse_modulus(Line& line);
  void parse_input(Line& line);
  void parse_op(Line& line);

  MicroProgram program_;
  bool has_version_ = false;
  bool has_frame_ = false;
  std::size_t moduli_ = 0;  // lines, faulty ones too
  bool head_is_sound_ = true;
  bool in_operations_ = false;  // since the first of them, faulty or not
  base::Diagnostics diagnostics_;
};

base::Result<MicroProgram> Parser::parse(std::string_view text) {
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    ++number;
    Line line(text.substr(start, end - start));
    start = end + 1;
    if (line.at_end()) continue;
    try {
      parse_line(line);
    } catch (const TextFault& fault) {
      diagnostics_.push_back({base::Position::line(number, fault.column), fault.message});
      head_is_sound_ = head_is_sound_ && in_operations_;
    }
  }
  if (diagnostics_.empty() && !has_frame_) {
    diagnostics_.push_back(
        {{}, fmt::format("the text has no {} line", has_version_ ? "degree" : "micro")});
  }
  if (!diagnostics_.empty()) return std::move(diagnostics_);
  return std::move(program_);
}

void Parser::parse_line(Line& line) {
  const Word& first = line.peek();
  if (!has_version_) return parse_version(line);
  if (!has_frame_) return parse_frame(line);
  const bool is_modulus = first.text == "modulus";
  const bool is_input = first.text == "input";
  const bool is_outputs = first.text == "outputs";
  if (!is_modulus && !is_input && !is_outputs) return parse_op(line);
  if (in_operations_) Line::fail(first, "expected an operation");
  if (is_modulus) return parse_modulus(line);
  if (is_input) return parse_input(line);
  line.take();
  line.take_number("", program_.outputs);
  line.expect_end();
}

void Parser::parse_version(Line& line) {
  has_version_ = true;
  line.expect("micro");
  const Word word = line.peek();
  std::uint64_t version = 0;
  line.take_number("", version);
  if (version != kVersion) {
    throw TextFault{word.column, fmt::format("version {} is not {}", version, kVersion)};
  }
  line.expect_end();
}

void Parser::parse_frame(Line& line) {
  has_frame_ = true;
  const auto take = [&](std::string_view label, auto& number) {
    line.expect(label);
    line.take_number("", number);
  };
  std::uint64_t degree = 0;
  std::uint64_t chunk = 0;
  const Word first = line.peek();
  take("degree", degree);
  take("chunk", chunk);
  take("word_bits", program_.word_bits);
  take("rows", program_.rows);
  take("registers", program_.registers);
  take("spills", program_.spill_slots);
  line.expect_end();
  for (const std::uint64_t number : {degree, chunk}) {
    if (!std::has_single_bit(number)) {
      throw TextFault{first.column, fmt::format("{} is not a power of two", number)};
    }
  }
  program_.layout = {.chunk_bits = static_cast<std::uint32_t>(std::countr_zero(chunk)),
                     .degree_bits = static_cast<std::uint32_t>(std::countr_zero(degree))};
  if (auto reason = malformed_frame(program_)) throw TextFault{first.column, *reason};
}

void Parser::parse_modulus(Line& line) {
  line.take();
  line.expect(fmt::format("q{}", moduli_++));
  line.expect("=");
  const Word word = line.peek();
  std::uint64_t value = 0;
  line.take_number("", value);
  std::uint64_t psi = 0;
  const bool has_psi = line.take_if("psi");
  if (has_psi) line.take_number("", psi);
  line.expect_end();
  if (!head_is_sound_) return;
  try {
    const std::uint64_t degree = program_.degree();
    program_.moduli.push_back(has_psi ? ring::Modulus(value, degree, psi)
                                      : ring::Modulus(value, degree));
  } catch (const Error& error) {
    throw TextFault{word.column, error.what()};
  }
  if (auto reason = malformed_frame(program_)) throw TextFault{word.column, *reason};
}

void Parser::parse_input(Line& line) {
  line.take();
  const auto kind = std::ranges::find(kInputKinds, line.peek().text);
  if (kind == kInputKinds.end()) Line::fail(line.peek(), "expected operand, key, constant or seed");
  line.take();
  line.expect_end();
  program_.inputs.push_back(static_cast<program::InputKind>(kind - kInputKinds.begin()));
}

void Parser::parse_op(Line& line) {
  in_operations_ = true;
  const Word name = line.take();
  MicroOp op;
  for (std::size_t code = 0;; ++code) {
    if (code == kMicroCodes) Line::fail(name, "expected an operation");
    op.code = static_cast<MicroCode>(code);
    if (info(op.code).name == name.text) break;
  }
  OpReader reader(line);
  internal::visit_syntax(reader, op);
  line.expect_end();
  if (!has_source(op.code)) op.source_modulus = op.modulus;
  reader.check(op);
  if (head_is_sound_) {
    if (auto reason = malformed(op, program_)) throw TextFault{name.column, *reason};
  }
  program_.ops.push_back(op);
}

}  // namespace

std::string to_text(const MicroOp& op) {
  fmt::memory_buffer out;
  write_op(out, op);
  return fmt::to_string(out);
}

std::string to_text(const MicroProgram& program) {
  fmt::memory_buffer out;
  const auto put = [&](auto format, auto&&... arguments) {
    fmt::format_to(std::back_inserter(out), fmt::runtime(format), arguments...);
  };
  put("micro {}\ndegree {} chunk {} word_bits {} rows {} registers {} spills {}\n", kVersion,
      program.degree(), program.layout.chunk_words(), program.word_bits, program.rows,
      program.registers, program.spill_slots);
  for (std::size_t i = 0; i < program.moduli.size(); ++i) {
    put("modulus q{} = {} psi {}\n", i, program.moduli[i].value(), program.moduli[i].psi());
  }
  for (const program::InputKind kind : program.inputs) {
    put("input {}\n", kInputKinds[static_cast<std::size_t>(kind)]);
  }
  put("outputs {}\n", program.outputs);
  for (const MicroOp& op : program.ops) {
    write_op(out, op);
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

base::Result<MicroProgram> parse_micro_text(std::string_view text) { return Parser().parse(text); }

}  // namespace heliodor::machine
