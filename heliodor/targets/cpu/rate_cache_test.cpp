// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/rate_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "heliodor/base/temporary_folder.h"

namespace heliodor::cpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKey = "a CPU; a table; a version";

// A different number for every rate, none of them short in binary.
KernelRates some_rates() {
  KernelRates rates{};
  double number = 0.1;
  for_each_rate(rates, [&](const std::string& /*name*/, double& rate) { rate = number += 1.7; });
  return rates;
}

class RateCacheTest : public testing::Test {
 protected:
  KernelRates load(const fs::path& file, std::string_view key = kKey) {
    return rates_from(file, key, [&] {
      ++measured_;
      return some_rates();
    });
  }

  static std::string read(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }

  const base::TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
  int measured_ = 0;
};

TEST_F(RateCacheTest, text_form_keeps_every_bit) {
  const KernelRates rates = some_rates();
  const auto parsed = parse_rates(format_rates(rates, kKey), kKey);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(*parsed, rates);
}

TEST_F(RateCacheTest, rates_are_measured_once_and_then_read) {
  const fs::path file = folder_ / "new" / "folder" / "rates.txt";
  EXPECT_EQ(load(file), some_rates());
  EXPECT_EQ(load(file), some_rates());
  EXPECT_EQ(measured_, 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1);  // and no drafts
}

TEST_F(RateCacheTest, rates_of_another_key_are_replaced) {
  const fs::path file = folder_ / "rates.txt";
  load(file, "another CPU");
  load(file);
  load(file);
  EXPECT_EQ(measured_, 2);
}

TEST_F(RateCacheTest, every_shortened_text_is_refused) {
  const std::string text = format_rates(some_rates(), kKey);
  for (std::size_t length = 0; length < text.size(); ++length)
    ASSERT_FALSE(parse_rates(text.substr(0, length), kKey).has_value()) << length;
}

TEST_F(RateCacheTest, text_with_more_behind_it_is_refused) {
  EXPECT_FALSE(parse_rates(format_rates(some_rates(), kKey) + "run 1\n", kKey).has_value());
  EXPECT_FALSE(parse_rates(format_rates(some_rates(), kKey) + "\n", kKey).has_value());
}

TEST_F(RateCacheTest, implausible_numbers_are_refused) {
  const std::string text = format_rates(some_rates(), kKey);
  const std::size_t line = text.find("\ncall ") + 6;
  const std::size_t end = text.find('\n', line);
  const auto with = [&](const std::string& number) {
    return parse_rates(text.substr(0, line) + number + text.substr(end), kKey);
  };
  ASSERT_TRUE(with("2.5").has_value());
  EXPECT_EQ(with("2.5")->call, 2.5);
  EXPECT_TRUE(with("0").has_value());
  for (const char* number : {"", " ", "-1", "nan", "inf", "-inf", "1.1e9", "1e999", "2.5x", "0x10",
                             "2,5", "2.5 2.5", "+1"}) {
    EXPECT_FALSE(with(number).has_value()) << number;
  }
}

TEST_F(RateCacheTest, renamed_and_reordered_lines_are_refused) {
  std::string text = format_rates(some_rates(), kKey);
  text.replace(text.find("uniform"), 7, "Uniform");
  EXPECT_FALSE(parse_rates(text, kKey).has_value());
  const std::string right = format_rates(some_rates(), kKey);
  const std::size_t run = right.find("\nrun ") + 1, call = right.find("\ncall ") + 1;
  const std::size_t end = right.find('\n', call) + 1;
  EXPECT_FALSE(parse_rates(right.substr(0, run) + right.substr(call, end - call) +
                               right.substr(run, call - run) + right.substr(end),
                           kKey)
                   .has_value());
}

TEST_F(RateCacheTest, corrupt_files_are_measured_over) {
  const std::string right = format_rates(some_rates(), kKey);
  std::string binary(5000, '\xff');
  binary[7] = '\0';
  for (const std::string& bytes :
       {std::string(), std::string("\n"), binary, right.substr(0, right.size() / 2),
        right + std::string(1 << 20, 'x'), std::string("{\"rates\": []}\n")}) {
    const fs::path file = folder_ / "rates.txt";
    std::ofstream(file, std::ios::binary) << bytes;
    measured_ = 0;
    EXPECT_EQ(load(file), some_rates());
    EXPECT_EQ(measured_, 1);
    EXPECT_EQ(read(file), right);
  }
}

TEST_F(RateCacheTest, things_that_are_no_files_are_left_alone) {
  const fs::path folder = folder_ / "folder", pipe = folder_ / "pipe";
  fs::create_directories(folder / "inside");
  EXPECT_EQ(load(folder), some_rates());
  EXPECT_TRUE(fs::exists(folder / "inside"));
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(load(pipe), some_rates());  // reading it would wait for a writer
  EXPECT_EQ(measured_, 2);
}

TEST_F(RateCacheTest, place_that_cannot_be_written_only_costs_the_measurement) {
  std::ofstream(folder_ / "file") << "text";
  for (const fs::path& path : {folder_ / "file" / "rates.txt", fs::path("/proc/rates.txt")}) {
    EXPECT_EQ(load(path), some_rates());
  }
  EXPECT_EQ(measured_, 2);
}

TEST_F(RateCacheTest, empty_path_keeps_nothing) {
  load({});
  load({});
  EXPECT_EQ(measured_, 2);
}

TEST_F(RateCacheTest, failed_measurement_leaves_no_file) {
  const fs::path file = folder_ / "rates.txt";
  EXPECT_THROW(
      rates_from(file, kKey, []() -> KernelRates { throw std::runtime_error("no memory"); }),
      std::runtime_error);
  EXPECT_TRUE(fs::is_empty(folder_));
}

// Sets an environment variable, or unsets it for null, until the end of the scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~Variable() { set(old_ ? old_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) const {
    if (value == nullptr) {
      unsetenv(name_);
    } else {
      setenv(name_, value, 1);
    }
  }
  const char* name_;
  std::optional<std::string> old_;
};

TEST_F(RateCacheTest, environment_names_the_folder) {
  const KernelTable& table = *supported_kernel_tables().front();
  const Variable on("HELIODOR_CACHE", nullptr), home("HOME", "/home/somebody");
  {
    const Variable cache("XDG_CACHE_HOME", "/caches");
    EXPECT_EQ(rate_file(table), "/caches/heliodor/rates-portable.txt");
  }
  for (const char* not_absolute : {"", "caches", static_cast<const char*>(nullptr)}) {
    const Variable cache("XDG_CACHE_HOME", not_absolute);
    EXPECT_EQ(rate_file(table), "/home/somebody/.cache/heliodor/rates-portable.txt");
    const Variable homeless("HOME", nullptr);
    EXPECT_EQ(rate_file(table), "");
  }
  const Variable off("HELIODOR_CACHE", "off");
  EXPECT_EQ(rate_file(table), "");
}

TEST_F(RateCacheTest, keys_of_tables_differ_and_are_one_line) {
  std::string last;
  for (const KernelTable* table : supported_kernel_tables()) {
    const std::string key = rate_key(*table);
    EXPECT_NE(key, last);
    EXPECT_EQ(key.find('\n'), std::string::npos);
    last = key;
  }
}

}  // namespace
}  // namespace heliodor::cpu
