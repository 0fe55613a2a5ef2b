// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Damaged files end in Error{malformed_file} or parse to what they say; never in anything else, and
// never with more memory than the file itself accounts for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/formats/byte_writer.h"
#include "heliodor/formats/container/container.h"
#include "tests/formats/allocation_meter.h"
#include "tests/formats/read_everything.h"
#include "tests/formats/tiny_files.h"

namespace heliodor::vectors {
namespace {

using formats::Bytes;
using formats::Container;
using formats::ContainerWriter;
using formats::TestSeeds;
using Reader = std::function<void(Bytes)>;
using Wrapper = std::function<FileBytes(FileBytes)>;

// On top of the file's size: messages, parameters, and limbs, each of which has a kilobyte of
// padding (LimbArena).
constexpr std::size_t kSmall = 32768;
constexpr std::size_t kPeakFactor = 8;

/// Outcomes of reading damaged versions of one file.
class Attack {
 public:
  /// `wrap` makes the file to read from what was damaged.
  Attack(
      std::string name, Reader read, Wrapper wrap = [](FileBytes file) { return file; })
      : name_(std::move(name)), read_(std::move(read)), wrap_(std::move(wrap)) {}
  ~Attack() { EXPECT_GT(refused_, 0U) << name_ << ": no damage was noticed"; }

  void expect_handled(const FileBytes& damaged, const std::string& damage) {
    const FileBytes file = wrap_(damaged);
    std::string outcome = "right";
    const AllocationMeter meter;
    try {
      read_(file);
    } catch (const Error& error) {
      outcome = error.code() == ErrorCode::malformed_file ? "refused" : error.what();
    } catch (const std::exception& error) {
      outcome = error.what();
    }
    if (outcome == "refused") ++refused_;
    if (outcome != "right" && outcome != "refused") {
      ADD_FAILURE() << name_ << ", " << damage << ": " << outcome;
    }
    if (meter.largest() > file.size() + kSmall) {
      ADD_FAILURE() << name_ << ", " << damage << ": a block of " << meter.largest() << " bytes";
    }
    if (meter.peak() > kPeakFactor * file.size() + kSmall) {
      ADD_FAILURE() << name_ << ", " << damage << ": " << meter.peak() << " bytes";
    }
  }

 private:
  std::string name_;
  Reader read_;
  Wrapper wrap_;
  std::size_t refused_ = 0;
};

void cut(Attack& attack, const FileBytes& file) {
  for (std::size_t size = 0; size < file.size(); ++size) {
    // Of its very size, so that a sanitizer sees a read past the end.
    attack.expect_handled(FileBytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)),
                          "cut to " + std::to_string(size));
  }
}

void grow(Attack& attack, const FileBytes& file) {
  for (const std::size_t more : {1U, 8U, 64U, 1000U}) {
    for (const std::uint8_t filling : {std::uint8_t{0x00}, std::uint8_t{0xff}}) {
      FileBytes grown = file;
      grown.resize(file.size() + more, filling);
      attack.expect_handled(grown, "grown by " + std::to_string(more));
    }
  }
}

void flip(Attack& attack, const FileBytes& file) {
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (const std::uint8_t mask : {std::uint8_t{0x01}, std::uint8_t{0x80}}) {
      FileBytes flipped = file;
      flipped[at] ^= mask;
      attack.expect_handled(flipped, "flip at " + std::to_string(at));
    }
  }
}

/// Every length, count, size and id stands somewhere in these.
void overwrite(Attack& attack, const FileBytes& file) {
  for (const std::uint64_t value :
       {std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 63, std::uint64_t{1} << 32,
        std::uint64_t{1} << 20, std::uint64_t{file.size()} / 8}) {
    for (std::size_t at = 0; at + sizeof value <= file.size(); ++at) {
      FileBytes changed = file;
      std::memcpy(changed.data() + at, &value, sizeof value);
      attack.expect_handled(changed, std::to_string(value) + " at " + std::to_string(at));
    }
  }
}

void attack_all(const std::vector<NamedFile>& files, const Reader& read) {
  for (const NamedFile& file : files) {
    SCOPED_TRACE(file.name);
    EXPECT_NO_THROW(read(file.bytes));
    Attack attack(file.name, read);
    cut(attack, file.bytes);
    grow(attack, file.bytes);
    flip(attack, file.bytes);
    overwrite(attack, file.bytes);
  }
}

TEST(HostileFilesTest, damaged_openfhe_files_are_refused_or_right) {
  attack_all(tiny_openfhe_files(), read_openfhe);
}

/// Its last eight bytes are the type (1, the first name) and the object (2) of the second key.
FileBytes two_galois_keys() {
  for (NamedFile& file : tiny_openfhe_files()) {
    if (file.name == "BV automorphism keys") return file.bytes;
  }
  return {};
}

std::string refusal(const Reader& read, const FileBytes& file) {
  try {
    read(file);
  } catch (const Error& error) {
    return error.code() == ErrorCode::malformed_file ? error.what() : "another code";
  }
  return "nothing was thrown";
}

TEST(HostileFilesTest, a_pointer_leads_to_a_finished_object_of_its_type_or_nowhere) {
  const FileBytes file = two_galois_keys();
  for (std::uint32_t id = 0; id < 40; ++id) {
    FileBytes changed = file;
    std::memcpy(changed.data() + changed.size() - sizeof id, &id, sizeof id);
    if (changed == file) {
      EXPECT_NO_THROW(read_openfhe(changed));
      continue;
    }
    EXPECT_THAT(refusal(read_openfhe, changed), testing::AnyOf(testing::HasSubstr("no such thing"),
                                                               testing::HasSubstr("null pointer")))
        << id;
  }
}

