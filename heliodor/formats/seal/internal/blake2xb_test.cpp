// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Expected values come from an implementation in Python that shares no code with this one and
// expands the seeds of SEAL's own files to what decrypts.
#include "heliodor/formats/seal/internal/blake2xb.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

namespace heliodor::formats::seal {
namespace {

std::string hex(const std::vector<std::uint8_t>& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  }
  return text;
}

template <std::size_t Size>
std::array<std::uint8_t, Size> counting() {
  std::array<std::uint8_t, Size> bytes;
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

TEST(Blake2xbTest, outputs_of_many_lengths_with_and_without_key) {
  std::vector<std::uint8_t> out(4);
  blake2xb({}, {}, out);
  EXPECT_EQ(hex(out), "e7329082");

  constexpr std::array<std::uint8_t, 3> kAbc{'a', 'b', 'c'};
  out.resize(64);
  blake2xb(kAbc, {}, out);
  EXPECT_EQ(hex(out),
            "2fb422fd52e01ea99b5ba67723173cee4b74f2b6cb5fe527a45b7216b98957a9"
            "46f10f20196d094a391f8aa5e3720962b19d5affde2ed8cc8c489d6e84b75ab2");

  out.resize(200);
  blake2xb(counting<8>(), counting<64>(), out);
  EXPECT_EQ(hex(out),
            "007b58f7a044bfc7fcdc1a2a9f75d9a05a3b5503dac2113cb97d47ad9e705db9"
            "10398181626c7f2f3a7afeb9d30506fd9f6969155403ba0ca1127c6c6b8042fb"
            "fa029ac9a54dc4587bbf8274f6a7b26e0b286374daa26870ed6425afa88d5c5e"
            "31fcfb1bbf3108299b0faf1914069edf22b26477c1f930a62c796001c0cc23ab"
            "34895ee122dbd651631ccb8d9dcac6093067e8d3a6cede3734b05e6a86ad262f"
            "f29610d754bc16102f372af96cabe06663eadf13c12ca7170226a69857f74e88"
            "b5381d910329212a");
}

TEST(Blake2xbTest, words_are_reduced_modulo_each_modulus) {
  const std::array<std::uint64_t, 2> moduli{3, 68719403009};
  std::vector<std::uint64_t> out(16);
  expand_seed(counting<64>(), moduli, 8, out);
  EXPECT_EQ(out, (std::vector<std::uint64_t>{0, 2, 0, 0, 2, 0, 2, 2, 22917373432, 67556179666,
                                             33877136796, 9792682728, 65939317211, 25936891679,
                                             62807252462, 65718871401}));
}

// Half of the words are above the bound of this modulus, so many are drawn again.
TEST(Blake2xbTest, words_above_the_bound_are_drawn_again_in_order) {
  constexpr std::uint64_t kModulus = (std::uint64_t{1} << 63) + 29;
  const std::array<std::uint64_t, 2> moduli{kModulus, kModulus};
  std::vector<std::uint64_t> out(16);
  expand_seed(counting<64>(), moduli, 8, out);
  EXPECT_EQ(
      out, (std::vector<std::uint64_t>{
               8838197048310675735, 1174215508443296493, 5024094011301027932, 7457349475587751230,
               6316990287613314008, 2181251644492305090, 6376493028248281847, 7071316015459367108,
               749704602910951102, 8075931814981159353, 4745600034045784583, 2017705998190690390,
               437609622342421787, 3979505368352300831, 5559566188873798587, 3666550173902849409}));
}

}  // namespace
}  // namespace heliodor::formats::seal
