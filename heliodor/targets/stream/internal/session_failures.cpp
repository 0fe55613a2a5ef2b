// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What every session core must do with frames that break the protocol: one status word that says
// what was wrong and where, behind the coefficients that were complete before, and then the next
// session as if nothing had been. Runs on the model here and on the RTL in rtl/top.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "heliodor/targets/stream/internal/session_bench.h"
#include "heliodor/targets/stream/status_word.h"

namespace heliodor::stream::internal {
namespace {

constexpr SessionShape kShape{3, 3, 2, 2};
constexpr std::uint32_t kWords = 16;  // of one coefficient: 4*2 + 2*(2 + 2)
constexpr std::uint32_t kHeader = 3;

using Frames = std::vector<std::vector<std::uint64_t>>;  // 0: profiles, 1 + p: pair p

struct Fault {
  std::string name;
  std::function<void(Frames&)> plant;
  Status status;
  std::uint32_t complete = 0;  // coefficients whose results come before the status
  std::uint32_t degree = kShape.degree;
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
Status in_pair(Reason reason, std::uint8_t index, std::uint32_t position) {
  return {reason, false, index, position};
}

std::vector<Fault> command_faults() {
  return {
      {"unknown command first", [](Frames& f) { f[0][0] = command_word(0x524C4D51); },
       in_table(Reason::unknown_command, 0, 0)},
      {"command halves differ", [](Frames& f) { f[0][0] ^= 1; },
       in_table(Reason::unknown_command, 0, 0)},
      {"no profile table", [](Frames& f) { f.erase(f.begin()); },
       in_table(Reason::no_session, 0, 0)},
      {"unknown command for a pair", [](Frames& f) { f[2][0] = 0; },
       in_pair(Reason::unknown_command, 1, 0), 3},
      {"degree 0", [](Frames&) {}, in_table(Reason::degree, 0, 0), 0, 0},
      {"degree 65537", [](Frames&) {}, in_table(Reason::degree, 0, 0), 0, kMaxDegree + 1},
  };
}

std::vector<Fault> table_faults() {
  std::vector<Fault> faults = {
      {"RLPT alone", [](Frames& f) { f[0].resize(1); }, in_table(Reason::short_frame, 0, 0)},
      {"RLPT ends with the count", [](Frames& f) { f[0].resize(2); },
       in_table(Reason::short_frame, 0, 1)},
      {"RLPT ends with a modulus", [](Frames& f) { f[0].resize(5); },
       in_table(Reason::short_frame, 1, 4)},
      {"RLPT ends one profile early", [](Frames& f) { f[0].resize(6); },
       in_table(Reason::short_frame, 1, 5)},
      {"RLPT one word long", [](Frames& f) { f[0].push_back(f[0][2]); },
       in_table(Reason::long_frame, 2, 7)},
  };
  for (const std::uint32_t count : {0U, 7U, 0x80000001U}) {
    faults.push_back({fmt::format("{} pairs", count),
                      [=](Frames& f) { f[0][1] = pack_word(count, count); },
                      in_table(Reason::pair_count, 0, 1)});
  }
  faults.push_back({"halves of the count differ", [](Frames& f) { f[0][1] = pack_word(3, 2); },
                    in_table(Reason::pair_count, 0, 1)});
  for (const unsigned lane : {0U, 1U}) {
    const std::string where = fmt::format(", lane {}", lane);
    for (const std::uint32_t q : {0U, 1U << 29, (1U << 29) - 1, 1U << 30, 0xe0000001U}) {
      faults.push_back({fmt::format("modulus {}", q) + where,
                        [=](Frames& f) { set_lane(f[0][4], lane, q); },
                        in_table(Reason::modulus, 1, 4)});
    }
    for (const std::uint32_t change : {1U, 0xffffffffU, 0x80000000U, 0x40000000U}) {
      faults.push_back(
          {fmt::format("reciprocal off by {}", change) + where,
           [=](Frames& f) { set_lane(f[0][7], lane, get_lane(f[0][7], lane) + change); },
           in_table(Reason::reciprocal, 2, 7)});
    }
  }
  return faults;
}

std::vector<Fault> header_faults() {
  std::vector<Fault> faults = {
      {"RLMP alone", [](Frames& f) { f[1].resize(1); }, in_pair(Reason::short_frame, 0, 0)},
      {"RLMP ends with the shape", [](Frames& f) { f[1].resize(2); },
       in_pair(Reason::short_frame, 0, 1)},
      {"RLMP ends with the pair", [](Frames& f) { f[2].resize(3); },
       in_pair(Reason::short_frame, 1, 2), 3},
      {"another D later", [](Frames& f) { f[2][1] = pack_word(3, 2); },
       in_pair(Reason::shape_changed, 1, 1), 3},
      {"another B later", [](Frames& f) { f[3][1] = pack_word(2, 1); },
       in_pair(Reason::shape_changed, 2, 1), 6},
      {"another P than the table's", [](Frames& f) { f[1][2] = pack_word(2, 0); },
       in_pair(Reason::pair_count, 0, 2)},
      {"pair 1 first", [](Frames& f) { f.erase(f.begin() + 1); },
       in_pair(Reason::pair_order, 0, 2)},
      {"pair 0 twice", [](Frames& f) { f[2] = f[1]; }, in_pair(Reason::pair_order, 1, 2), 3},
      {"pair 2 before pair 1", [](Frames& f) { std::swap(f[2], f[3]); },
       in_pair(Reason::pair_order, 1, 2), 3},
  };
  for (const std::uint32_t digits : {0U, 17U, 0x10001U}) {
    faults.push_back({fmt::format("D = {}", digits),
                      [=](Frames& f) { f[1][1] = pack_word(digits, 2); },
                      in_pair(Reason::digit_count, 0, 1)});
  }
  for (const std::uint32_t batch : {0U, 65U, 0x10001U}) {
    faults.push_back({fmt::format("B = {}", batch),
                      [=](Frames& f) { f[1][1] = pack_word(2, batch); },
                      in_pair(Reason::batch, 0, 1)});
  }
  return faults;
}

std::vector<Fault> payload_faults() {
  std::vector<Fault> faults;
  const auto last = kHeader + 3 * kWords - 1;
  for (std::uint32_t position = kHeader; position <= last; ++position) {
    const std::uint32_t before = 3 + (position - kHeader) / kWords;  // of pair 0, and of this one
    if (position != last) {
      faults.push_back({fmt::format("pair 1 ends with word {}", position),
                        [=](Frames& f) { f[2].resize(position + 1); },
                        in_pair(Reason::short_frame, 1, position), before});
    }
    const unsigned lane = position % 2;
    faults.push_back({fmt::format("word {} is its modulus", position),
                      [=](Frames& f) { set_lane(f[2][position], lane, get_lane(f[0][4], lane)); },
                      in_pair(Reason::operand, 1, position), before});
    faults.push_back({fmt::format("word {} has its top bit set", position),
                      [=](Frames& f) { f[2][position] |= std::uint64_t{1} << (31 + 32 * lane); },
                      in_pair(Reason::operand, 1, position), before});
  }
  faults.push_back({"pair 1 one word long", [](Frames& f) { f[2].push_back(0); },
                    in_pair(Reason::long_frame, 1, last), 5});
  faults.push_back({"the last pair long", [](Frames& f) { f[3].resize(f[3].size() + 40); },
                    in_pair(Reason::long_frame, 2, last), 8});
  return faults;
}

/// Sends the broken session and a good one behind it; expects the complete coefficients, the status
/// and all of the good session.
void check_fault(SessionBench& bench, const Fault& fault, std::uint64_t seed, Rate rate) {
  SCOPED_TRACE(fmt::format("{} at offer {} take {}", fault.name, rate.offer, rate.take));
  const SessionData data(kShape, seed);
  Frames frames = data.frames();
  fault.plant(frames);
  const auto results = data.expected();
  StreamWords expected;
  for (std::size_t i = 0; i < fault.complete * std::size_t{2} * kShape.batch; ++i) {
    expected.push_back({results[i], false});
  }
  expected.push_back({encode_status(fault.status), true});
  bench.set_degree(fault.degree);
  bench.send(to_stream(frames), rate);
  bench.drain(rate);
  const StreamWords answer = bench.received();
  ASSERT_FALSE(answer.empty());
  const auto status = decode_status(answer.back().data);
  ASSERT_TRUE(status) << "no status";
  ASSERT_EQ(to_string(*status), to_string(fault.status));
  ASSERT_TRUE(answer == expected) << answer.size() << " words, " << expected.size() << " expected";

  const SessionData next(kShape, seed + 1);
  bench.set_degree(kShape.degree);
  bench.send(to_stream(next.frames()), rate);
  bench.drain(rate);
  ASSERT_EQ(first_difference(kShape, to_results(next.expected()), bench.received()), "")
      << "the session after the fault";
}

void check_faults(const std::vector<Fault>& faults) {
  SessionBench bench;
  std::uint64_t seed = 31;
  for (const Rate rate : {Rate{8, 8}, Rate{3, 8}, Rate{8, 2}}) {
    for (const Fault& fault : faults) {
      ASSERT_NO_FATAL_FAILURE(check_fault(bench, fault, seed += 2, rate));
    }
  }
}

TEST(SessionFailures, a_wrong_command_is_named_with_its_place) { check_faults(command_faults()); }

TEST(SessionFailures, every_rule_of_the_profile_table_is_checked) { check_faults(table_faults()); }

// 0 <= 2^60 - mu*q < q, at moduli where the right mu leaves a rest of 1 and of q - 4.
TEST(SessionFailures, a_reciprocal_is_right_at_both_ends_of_its_bound) {
  for (const std::uint32_t q : {538917981U, 536903681U}) {
    for (const int change : {0, 1, -1}) {
      const std::uint32_t mu = make_profile(q, q).mu[0] + static_cast<std::uint32_t>(change);
      SessionBench bench;
      bench.send(to_stream(
          {{command_word(kProfileTag), pack_word(1, 1), pack_word(q, q), pack_word(mu, mu)}}));
      bench.drain();
      const StreamWords answer = bench.received();
      ASSERT_EQ(answer.size(), change == 0 ? 0U : 1U) << q << ' ' << change;
      if (change == 0) continue;
      EXPECT_EQ(decode_status(answer[0].data), in_table(Reason::reciprocal, 0, 3));
    }
  }
}

TEST(SessionFailures, every_rule_of_a_pair_header_is_checked) { check_faults(header_faults()); }

TEST(SessionFailures, every_word_of_a_payload_is_checked_and_earlier_coefficients_survive) {
  check_faults(payload_faults());
}

TEST(SessionFailures, a_session_stopped_anywhere_gives_way_to_the_next_one) {
  SessionBench bench;
  bench.set_degree(kShape.degree);
  const SessionData stopped(kShape, 77);
  const StreamWords words = to_stream(stopped.frames());
  const SessionData next(kShape, 78);
  const auto table_words = static_cast<std::size_t>(kShape.profile_frame_words());
  for (std::size_t sent = 1; sent < words.size(); ++sent) {
    SCOPED_TRACE(fmt::format("stopped after {} words", sent));
    const bool in_the_table = sent < table_words;
    const std::size_t in_pairs = in_the_table ? 0 : sent - table_words;
    const auto pair = static_cast<std::uint8_t>(in_pairs / kShape.pair_frame_words());
    const auto position =
        static_cast<std::uint32_t>(in_the_table ? sent : in_pairs % kShape.pair_frame_words());
    // RLPT in a reciprocal's place is one: the next test.
    if (in_the_table && position >= 2 && position % 2 == 1) continue;
    bench.send({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(sent)});
    if (sent % 3 == 0) bench.idle(200);
    bench.send(to_stream(next.frames()));
    bench.drain();
    StreamWords answer = bench.received();
    const std::size_t whole = next.shape().result_words();
    ASSERT_GT(answer.size(), whole);
    const StreamWords results(answer.end() - static_cast<std::ptrdiff_t>(whole), answer.end());
    ASSERT_EQ(first_difference(kShape, to_results(next.expected()), results), "");
    const StreamWord& status = answer[answer.size() - whole - 1];
    ASSERT_TRUE(status.last);
    const auto profile = static_cast<std::uint8_t>(position < 2 ? 0 : position / 2 - 1);
    ASSERT_EQ(decode_status(status.data), in_the_table
                                              ? in_table(Reason::restarted, profile, position)
                                              : in_pair(Reason::restarted, pair, position));
    const std::uint32_t complete =
        3U * pair + (position < kHeader ? 0 : (position - kHeader) / kWords);
    ASSERT_EQ(answer.size() - whole - 1,
              in_the_table ? 0 : complete * std::size_t{2} * kShape.batch);
  }
}

TEST(SessionFailures, a_table_stopped_before_a_reciprocal_costs_one_session_and_no_more) {
  SessionBench bench;
  bench.set_degree(kShape.degree);
  const SessionData data(kShape, 5);
  const StreamWords words = to_stream(data.frames());
  bench.send({words.begin(), words.begin() + 3});
  bench.send(words);
  bench.drain();
  const StreamWords answer = bench.received();
  ASSERT_EQ(answer.size(), 1U);
  EXPECT_EQ(decode_status(answer[0].data), in_table(Reason::reciprocal, 0, 3));
  bench.send(words);
  bench.drain();
  EXPECT_EQ(first_difference(kShape, to_results(data.expected()), bench.received()), "");
}

TEST(SessionFailures, frames_behind_a_failure_are_swallowed_without_another_status) {
  SessionBench bench;
  bench.set_degree(kShape.degree);
  const SessionData data(kShape, 6);
  Frames frames = data.frames();
  for (std::uint32_t i = 0; i < 5; ++i) frames.insert(frames.begin(), frames[1 + i % 3]);
  bench.send(to_stream(frames));  // five pairs without a table, then a whole session
  bench.drain();
  const StreamWords answer = bench.received();
  ASSERT_EQ(answer.size(), 1 + data.shape().result_words());
  EXPECT_EQ(decode_status(answer[0].data), in_table(Reason::no_session, 0, 0));
  const StreamWords results(answer.begin() + 1, answer.end());
  EXPECT_EQ(first_difference(kShape, to_results(data.expected()), results), "");
}

TEST(SessionFailures, a_status_waits_for_its_reader_and_for_the_results_before_it) {
  SessionBench bench;
  bench.set_degree(kShape.degree);
  const SessionData data(kShape, 8);
  Frames frames = data.frames();
  frames[1].resize(kHeader + kWords + 5);
  const StreamWords words = to_stream({frames[0], frames[1]});
  bench.send(words, {8, 0});
  bench.block(500);
  EXPECT_TRUE(bench.received().empty());
  bench.drain({8, 1});
  const StreamWords answer = bench.received();
  ASSERT_EQ(answer.size(), 4U + 1);
  EXPECT_EQ(decode_status(answer.back().data),
            in_pair(Reason::short_frame, 0, kHeader + kWords + 4));
}

}  // namespace
}  // namespace heliodor::stream::internal
