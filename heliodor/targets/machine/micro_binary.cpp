// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/micro_binary.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::machine {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::string_view kMagic = "HLDMIC";
constexpr std::uint16_t kVersion = 1;
constexpr std::size_t kChecksumAt = 8;
constexpr std::size_t kBodyAt = 16;
constexpr std::size_t kFrameBytes = kBodyAt + 10 * 4 + 8;
constexpr std::size_t kModulusBytes = 16;
constexpr std::size_t kOpBytes = 56;

enum Flag : std::uint8_t { kFirst = 1, kLast = 2, kCentred = 4, kResident = 8, kFlags = 15 };

class Writer {
 public:
  template <typename T>
  void put(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes_.push_back(static_cast<std::uint8_t>(std::uint64_t{value} >> (8 * i)));
    }
  }
  void put_op(const MicroOp& op);
  std::vector<std::uint8_t>& bytes() noexcept { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

void Writer::put_op(const MicroOp& op) {
  put(static_cast<std::uint8_t>(op.code));
  put(static_cast<std::uint8_t>((op.first ? kFirst : 0) | (op.last ? kLast : 0) |
                                (op.centred ? kCentred : 0) | (op.resident ? kResident : 0)));
  for (const std::uint8_t byte : {op.window, op.bit, op.stages}) put(byte);
  for (int i = 0; i < 3; ++i) put(std::uint8_t{0});
  for (const std::uint32_t word : {op.modulus, op.source_modulus, op.instruction, op.in[0].bits,
                                   op.in[1].bits, op.out.bits, op.chunk, op.source_chunk}) {
    put(word);
  }
  put(op.immediate);
  put(op.offset);
}

/// A fault at a byte; thrown inside the decoder only.
struct ByteFault {
  std::size_t offset;
  std::string message;
};

/// Reads numbers one after the other. Its user makes sure that there are enough bytes.
class Reader {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  template <typename T>
  T take() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) value |= std::uint64_t{bytes_[at_++]} << (8 * i);
    return static_cast<T>(value);
  }
  MicroOp take_op();
  ring::Modulus take_modulus(std::uint64_t degree);
  void expect_zero(std::size_t count);
  std::size_t at() const noexcept { return at_; }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
};

void Reader::expect_zero(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (bytes_[at_] != 0) throw ByteFault{at_, fmt::format("byte {} is not 0", bytes_[at_])};
    ++at_;
  }
}

ring::Modulus Reader::take_modulus(std::uint64_t degree) {
  const std::size_t start = at_;
  const auto q = take<std::uint64_t>();
  const auto psi = take<std::uint64_t>();
  try {
    return ring::Modulus(q, degree, psi);
  } catch (const Error& error) {
    throw ByteFault{start, error.what()};
  }
}

MicroOp Reader::take_op() {
  const std::size_t start = at_;
  const auto code = take<std::uint8_t>();
  if (code >= kMicroCodes) throw ByteFault{start, fmt::format("code {} is unknown", code)};
  const auto flags = take<std::uint8_t>();
  if (flags > kFlags) throw ByteFault{start + 1, fmt::format("flags {} are unknown", flags)};
  MicroOp op;
  op.code = static_cast<MicroCode>(code);
  op.first = (flags & kFirst) != 0;
  op.last = (flags & kLast) != 0;
  op.centred = (flags & kCentred) != 0;
  op.resident = (flags & kResident) != 0;
  for (std::uint8_t* byte : {&op.window, &op.bit, &op.stages}) *byte = take<std::uint8_t>();
  expect_zero(3);
  for (std::uint32_t* word : {&op.modulus, &op.source_modulus, &op.instruction, &op.in[0].bits,
                              &op.in[1].bits, &op.out.bits, &op.chunk, &op.source_chunk}) {
    *word = take<std::uint32_t>();
  }
  op.immediate = take<std::uint64_t>();
  op.offset = take<std::uint64_t>();
  return op;
}

void check_envelope(Bytes bytes) {
  if (bytes.size() < kFrameBytes) {
    throw ByteFault{bytes.size(),
                    fmt::format("{} bytes are fewer than {}", bytes.size(), kFrameBytes)};
  }
  if (!std::ranges::equal(kMagic, bytes.first(kMagic.size()), {},
                          [](char c) { return static_cast<std::uint8_t>(c); })) {
    throw ByteFault{0, fmt::format("the bytes do not begin with \"{}\"", kMagic)};
  }
  const auto version = Reader(bytes.subspan(kMagic.size())).take<std::uint16_t>();
  if (version != kVersion) {
    throw ByteFault{kMagic.size(), fmt::format("version {} is not {}", version, kVersion)};
  }
  const Bytes body = bytes.subspan(kBodyAt);
  if (Reader(bytes.subspan(kChecksumAt)).take<std::uint64_t>() !=
      XXH3_64bits(body.data(), body.size())) {
    throw ByteFault{kChecksumAt, "the checksum differs from that of the bytes after it"};
  }
}

