// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Damaged traces end in a diagnostic or in a program that verifies; never in anything else, and
// never with more memory than is linear in the text.

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "tests/formats/allocation_meter.h"
#include "tests/formats/read_traces.h"

namespace heliodor::vectors {
namespace {

/// Bytes of memory for each byte of text, over a fixed amount: a line of 12 bytes makes a value
/// with its name, instruction, types and place, in vectors that grow by doubling.
constexpr std::size_t kPeakFactor = 100;
constexpr std::size_t kSmall = 65536;

using Reader = std::function<bool(std::string_view)>;

class Attack {
 public:
  explicit Attack(Reader read) : read_(std::move(read)) {}
  ~Attack() { EXPECT_GT(refused_, 0U) << "no damage was noticed"; }

  void expect_handled(const std::string& text) {
    const AllocationMeter meter;
    try {
      if (!read_(text)) ++refused_;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << "\n" << text;
    }
    if (meter.peak() > kPeakFactor * text.size() + kSmall) {
      ADD_FAILURE() << meter.peak() << " bytes for " << text.size() << ":\n"
                    << text.substr(0, 2000);
    }
  }

 private:
  Reader read_;
  std::size_t refused_ = 0;
};

std::string file(const std::string& name) {
  std::ifstream stream("tests/vectors/traces/" + name);
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void damage_bytes(Attack& attack, const std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    attack.expect_handled(text.substr(0, at));
    for (const char byte : {'\0', '\n', ' ', '#', '%', ',', '0', '9', '=', 'm', 'x', '"', '\xff'}) {
      std::string changed = text;
      changed[at] = byte;
      attack.expect_handled(changed);
    }
    attack.expect_handled(text.substr(0, at) + "99999999999999999999" + text.substr(at));
    attack.expect_handled(text.substr(0, at) + text.substr(at + 1));
  }
}

void damage_lines(Attack& attack, const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start) + 1;
    lines.push_back(text.substr(start, end - start));
    start = end;
  }
  const auto join = [](const std::vector<std::string>& parts) {
    std::string result;
    for (const std::string& part : parts) result += part;
    return result;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t k = 0; k < lines.size(); ++k) {
      std::vector<std::string> changed = lines;
      std::swap(changed[i], changed[k]);
      attack.expect_handled(join(changed));
      changed = lines;
      changed[i] = lines[k];  // one line twice, one gone
      attack.expect_handled(join(changed));
    }
  }
}

TEST(HostileTracesTest, damaged_fhetch_traces_are_refused_or_right) {
  for (const std::string name : {"recorded.fhetch", "declared.fhetch"}) {
    SCOPED_TRACE(name);
    const std::string text = file(name);
    EXPECT_TRUE(read_fhetch(text));
    Attack attack(read_fhetch);
    damage_bytes(attack, text);
    damage_lines(attack, text);
  }
}

TEST(HostileTracesTest, damaged_kernels_are_refused_or_right) {
  const std::string text = file("tensor.csv");
  EXPECT_TRUE(read_p_isa(text));
  Attack attack(read_p_isa);
  damage_bytes(attack, text);
  damage_lines(attack, text);
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST(HostileTracesTest, large_texts_take_memory_in_proportion) {
  const std::string table = "modulus_count 2\nm[0] 0xFFFFFFFFFFFFFFFF\nm[1] 0x61\n";
  constexpr std::size_t kMany = 20000;
  std::string names = table;
  for (std::size_t i = 0; i < kMany; ++i) {
    names += "sr_negp %" + std::to_string(2 * i) + ",%" + std::to_string(2 * i + 1) + ",m=1\n";
  }
  Attack fhetch(read_fhetch);
  for (const std::string& text :
       {names, table + repeated("sr_negp %1,%1,m=1\n", kMany),
        table + repeated("sr_addps %1,%1,0,m=0\n", kMany),
        table + repeated("sr_mulps %1,%1,0,m=1\n", kMany),
        table + repeated("sr_addp %1,%1,%2,m=1\n", kMany), table + repeated("#\n", kMany),
        table + repeated("%", kMany), table + repeated(" ", kMany), repeated("\n", kMany),
        repeated("#", kMany), table + "sr_negp %1, %" + repeated("9", kMany) + ", m=1\n",
        table + "# heliodor output %1 \"" + repeated("a", kMany) + "\"\n",
        repeated("modulus_count 9\n", kMany)}) {
    fhetch.expect_handled(text);
  }
  Attack p_isa(read_p_isa);
  for (const std::string& text :
       {repeated("0,mac,a,a,a,0\n", kMany), repeated("0,muli,a,a,x,0\n", kMany),
        repeated("0,copy,a,b\n", kMany), repeated("0,", kMany), repeated("a", kMany)}) {
    p_isa.expect_handled(text);
  }
}

}  // namespace
}  // namespace heliodor::vectors