TEST(HostileFilesTest, a_type_is_named_once) {
  const FileBytes file = two_galois_keys();
  const std::string name = "lbcrypto::EvalKeyRelinImpl<lbcrypto::DCRTPoly>";
  formats::ByteWriter out;
  out.put_bytes(Bytes(file).first(file.size() - 8));
  out.put(std::uint32_t{0x80000004});  // three names came before
  out.put(std::uint64_t{name.size()});
  out.put_bytes({reinterpret_cast<const std::uint8_t*>(name.data()), name.size()});
  out.put_bytes(Bytes(file).last(4));
  EXPECT_THAT(refusal(read_openfhe, out.release()), testing::HasSubstr("names its type twice"));
}

TEST(HostileFilesTest, damaged_seal_files_are_refused_or_right) {
  attack_all(tiny_seal_files(), read_seal);
}

TEST(HostileFilesTest, damaged_containers_are_refused) {
  for (const NamedFile& file : tiny_native_files()) {
    Attack attack(file.name, read_native);
    cut(attack, file.bytes);
    grow(attack, file.bytes);
    flip(attack, file.bytes);
  }
}

// With checksums made right again, so that the damage reaches what lies behind them.
TEST(HostileFilesTest, damaged_sections_are_refused_or_right) {
  const auto rebuild = [](const Container& container, std::size_t index, const FileBytes& section) {
    ContainerWriter out;
    for (std::size_t i = 0; i < container.sections().size(); ++i) {
      const Bytes bytes = i == index ? Bytes(section) : container.section(i);
      const auto& from = container.sections()[i];
      out.add(from.kind, {bytes.begin(), bytes.end()}, from.optional);
    }
    const auto rebuilt = out.finish();
    return FileBytes(rebuilt.begin(), rebuilt.end());
  };
  for (const NamedFile& file : tiny_native_files()) {
    const Container container = Container::view(file.bytes, TestSeeds::accept);
    for (std::size_t i = 0; i < container.sections().size(); ++i) {
      const auto kind = container.sections()[i].kind;
      if (kind == formats::SectionKind::note || kind == formats::SectionKind::test_seed) {
        continue;  // any bytes will do
      }
      const Bytes bytes = container.section(i);
      const FileBytes section(bytes.begin(), bytes.end());
      Attack attack(file.name + ", section " + std::to_string(i), read_native,
                    [&](const FileBytes& damaged) { return rebuild(container, i, damaged); });
      cut(attack, section);
      grow(attack, section);
      flip(attack, section);
    }
  }
}

TEST(HostileFilesTest, sections_in_any_order_are_refused_or_right) {
  for (const NamedFile& file : tiny_native_files()) {
    const Container container = Container::view(file.bytes, TestSeeds::accept);
    const std::size_t count = container.sections().size();
    Attack attack(file.name, read_native);
    for (std::size_t from = 0; from < count; ++from) {
      for (std::size_t to = 0; to < count; ++to) {
        ContainerWriter out;
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t source = i == to ? from : i;  // one section twice, one gone
          const Bytes bytes = container.section(source);
          const auto& section = container.sections()[source];
          out.add(section.kind, {bytes.begin(), bytes.end()}, section.optional);
        }
        const auto rebuilt = out.finish();
        attack.expect_handled({rebuilt.begin(), rebuilt.end()},
                              std::to_string(from) + " for " + std::to_string(to));
      }
    }
  }
}

FileBytes with_parameters(const std::string& json) {
  ContainerWriter out;
  out.add(formats::SectionKind::parameters, {json.begin(), json.end()});
  const auto file = out.finish();
  return {file.begin(), file.end()};
}

TEST(HostileFilesTest, json_that_is_deep_long_or_wrong_is_refused) {
  Attack attack("JSON", read_native);
  const std::string base =
      R"("p":[],"gadgets":[],"error_scale":1,"lift":"fast","sigma":3.2,"degree":4,)";
  const std::string q = R"({"modulus":17,"root":9})";
  EXPECT_NO_THROW(read_native(with_parameters("{" + base + "\"q\":[" + q + "]}")));
  std::size_t handled = 0;
  for (const std::string& json :
       {std::string(100000, '['), "{\"a\":" + std::string(1000, '[') + std::string(1000, ']') + "}",
        std::string("{}"), std::string("[]"), std::string("7"), std::string(),
        "{" + base + "\"q\":[]}", "{" + base + "\"q\":[" + q + "," + q + "]}",
        "{" + base + "\"q\":[{\"modulus\":17.0,\"root\":9}]}",
        "{" + base + "\"q\":[{\"modulus\":-17,\"root\":9}]}",
        "{" + base + "\"q\":[{\"modulus\":15,\"root\":2}]}",
        "{" + base + "\"q\":[{\"modulus\":17,\"root\":3}]}",
        "{" + base + "\"q\":[{\"modulus\":18446744073709551617,\"root\":9}]}",
        "{" + base + "\"q\":[" + q + "],\"extra\":1}",
        "{" + base + "\"q\":[" + q + "],\"secret_weight\":5}",
        "{" + base + "\"q\":[" + q + "],\"sigma\":1e999}",
        "{" + base + "\"q\":" + std::string((1 << 20), ' ') + "[" + q + "]}"}) {
    try {
      read_native(with_parameters(json));
    } catch (const Error& error) {
      handled += error.code() == ErrorCode::malformed_file ? 1 : 0;
    }
    attack.expect_handled(with_parameters(json), json.substr(0, 200));
  }
  EXPECT_EQ(handled, 17U);
}

}  // namespace
}  // namespace heliodor::vectors
