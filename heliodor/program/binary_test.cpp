// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/binary.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <string>

#include "heliodor/program/internal/sample_program.h"
#include "heliodor/program/text.h"
#include "heliodor/program/verifier.h"

namespace heliodor::program {
namespace {

using base::Diagnostics;
using base::Position;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kChecksumBytes = 8;

/// The bytes followed by their checksum.
Bytes sealed(Bytes bytes) {
  std::uint64_t hash = XXH3_64bits(bytes.data(), bytes.size());
  for (std::size_t i = 0; i < kChecksumBytes; ++i, hash /= 256) {
    bytes.push_back(static_cast<std::uint8_t>(hash % 256));
  }
  return bytes;
}

Bytes unsealed(Bytes bytes) {
  bytes.resize(bytes.size() - kChecksumBytes);
  return bytes;
}

// neg of one input, written out by hand from the format's description.
const Bytes kHead{'H', 'L', 'P', 1, 1, 'p', 16, 1, 97, 28};
const Bytes kBody{2,                 // definitions
                  0, 0, 2, 1,  'x',  // input of kind operand, q0 eval
                  3, 2, 1, 1,  0,    // neg: q0 eval, one operand one value back, no scalars
                  1, 1, 1, 'z'};     // one output: %1

Bytes joined(Bytes head, const Bytes& body) {
  head.insert(head.end(), body.begin(), body.end());
  return head;
}

Diagnostics faults_of(const Bytes& bytes) {
  const auto result = decode_binary(bytes);
  return result ? Diagnostics{} : result.diagnostics();
}

/// Whatever the bytes are, the decoder gives diagnostics or a sound program whose only encoding
/// they are.
bool survives(const Bytes& bytes) {
  const auto result = decode_binary(bytes);
  if (!result) return !result.diagnostics().empty();
  return verify(*result).empty() && encode_binary(*result) == bytes;
}

TEST(BinaryTest, encoding_is_the_documented_bytes) {
  LimbProgram program({ring::Modulus(97, 16, 28)}, "p");
  program.append_input(InputKind::operand, "x", {0, Domain::eval});
  program.append_output("z",
                        program.append(LimbOp::neg, {0, Domain::eval}, std::array<ValueId, 1>{0}));
  EXPECT_EQ(encode_binary(program), sealed(joined(kHead, kBody)));
  const auto result = decode_binary(sealed(joined(kHead, kBody)));
  ASSERT_TRUE(result) << to_string(result.diagnostics(), "bytes");
  EXPECT_TRUE(*result == program);
}

TEST(BinaryTest, every_instruction_round_trips) {
  const LimbProgram program = internal::sample_program();
  const auto result = decode_binary(encode_binary(program));
  ASSERT_TRUE(result) << to_string(result.diagnostics(), "bytes");
  EXPECT_TRUE(*result == program);
}

TEST(BinaryTest, frame_faults_are_named) {
  EXPECT_EQ(faults_of({}), (Diagnostics{{{Position::Kind::byte, 0}, "0 bytes are fewer than 12"}}));
  Bytes bytes = sealed(joined(kHead, kBody));
  bytes[0] = 'X';
  EXPECT_EQ(faults_of(bytes),
            (Diagnostics{{{Position::Kind::byte, 0}, "the bytes do not begin with \"HLP\""}}));
  bytes[0] = 'H';
  bytes[3] = 2;
  EXPECT_EQ(faults_of(bytes), (Diagnostics{{{Position::Kind::byte, 3}, "version 2 is not 1"}}));
  bytes[3] = 1;
  bytes.back() ^= 1;
  EXPECT_EQ(faults_of(bytes),
            (Diagnostics{{{Position::Kind::byte, bytes.size() - 8},
                          "the checksum differs from that of the bytes before it"}}));
}

struct BadBytes {
  Bytes bytes;
  std::size_t offset;
  const char* message;
};

TEST(BinaryTest, each_fault_of_the_head_has_its_byte_and_bound) {
  const Bytes magic{'H', 'L', 'P', 1};
  const Bytes huge{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1};
  const BadBytes cases[] = {
      {{201, 1}, 4, "name has 201 bytes, more than 200"},
      {huge, 4, "name has 9223372036854775808 bytes, more than 200"},
      {{5, 'p'}, 6, "the bytes end before the name's last byte"},
      {{1, 'p'}, 6, "the bytes end before the degree"},
      {{1, 'p', 17}, 6, "degree 17 is not a power of two in [2, 131072]"},
      {{1, 'p', 16, 0}, 7, "modulus count 0 is not in [1, 1024]"},
      {{1, 'p', 16, 0x81, 8}, 7, "modulus count 1025 is not in [1, 1024]"},
      {{1, 'p', 16, 1, 96, 28}, 8, "modulus 96 is not a prime"},
      {{1, 'p', 16, 1, 97}, 9, "the bytes end before the root psi"},
      {{1, 'p', 16, 1, 0xe1, 0, 28}, 8, "modulus is not in its shortest form"},
      {{1, 'p', 16, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2},
       8,
       "modulus exceeds 64 bits"},
  };
  for (const BadBytes& bad : cases) {
    EXPECT_EQ(faults_of(sealed(joined(magic, bad.bytes))),
              (Diagnostics{{{Position::Kind::byte, bad.offset}, bad.message}}));
  }
}

TEST(BinaryTest, each_fault_of_a_definition_has_its_byte_and_bound) {
  const Bytes many{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
  const BadBytes cases[] = {
      {joined(many, {}), 18, "the bytes end before the definition"},
      {{1, 200}, 11, "opcode 200 is unknown"},
      {{1, 0}, 12, "the bytes end before the input kind"},
      {{1, 0, 0, 3}, 13, "modulus index 1 is not below 1"},
      {joined({1, 3, 1}, many), 21, "the bytes end before the operand"},
      {joined({1, 3, 1, 1}, many), 14, "operand 72057594037927935 exceeds 32 bits"},
      {joined({1, 3, 1, 1, 0}, many), 23, "the bytes end before the scalar"},
      {{1, 13, 1, 1, 0, 0}, 16, "the bytes end before the parameter"},
      {joined({0}, many), 19, "the bytes end before the output"},
      {{0, 0, 7}, 12, "1 bytes follow the last output"},
  };
  for (const BadBytes& bad : cases) {
    EXPECT_EQ(faults_of(sealed(joined(kHead, bad.bytes))),
              (Diagnostics{{{Position::Kind::byte, bad.offset}, bad.message}}));
  }
}

TEST(BinaryTest, sound_bytes_of_a_malformed_program_yield_the_findings_of_the_verifier) {
  LimbProgram program({ring::Modulus(97, 16, 28)}, "p");
  program.append_input(static_cast<InputKind>(9), "x", {0, Domain::eval});
  program.append(LimbOp::mul_scalar, {0, Domain::eval}, std::array<ValueId, 1>{7},
                 std::array<std::uint64_t, 1>{~std::uint64_t{0}});
  EXPECT_EQ(faults_of(encode_binary(program)), verify(program));
  EXPECT_EQ(verify(program).size(), 6U);
}

TEST(BinaryHostileTest, every_truncation_is_refused) {
  const Bytes bytes = encode_binary(internal::sample_program());
  const Bytes body = unsealed(bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto end = static_cast<std::ptrdiff_t>(length);
    EXPECT_FALSE(decode_binary(Bytes(bytes.begin(), bytes.begin() + end))) << length;
    if (length >= body.size()) continue;
    const auto resealed = decode_binary(sealed(Bytes(body.begin(), body.begin() + end)));
    EXPECT_FALSE(resealed) << length;
  }
}

TEST(BinaryHostileTest, every_changed_byte_is_caught_by_the_checksum) {
  const Bytes bytes = encode_binary(internal::sample_program());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (unsigned change = 1; change < 256; ++change) {
      Bytes changed = bytes;
      changed[at] = static_cast<std::uint8_t>(changed[at] ^ change);
      ASSERT_FALSE(decode_binary(changed)) << "byte " << at << " xor " << change;
    }
  }
}

TEST(BinaryHostileTest, changed_bytes_under_a_right_checksum_yield_diagnostics_or_a_sound_program) {
  const Bytes body = unsealed(encode_binary(internal::sample_program()));
  for (std::size_t at = 0; at < body.size(); ++at) {
    for (unsigned change = 1; change < 256; ++change) {
      Bytes changed = body;
      changed[at] = static_cast<std::uint8_t>(changed[at] ^ change);
      ASSERT_TRUE(survives(sealed(changed))) << "byte " << at << " xor " << change;
    }
  }
}

TEST(BinaryHostileTest, bytes_left_out_and_doubled_yield_diagnostics_or_a_sound_program) {
  const Bytes body = unsealed(encode_binary(internal::sample_program()));
  for (std::size_t at = 0; at < body.size(); ++at) {
    const auto offset = static_cast<std::ptrdiff_t>(at);
    Bytes shorter = body, longer = body;
    shorter.erase(shorter.begin() + offset);
    longer.insert(longer.begin() + offset, body[at]);
    EXPECT_TRUE(survives(sealed(shorter))) << at;
    EXPECT_TRUE(survives(sealed(longer))) << at;
  }
}

}  // namespace
}  // namespace heliodor::program
