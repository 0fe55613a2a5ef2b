// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/micro_binary.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <string>

#include "heliodor/targets/machine/internal/test_micro_program.h"
#include "heliodor/targets/machine/micro_text.h"

namespace heliodor::machine {
namespace {

using internal::every_operation;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kHeadBytes = 64;
constexpr std::size_t kTableBytes = 4 + 2 * 16;  // four inputs, two moduli
constexpr std::size_t kOpBytes = 56;

/// Makes the checksum right again after a change.
Bytes resealed(Bytes bytes) {
  const std::uint64_t sum = XXH3_64bits(bytes.data() + 16, bytes.size() - 16);
  for (std::size_t i = 0; i < 8; ++i) bytes[8 + i] = static_cast<std::uint8_t>(sum >> (8 * i));
  return bytes;
}

std::string fault(const Bytes& bytes) {
  const auto program = decode_micro_binary(bytes);
  return program ? "" : base::to_string(program.diagnostics(), "b");
}

TEST(MicroBinaryTest, programs_survive_the_way_through_bytes) {
  MicroProgram program = every_operation();
  program.ops.back().offset = 99;  // a field that its code does not use
  const auto decoded = decode_micro_binary(encode_micro_binary(program));
  ASSERT_TRUE(decoded) << base::to_string(decoded.diagnostics(), "b");
  EXPECT_EQ(to_text(*decoded), to_text(program));
  EXPECT_EQ(decoded->ops, program.ops);
  EXPECT_EQ(decoded->moduli, program.moduli);
}

TEST(MicroBinaryTest, the_bytes_are_those_of_the_format) {
  const Bytes bytes = encode_micro_binary(every_operation());
  ASSERT_EQ(bytes.size(), kHeadBytes + kTableBytes + every_operation().ops.size() * kOpBytes);
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 6), "HLDMIC");
  EXPECT_EQ(bytes[6], 1);
  EXPECT_EQ(bytes[16], 6);              // degree_bits
  EXPECT_EQ(bytes[20], 3);              // chunk_bits
  EXPECT_EQ(bytes[kHeadBytes + 3], 3);  // the fourth input is a seed
  const std::size_t load = kHeadBytes + kTableBytes;
  EXPECT_EQ(bytes[load], 0);               // code
  EXPECT_EQ(bytes[load + 1], 8);           // resident
  EXPECT_EQ(bytes[load + 8 + 5 * 4], 24);  // out
  EXPECT_EQ(bytes[load + 8 + 8 * 4], 2);   // immediate
}

TEST(MicroBinaryTest, damaged_bytes_are_refused_by_their_checksum) {
  const Bytes bytes = encode_micro_binary(every_operation());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    Bytes changed = bytes;
    changed[at] ^= 0x40;
    EXPECT_NE(fault(changed), "") << at;
  }
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_NE(fault(cut), "") << length;
  }
}

TEST(MicroBinaryTest, hostile_bytes_with_a_right_checksum_give_sound_programs_or_diagnostics) {
  const Bytes bytes = encode_micro_binary(every_operation());
  for (std::size_t at = 16; at < bytes.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      Bytes changed = bytes;
      changed[at] = static_cast<std::uint8_t>(value);
      const auto program = decode_micro_binary(resealed(changed));
      if (!program) continue;
      EXPECT_EQ(malformed_frame(*program), std::nullopt);
      for (const MicroOp& op : program->ops) EXPECT_EQ(malformed(op, *program), std::nullopt);
    }
  }
}

TEST(MicroBinaryTest, faults_name_their_byte) {
  const Bytes bytes = encode_micro_binary(every_operation());
  const auto changed = [&](std::size_t at, std::uint8_t value) {
    Bytes copy = bytes;
    copy[at] = value;
    return fault(at < 16 ? copy : resealed(copy));
  };
  const std::size_t op = kHeadBytes + kTableBytes;
  EXPECT_EQ(fault({}), "b: byte 0: 0 bytes are fewer than 64\n");
  EXPECT_EQ(changed(0, 'h'), "b: byte 0: the bytes do not begin with \"HLDMIC\"\n");
  EXPECT_EQ(changed(6, 2), "b: byte 6: version 2 is not 1\n");
  EXPECT_EQ(changed(8, static_cast<std::uint8_t>(bytes[8] + 1)),
            "b: byte 8: the checksum differs from that of the bytes after it\n");
  EXPECT_EQ(changed(16, 60), "b: byte 16: degree 2^60 is not in [2, 131072]\n");
  EXPECT_EQ(changed(52, 1), "b: byte 52: byte 1 is not 0\n");
  EXPECT_EQ(changed(kHeadBytes, 4), "b: byte 64: input kind 4 is unknown\n");
  EXPECT_EQ(changed(op, 23), "b: byte 100: code 23 is unknown\n");
  EXPECT_EQ(changed(op + 1, 16), "b: byte 101: flags 16 are unknown\n");
  EXPECT_EQ(changed(op + 5, 9), "b: byte 105: byte 9 is not 0\n");
  EXPECT_EQ(changed(op + 8, 2), "b: byte 100: modulus 2 is not below 2\n");
}

TEST(MicroBinaryTest, counts_must_match_the_bytes) {
  Bytes bytes = encode_micro_binary(every_operation());
  bytes[48] = 0xff;  // modulus count
  bytes[51] = 0xff;
  EXPECT_NE(fault(resealed(bytes)).find("do not hold 4 inputs, 4278190335 moduli"),
            std::string::npos);
  bytes = encode_micro_binary(every_operation());
  bytes[63] = 0xff;  // operation count
  EXPECT_NE(fault(resealed(bytes)).find("do not hold"), std::string::npos);
  bytes = encode_micro_binary(every_operation());
  bytes.push_back(0);
  EXPECT_NE(fault(resealed(bytes)).find("do not hold"), std::string::npos);
}

}  // namespace
}  // namespace heliodor::machine
