// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What every complete core must do with frames that break the protocol: one status word that says
// what was wrong and where, behind the results whose words were all in, and then the next session
// as if nothing had been. Runs on the model here and on the RTL in rtl/top.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "heliodor/targets/stream/internal/relinearize_bench.h"
#include "heliodor/targets/stream/status_word.h"

namespace heliodor::stream::internal {
namespace {

constexpr RelinearizeShape kShape{3, 2, 3};  // groups of two and of one
constexpr std::uint32_t kHeader = 2;

using Frames = std::vector<std::vector<std::uint64_t>>;  // 0: profiles, 1 + g: group g

struct Fault {
  std::string name;
  std::function<void(Frames&)> plant;
  Status status;
};

void set_lane(std::uint64_t& word, unsigned lane, std::uint32_t value) {
  word = (word & ~(std::uint64_t{0xffffffff} << (32 * lane))) | std::uint64_t{value} << (32 * lane);
}

std::uint32_t get_lane(std::uint64_t word, unsigned lane) {
  return static_cast<std::uint32_t>(word >> (32 * lane));
}

Status in_table(Reason reason, std::uint8_t index, std::uint32_t position) {
  return {reason, true, index, position};
}
Status in_group(Reason reason, std::uint8_t index, std::uint32_t position) {
  return {reason, false, index, position};
}

/// Results of the session whose last word stands before word `position` of group `group`'s frame.
std::size_t results_before(std::uint32_t group, std::uint32_t position) {
  const std::size_t before = std::size_t{2} * group * kShape.limbs * kShape.degree();
  const std::size_t size = kShape.group_size(group);
  const std::size_t degree = kShape.degree();
  const std::size_t keys = (kShape.limbs - 1) * degree;
  const std::size_t own = 1 + 2 * size;
  const std::size_t skipped = kHeader + kShape.limbs * degree * size;
  if (position < skipped) return before;
  const std::size_t of_limb = keys + degree * own;
  const std::size_t limb = (position - skipped) / of_limb;
  const std::size_t rest = (position - skipped) % of_limb;
  std::size_t results = before + limb * degree * size;
  if (rest < keys) return results;
  results += (rest - keys) / own * size;
  // Within a coefficient: an own key, then two words for each result.
  const std::size_t within = (rest - keys) % own;
  return within == 0 ? results : results + (within - 1) / 2;
}

std::vector<Fault> command_faults() {
  return {
      {"unknown command first", [](Frames& f) { f[0][0] = command_word(kProfileTag); },
       in_table(Reason::unknown_command, 0, 0)},
      {"command halves differ", [](Frames& f) { f[0][0] ^= 1; },
       in_table(Reason::unknown_command, 0, 0)},
      {"no profile table", [](Frames& f) { f.erase(f.begin()); },
       in_table(Reason::no_session, 0, 0)},
      {"unknown command for a group", [](Frames& f) { f[2][0] = 0; },
       in_group(Reason::unknown_command, 1, 0)},
  };
}

std::vector<Fault> shape_faults() {
  std::vector<Fault> faults;
  for (const std::uint32_t log_degree : {0U, 2U, 13U, 0x10003U}) {
    faults.push_back({fmt::format("log2 N = {}", log_degree),
                      [=](Frames& f) { f[0][1] = pack_word(log_degree, log_degree); },
                      in_table(Reason::degree, 0, 1)});
  }
  faults.push_back({"halves of log2 N differ", [](Frames& f) { f[0][1] = pack_word(4, 3); },
                    in_table(Reason::degree, 0, 1)});
  for (const std::uint32_t limbs : {0U, 1U, 17U, 0x10002U}) {
    faults.push_back({fmt::format("L = {}", limbs),
                      [=](Frames& f) { f[0][2] = pack_word(limbs, 3); },
                      in_table(Reason::limb_count, 0, 2)});
  }
  faults.push_back({"13 limbs of 4096",
                    [](Frames& f) {
                      f[0][1] = pack_word(12, 12);
                      f[0][2] = pack_word(13, 3);
                    },
                    in_table(Reason::limb_count, 0, 2)});
  for (const std::uint32_t batch : {0U, 65U, 0x10003U}) {
    faults.push_back({fmt::format("B = {}", batch),
                      [=](Frames& f) { f[0][2] = pack_word(2, batch); },
                      in_table(Reason::batch, 0, 2)});
  }
  return faults;
}

std::vector<Fault> profile_faults() {
  std::vector<Fault> faults;
  for (const std::uint32_t size : {1U, 2U, 3U, 4U, 5U, 6U}) {
    faults.push_back(
        {fmt::format("RCPT of {} words", size), [=](Frames& f) { f[0].resize(size); },
         in_table(Reason::short_frame, static_cast<std::uint8_t>(size > 5 ? 1 : 0), size - 1)});
  }
  faults.push_back({"RCPT one word long", [](Frames& f) { f[0].push_back(f[0][3]); },
                    in_table(Reason::long_frame, 1, 6)});
  for (const std::uint32_t q : {0U, 1U << 29, (1U << 29) + 2, (1U << 29) - 1, 1U << 30}) {
    faults.push_back({fmt::format("modulus {}", q), [=](Frames& f) { set_lane(f[0][5], 0, q); },
                      in_table(Reason::modulus, 1, 5)});
  }
  for (const std::uint32_t change : {1U, 0xffffffffU, 0x80000000U, 0x40000000U}) {
    faults.push_back({fmt::format("reciprocal off by {}", change),
                      [=](Frames& f) { set_lane(f[0][3], 1, get_lane(f[0][3], 1) + change); },
                      in_table(Reason::reciprocal, 0, 3)});
  }
  const auto root = [&](const char* name, std::function<std::uint64_t(const Frames&)> make) {
    faults.push_back({name, [=](Frames& f) { f[0][6] = make(f); }, in_table(Reason::root, 1, 6)});
  };
  root("root 1", [](const Frames&) { return pack_word(1, 1); });
  root("root 0", [](const Frames&) { return pack_word(0, 0); });
  root("halves of a root differ", [](const Frames& f) { return f[0][6] ^ 1; });
  root("root not below its modulus", [](const Frames& f) {
    const std::uint32_t psi = get_lane(f[0][6], 0) + get_lane(f[0][5], 0);
    return pack_word(psi, psi);
  });
  root("root of half the order", [](const Frames& f) {
    const std::uint64_t psi = get_lane(f[0][6], 0);
    const auto square = static_cast<std::uint32_t>(psi * psi % get_lane(f[0][5], 0));
    return pack_word(square, square);
  });
  return faults;
}

std::vector<Fault> header_faults() {
  return {
      {"RCGR alone", [](Frames& f) { f[1].resize(1); }, in_group(Reason::short_frame, 0, 0)},
      {"RCGR ends with its header", [](Frames& f) { f[2].resize(2); },
       in_group(Reason::short_frame, 1, 1)},
      {"another group count", [](Frames& f) { f[1][1] = pack_word(3, 0); },
       in_group(Reason::group, 0, 1)},
      {"group 1 first", [](Frames& f) { f.erase(f.begin() + 1); }, in_group(Reason::group, 0, 1)},
      {"group 0 twice", [](Frames& f) { f[2] = f[1]; }, in_group(Reason::group, 1, 1)},
  };
}

std::vector<Fault> payload_faults(std::uint32_t group) {
  std::vector<Fault> faults;
  const auto at = static_cast<std::uint8_t>(group);
  const auto words = static_cast<std::uint32_t>(kShape.group_frame_words(group));
  const std::uint32_t fills = kShape.degree() * kShape.group_size(group);
  const std::uint32_t of_limb = kShape.degree() * (kShape.limbs + 2 * kShape.group_size(group));
  for (std::uint32_t position = kHeader; position < words; ++position) {
    const std::uint32_t payload = position - kHeader;
    const std::uint32_t limb = payload < kShape.limbs * fills
                                   ? payload / fills
                                   : (payload - kShape.limbs * fills) / of_limb;
    if (position + 1 != words) {
      faults.push_back({fmt::format("group {} ends with word {}", group, position),
                        [=](Frames& f) { f[1 + group].resize(position + 1); },
                        in_group(Reason::short_frame, at, position)});
    }
    const unsigned lane = position % 2;
    faults.push_back({fmt::format("group {}, word {} is its modulus", group, position),
                      [=](Frames& f) {
                        set_lane(f[1 + group][position], lane, get_lane(f[0][3 + 2 * limb], 0));
                      },
                      in_group(Reason::operand, at, position)});
  }
  faults.push_back({fmt::format("group {} is a word too long", group),
                    [=](Frames& f) { f[1 + group].push_back(0); },
                    in_group(Reason::long_frame, at, words - 1)});
  return faults;
}

/// Sends the broken session and a good one behind it; expects the results before the fault, the
/// status and all of the good session.
void check_fault(SessionBench& bench, const Fault& fault, std::uint64_t seed, Rate rate) {
  SCOPED_TRACE(fmt::format("{} at offer {} take {}", fault.name, rate.offer, rate.take));
  const RelinearizeData data(kShape, seed);
  Frames frames = data.frames();
  fault.plant(frames);
  const auto results = data.expected();
  StreamWords expected;
  const std::size_t complete =
      fault.status.before_table ? 0 : results_before(fault.status.index, fault.status.position);
  for (std::size_t i = 0; i < complete; ++i) expected.push_back({results[i], false});
  expected.push_back({encode_status(fault.status), true});
  bench.send(to_stream(frames), rate);
  bench.drain(rate);
  const StreamWords answer = bench.received();
  ASSERT_FALSE(answer.empty());
  const auto status = decode_status(answer.back().data);
  ASSERT_TRUE(status) << "no status";
  ASSERT_EQ(to_string(*status, "group"), to_string(fault.status, "group"));
  ASSERT_TRUE(answer == expected) << answer.size() << " words, " << expected.size() << " expected";

  const RelinearizeData next(kShape, seed + 1);
  bench.send(to_stream(next.frames()), rate);
  bench.drain(rate);
  ASSERT_EQ(first_difference(kShape, to_results(next.expected()), bench.received()), "")
      << "the session after the fault";
}

void check_faults(const std::vector<Fault>& faults, std::vector<Rate> rates) {
  SessionBench bench(make_relinearize_core_under_test());
  std::uint64_t seed = 31;
  for (const Rate rate : rates) {
    for (const Fault& fault : faults) {
      ASSERT_NO_FATAL_FAILURE(check_fault(bench, fault, seed += 2, rate));
    }
  }
}

const std::vector<Rate> kRates = {{8, 8}, {3, 8}, {8, 2}};

TEST(RelinearizeFailures, a_wrong_command_is_named_with_its_place) {
  check_faults(command_faults(), kRates);
}

TEST(RelinearizeFailures, every_rule_of_the_shape_is_checked) {
  check_faults(shape_faults(), kRates);
}

TEST(RelinearizeFailures, every_rule_of_a_profile_is_checked) {
  check_faults(profile_faults(), kRates);
}

TEST(RelinearizeFailures, every_rule_of_a_group_header_is_checked) {
  check_faults(header_faults(), kRates);
}

TEST(RelinearizeFailures, every_word_of_a_full_group_is_checked_and_earlier_results_survive) {
  check_faults(payload_faults(0), {{8, 8}});
}

TEST(RelinearizeFailures, every_word_of_a_group_of_one_is_checked_and_earlier_results_survive) {
  check_faults(payload_faults(1), {{5, 5}});
}

TEST(RelinearizeFailures, a_session_stopped_anywhere_gives_way_to_the_next_one) {
  SessionBench bench(make_relinearize_core_under_test());
  const RelinearizeData stopped(kShape, 77);
  const StreamWords words = to_stream(stopped.frames());
  const RelinearizeData next(kShape, 78);
  const auto table_words = static_cast<std::size_t>(kShape.profile_frame_words());
  for (std::size_t sent = 1; sent < words.size(); ++sent) {
    SCOPED_TRACE(fmt::format("stopped after {} words", sent));
    const bool in_the_table = sent < table_words;
    std::size_t position = in_the_table ? sent : sent - table_words;
    std::uint32_t group = 0;
    if (!in_the_table && position >= kShape.group_frame_words(0)) {
      position -= kShape.group_frame_words(0);
      group = 1;
    }
    const auto at = static_cast<std::uint32_t>(position);
    bench.send({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(sent)});
    if (sent % 3 == 0) bench.idle(200);
    bench.send(to_stream(next.frames()));
    bench.drain();
    const StreamWords answer = bench.received();
    const std::size_t whole = next.shape().result_words();
    ASSERT_GT(answer.size(), whole);
    const StreamWords results(answer.end() - static_cast<std::ptrdiff_t>(whole), answer.end());
    ASSERT_EQ(first_difference(kShape, to_results(next.expected()), results), "");
    const StreamWord& status = answer[answer.size() - whole - 1];
    ASSERT_TRUE(status.last);
    const auto profile = static_cast<std::uint8_t>(position < 3 ? 0 : (position - 3) / 2);
    ASSERT_EQ(decode_status(status.data),
              in_the_table ? in_table(Reason::restarted, profile, at)
                           : in_group(Reason::restarted, static_cast<std::uint8_t>(group), at));
    ASSERT_EQ(answer.size() - whole - 1, in_the_table ? 0 : results_before(group, at));
  }
}

TEST(RelinearizeFailures, frames_behind_a_failure_are_swallowed_without_another_status) {
  SessionBench bench(make_relinearize_core_under_test());
  const RelinearizeData data(kShape, 6);
  Frames frames = data.frames();
  for (std::uint32_t i = 0; i < 5; ++i) frames.insert(frames.begin(), frames[1 + i % 2]);
  bench.send(to_stream(frames));  // five groups without a table, then a whole session
  bench.drain();
  const StreamWords answer = bench.received();
  ASSERT_EQ(answer.size(), 1 + data.shape().result_words());
  EXPECT_EQ(decode_status(answer[0].data), in_table(Reason::no_session, 0, 0));
  const StreamWords results(answer.begin() + 1, answer.end());
  EXPECT_EQ(first_difference(kShape, to_results(data.expected()), results), "");
}

TEST(RelinearizeFailures, a_status_waits_for_its_reader_and_for_the_results_before_it) {
  SessionBench bench(make_relinearize_core_under_test());
  const RelinearizeData data(kShape, 8);
  Frames frames = data.frames();
  // Two results of limb 0, and the first word of the third's.
  const std::uint32_t words = kHeader + 2 * 8 * 2 + 8 + 5 + 2;
  frames[1].resize(words);
  bench.send(to_stream({frames[0], frames[1]}), {8, 0});
  bench.block(500);
  EXPECT_TRUE(bench.received().empty());
  bench.drain({8, 1});
  const StreamWords answer = bench.received();
  ASSERT_EQ(answer.size(), 2U + 1);
  EXPECT_EQ(decode_status(answer.back().data), in_group(Reason::short_frame, 0, words - 1));
}

}  // namespace
}  // namespace heliodor::stream::internal
