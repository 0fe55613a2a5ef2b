// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every number has one encoding (the shortest varint) and distances wrap modulo 2^32, so that two
// byte strings decode to the same program only if they are equal. Counts are never trusted: the
// decoder reads element by element and so runs out of bytes before it has taken more memory than a
// multiple of them.

#include "heliodor/program/binary.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/program/internal/names.h"
#include "heliodor/program/verifier.h"

namespace heliodor::program {

namespace {

using base::Position;

constexpr std::array<std::uint8_t, 4> kMagic{'H', 'L', 'P', 1};
constexpr std::size_t kChecksumBytes = 8;
constexpr std::uint8_t kInputTag = 0;

std::array<std::uint8_t, kChecksumBytes> checksum_of(std::span<const std::uint8_t> bytes) {
  const std::uint64_t hash = XXH3_64bits(bytes.data(), bytes.size());
  std::array<std::uint8_t, kChecksumBytes> little_endian{};
  for (std::size_t i = 0; i < kChecksumBytes; ++i) {
    little_endian[i] = static_cast<std::uint8_t>(hash >> (8 * i));
  }
  return little_endian;
}

class Encoder {
 public:
  std::vector<std::uint8_t> encode(const LimbProgram& program);

 private:
  void put_byte(std::uint8_t byte) { bytes_.push_back(byte); }
  void put(std::uint64_t number);
  void put_name(std::string_view name);
  void put_type(ValueType type);
  void put_instruction(const LimbProgram& program, const Instruction& instruction);

  std::vector<std::uint8_t> bytes_;
};

void Encoder::put(std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) put_byte(static_cast<std::uint8_t>(number | 0x80));
  put_byte(static_cast<std::uint8_t>(number));
}

void Encoder::put_name(std::string_view name) {
  put(name.size());
  bytes_.insert(bytes_.end(), name.begin(), name.end());
}

void Encoder::put_type(ValueType type) {
  if (type.is_seed()) return put(0);
  put(std::uint64_t{type.modulus} * 2 + static_cast<std::uint64_t>(type.domain) + 1);
}

void Encoder::put_instruction(const LimbProgram& program, const Instruction& instruction) {
  put_byte(static_cast<std::uint8_t>(instruction.op));
  put_type(program.type(instruction.result));
  put(instruction.operands.size());
  for (const ValueId operand : instruction.operands) put(ValueId{instruction.result - operand});
  put(instruction.scalars.size());
  for (const std::uint64_t scalar : instruction.scalars) put(scalar);
  if (info(instruction.op).parameter != ParameterKind::none) put(instruction.parameter);
}

std::vector<std::uint8_t> Encoder::encode(const LimbProgram& program) {
  bytes_.assign(kMagic.begin(), kMagic.end());
  put_name(program.name());
  put(program.degree());
  put(program.moduli().size());
  for (const ring::Modulus& modulus : program.moduli()) {
    put(modulus.value());
    put(modulus.psi());
  }
  put(program.value_count());
  auto input = program.inputs().begin();
  for (ValueId value = 0; value < program.value_count(); ++value) {
    if (const auto index = program.definition(value)) {
      put_instruction(program, program.instruction(*index));
    } else {
      put_byte(kInputTag);
      put_byte(static_cast<std::uint8_t>(input->kind));
      put_type(program.type(value));
      put_name(input->name);
      ++input;
    }
  }
  put(program.outputs().size());
  for (const Output& output : program.outputs()) {
    put(output.value);
    put_name(output.name);
  }
  const auto checksum = checksum_of(bytes_);
  bytes_.insert(bytes_.end(), checksum.begin(), checksum.end());
  return std::move(bytes_);
}

/// A fault at a byte; thrown inside the decoder only.
struct ByteFault {
  std::size_t offset;
  std::string message;
};

class Decoder {
 public:
  explicit Decoder(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  LimbProgram decode();

 private:
  void check_frame();
  std::vector<ring::Modulus> take_moduli();
  void take_definition(LimbProgram& program);
  void take_input(LimbProgram& program);
  void take_instruction(LimbProgram& program, LimbOp op);
  std::uint8_t take_byte(const char* what);
  std::uint64_t take(const char* what);
  std::uint32_t take_index(const char* what);
  std::string take_name();
  ValueType take_type(const LimbProgram& program);

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::vector<ValueId> operands_;
  std::vector<std::uint64_t> scalars_;
};

void Decoder::check_frame() {
  if (bytes_.size() < kMagic.size() + kChecksumBytes) {
    throw ByteFault{bytes_.size(), fmt::format("{} bytes are fewer than {}", bytes_.size(),
                                               kMagic.size() + kChecksumBytes)};
  }
  if (!std::equal(kMagic.begin(), kMagic.end() - 1, bytes_.begin())) {
    throw ByteFault{0, "the bytes do not begin with \"HLP\""};
  }
  const std::uint8_t version = bytes_[kMagic.size() - 1];
  if (version != kMagic.back()) {
    throw ByteFault{kMagic.size() - 1, fmt::format("version {} is not {}", version, kMagic.back())};
  }
  const std::size_t body = bytes_.size() - kChecksumBytes;
  const auto checksum = checksum_of(bytes_.first(body));
  if (!std::equal(checksum.begin(), checksum.end(),
                  bytes_.begin() + static_cast<std::ptrdiff_t>(body))) {
    throw ByteFault{body, "the checksum differs from that of the bytes before it"};
  }
  bytes_ = bytes_.first(body);
  at_ = kMagic.size();
}

LimbProgram Decoder::decode() {
  check_frame();
  std::string name = take_name();
  LimbProgram program(take_moduli(), std::move(name));
  const std::uint64_t definitions = take("definition count");
  for (std::uint64_t i = 0; i < definitions; ++i) take_definition(program);
  const std::uint64_t outputs = take("output count");
  for (std::uint64_t i = 0; i < outputs; ++i) {
    const ValueId value = take_index("output");
    program.append_output(take_name(), value);
  }
  if (at_ != bytes_.size()) {
    throw ByteFault{at_, fmt::format("{} bytes follow the last output", bytes_.size() - at_)};
  }
  return program;
}

std::vector<ring::Modulus> Decoder::take_moduli() {
  std::size_t start = at_;
  try {
    const std::uint64_t degree = take("degree");
    ring::Modulus::check_degree(degree);
    start = at_;
    const std::uint64_t count = take("modulus count");
    if (count < 1 || count > kMaxModuli) {
      throw ByteFault{start, fmt::format("modulus count {} is not in [1, {}]", count, kMaxModuli)};
    }
    std::vector<ring::Modulus> moduli;
    for (std::uint64_t i = 0; i < count; ++i) {
      start = at_;
      const std::uint64_t q = take("modulus");
      const std::uint64_t psi = take("root psi");
      moduli.emplace_back(q, degree, psi);
    }
    return moduli;
  } catch (const Error& error) {
    throw ByteFault{start, error.what()};
  }
}

void Decoder::take_definition(LimbProgram& program) {
  const std::size_t start = at_;
  const std::uint8_t tag = take_byte("definition");
  if (tag == kInputTag) return take_input(program);
  const auto op = find_limb_op(std::uint64_t{tag});
  if (!op) throw ByteFault{start, fmt::format("opcode {} is unknown", tag)};
  take_instruction(program, *op);
}

void Decoder::take_input(LimbProgram& program) {
  const auto kind = static_cast<InputKind>(take_byte("input kind"));
  const ValueType type = take_type(program);
  program.append_input(kind, take_name(), type);
}

void Decoder::take_instruction(LimbProgram& program, LimbOp op) {
  const ValueType type = take_type(program);
  operands_.clear();
  scalars_.clear();
  const auto result = static_cast<ValueId>(program.value_count());
  const std::uint64_t operands = take("operand count");
  for (std::uint64_t k = 0; k < operands; ++k) operands_.push_back(result - take_index("operand"));
  const std::uint64_t scalars = take("scalar count");
  for (std::uint64_t k = 0; k < scalars; ++k) scalars_.push_back(take("scalar"));
  const bool has_parameter = info(op).parameter != ParameterKind::none;
  program.append(op, type, operands_, scalars_, has_parameter ? take("parameter") : 0);
}

std::uint8_t Decoder::take_byte(const char* what) {
  if (at_ == bytes_.size()) throw ByteFault{at_, fmt::format("the bytes end before the {}", what)};
  return bytes_[at_++];
}

std::uint64_t Decoder::take(const char* what) {
  const std::size_t start = at_;
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = take_byte(what);
    if (shift == 63 && byte > 1) throw ByteFault{start, fmt::format("{} exceeds 64 bits", what)};
    number |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) {
      if (byte == 0 && shift > 0) {
        throw ByteFault{start, fmt::format("{} is not in its shortest form", what)};
      }
      return number;
    }
  }
}