/// The number of operations, when the sizes of all parts add up to `available` bytes.
std::uint64_t checked_count(std::uint64_t available, std::uint64_t inputs, std::uint64_t moduli,
                            std::uint64_t ops) {
  const std::uint64_t tables = inputs + moduli * kModulusBytes;
  if (tables > available || ops != (available - tables) / kOpBytes ||
      (available - tables) % kOpBytes != 0) {
    throw ByteFault{kBodyAt, fmt::format("{} bytes do not hold {} inputs, {} moduli and {} "
                                         "operations",
                                         available, inputs, moduli, ops)};
  }
  return ops;
}

MicroProgram decode(Bytes bytes) {
  check_envelope(bytes);
  Reader reader(bytes);
  for (std::size_t i = 0; i < kBodyAt; ++i) reader.take<std::uint8_t>();
  MicroProgram program;
  program.layout.degree_bits = reader.take<std::uint32_t>();
  program.layout.chunk_bits = reader.take<std::uint32_t>();
  for (std::uint32_t* field : {&program.word_bits, &program.rows, &program.registers,
                               &program.spill_slots, &program.outputs}) {
    *field = reader.take<std::uint32_t>();
  }
  const auto inputs = reader.take<std::uint32_t>();
  const auto moduli = reader.take<std::uint32_t>();
  reader.expect_zero(4);
  const auto ops =
      checked_count(bytes.size() - kFrameBytes, inputs, moduli, reader.take<std::uint64_t>());
  if (auto reason = malformed_frame(program)) throw ByteFault{kBodyAt, *reason};
  for (std::uint32_t i = 0; i < inputs; ++i) {
    const auto kind = reader.take<std::uint8_t>();
    if (kind > static_cast<std::uint8_t>(program::InputKind::seed)) {
      throw ByteFault{reader.at() - 1, fmt::format("input kind {} is unknown", kind)};
    }
    program.inputs.push_back(static_cast<program::InputKind>(kind));
  }
  const std::size_t moduli_at = reader.at();
  for (std::uint32_t i = 0; i < moduli; ++i) {
    program.moduli.push_back(reader.take_modulus(program.degree()));
  }
  if (auto reason = malformed_frame(program)) throw ByteFault{moduli_at, *reason};
  program.ops.reserve(ops);
  for (std::uint64_t i = 0; i < ops; ++i) {
    const std::size_t start = reader.at();
    program.ops.push_back(reader.take_op());
    if (auto reason = malformed(program.ops.back(), program)) throw ByteFault{start, *reason};
  }
  return program;
}

}  // namespace

std::vector<std::uint8_t> encode_micro_binary(const MicroProgram& program) {
  Writer body;
  body.bytes().reserve(kFrameBytes + program.inputs.size() + program.moduli.size() * kModulusBytes +
                       program.ops.size() * kOpBytes);
  for (const char c : kMagic) body.put(static_cast<std::uint8_t>(c));
  body.put(kVersion);
  body.put(std::uint64_t{0});
  for (const std::uint32_t field :
       {program.layout.degree_bits, program.layout.chunk_bits, program.word_bits, program.rows,
        program.registers, program.spill_slots, program.outputs,
        static_cast<std::uint32_t>(program.inputs.size()),
        static_cast<std::uint32_t>(program.moduli.size()), std::uint32_t{0}}) {
    body.put(field);
  }
  body.put(std::uint64_t{program.ops.size()});
  for (const program::InputKind kind : program.inputs) body.put(static_cast<std::uint8_t>(kind));
  for (const ring::Modulus& modulus : program.moduli) {
    body.put(modulus.value());
    body.put(modulus.psi());
  }
  for (const MicroOp& op : program.ops) body.put_op(op);
  std::vector<std::uint8_t> bytes = std::move(body.bytes());
  Writer checksum;
  checksum.put(std::uint64_t{XXH3_64bits(bytes.data() + kBodyAt, bytes.size() - kBodyAt)});
  std::ranges::copy(checksum.bytes(), bytes.begin() + kChecksumAt);
  return bytes;
}

base::Result<MicroProgram> decode_micro_binary(Bytes bytes) {
  try {
    return decode(bytes);
  } catch (const ByteFault& fault) {
    return base::Diagnostics{{{base::Position::Kind::byte, fault.offset}, fault.message}};
  }
}

}  // namespace heliodor::machine
