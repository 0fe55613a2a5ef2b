// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// ProgressBar: one line on a terminal that says how far long work is and when it will be done.
//
//   ProgressBar progress(context.terminal, "bench", rounds);
//   for (..) { ..; progress.advance(1); }
//   progress.finish();
//
// Nothing is shown without a terminal, nor while all of the work is expected to take less than
// two seconds.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace heliodor::cli {

class ProgressBar {
 public:
  using Clock = std::function<double()>;  ///< seconds since any moment

  /// `work`: all there is, in any unit that takes about equally long throughout; above 0.
  ProgressBar(std::ostream* terminal, std::string label, double work, Clock clock = steady_clock());
  ~ProgressBar() { finish(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// So much more is done.
  void advance(double work);

  /// Takes the line away, before results are printed where it stands.
  void finish();

 private:
  static Clock steady_clock();
  void draw(double fraction, double seconds_left);

  std::ostream* terminal_;
  std::string label_;
  double work_;
  Clock clock_;
  double start_;
  double done_ = 0;
  double last_drawn_;
  bool visible_ = false;
};

/// "8 s", "3 min 20 s", "1 h 5 min": whole, rounded up.
std::string format_time_left(double seconds);

}  // namespace heliodor::cli