std::uint32_t Decoder::take_index(const char* what) {
  const std::size_t start = at_;
  const std::uint64_t number = take(what);
  if (number > std::numeric_limits<std::uint32_t>::max()) {
    throw ByteFault{start, fmt::format("{} {} exceeds 32 bits", what, number)};
  }
  return static_cast<std::uint32_t>(number);
}

std::string Decoder::take_name() {
  const std::size_t start = at_;
  const std::uint64_t length = take("name");
  if (length > internal::kMaxNameBytes) {
    throw ByteFault{
        start, fmt::format("name has {} bytes, more than {}", length, internal::kMaxNameBytes)};
  }
  std::string name;
  while (name.size() < length) name.push_back(static_cast<char>(take_byte("name's last byte")));
  return name;
}

ValueType Decoder::take_type(const LimbProgram& program) {
  const std::size_t start = at_;
  const std::uint64_t number = take("type");
  if (number == 0) return ValueType::seed();
  const std::uint64_t modulus = (number - 1) / 2;
  if (modulus >= program.moduli().size()) {
    throw ByteFault{
        start, fmt::format("modulus index {} is not below {}", modulus, program.moduli().size())};
  }
  return {static_cast<std::uint32_t>(modulus), static_cast<Domain>((number - 1) % 2)};
}

}  // namespace

std::vector<std::uint8_t> encode_binary(const LimbProgram& program) {
  return Encoder().encode(program);
}

base::Result<LimbProgram> decode_binary(std::span<const std::uint8_t> bytes) {
  try {
    LimbProgram program = Decoder(bytes).decode();
    base::Diagnostics diagnostics = verify(program);
    if (!diagnostics.empty()) return diagnostics;
    return program;
  } catch (const ByteFault& fault) {
    return base::Diagnostics{{{Position::Kind::byte, fault.offset}, fault.message}};
  }
}

}  // namespace heliodor::program
