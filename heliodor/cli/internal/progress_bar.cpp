// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ostream>
#include <utility>

namespace heliodor::cli {
namespace {

constexpr double kLeastSeconds = 2;      // shorter work needs no bar
constexpr double kSecondsPerDraw = 0.1;  // terminals are slow
constexpr std::size_t kWidth = 30;
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

ProgressBar::Clock ProgressBar::steady_clock() {
  return [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
}

ProgressBar::ProgressBar(std::ostream* terminal, std::string label, double work, Clock clock)
    : terminal_(terminal),
      label_(std::move(label)),
      work_(work),
      clock_(std::move(clock)),
      start_(clock_()),
      last_drawn_(start_ - kSecondsPerDraw) {}

void ProgressBar::finish() {
  if (visible_) *terminal_ << kClearLine << std::flush;
  visible_ = false;
}

void ProgressBar::advance(double work) {
  done_ += work;
  const double fraction = std::min(done_ / work_, 1.0);
  if (terminal_ == nullptr || !(fraction > 0)) return;
  const double now = clock_();
  const double expected = (now - start_) / fraction;
  if (expected < kLeastSeconds || now - last_drawn_ < kSecondsPerDraw) return;
  last_drawn_ = now;
  draw(fraction, expected * (1 - fraction));
}

void ProgressBar::draw(double fraction, double seconds_left) {
  const auto filled = static_cast<std::size_t>(fraction * kWidth);
  *terminal_ << kClearLine
             << fmt::format("{} [{:.<{}}] {:3.0f}%  {} left", label_, std::string(filled, '#'),
                            kWidth, std::floor(fraction * 100), format_time_left(seconds_left))
             << std::flush;
  visible_ = true;
}

std::string format_time_left(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  const std::uint64_t minutes = (whole + 59) / 60;
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace heliodor::cli
