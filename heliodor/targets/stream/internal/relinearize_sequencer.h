// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who works on which page of the transforms, and when: the twin of
// rtl/top/heliodor_relinearize_sequencer.sv with the clocks of the twiddle generator and of the
// transforms. It moves no data; it says when to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "heliodor/targets/stream/relinearize_frames.h"

namespace heliodor::stream::internal {

inline constexpr std::uint32_t kPages = 4;

/// Clocks of a transform from its start until the next one can start.
std::uint64_t transform_clocks(std::uint32_t log_degree) noexcept;

/// Clocks of the twiddle generator for a table.
constexpr std::uint32_t table_clocks(std::uint32_t log_degree) {
  return 56 + (std::uint32_t{1} << log_degree);
}

/// A page on its way, and what for.
struct PageJob {
  std::uint32_t page = 0;
  std::uint32_t limb = 0;   ///< that it is transformed in
  std::uint32_t digit = 0;  ///< of a load or unload
  bool inverse = false;     ///< of a transform
};

class RelinearizeSequencer {
 public:
  struct View {
    bool clear = false;
    bool run = false;
    bool forward = false;  ///< digits may be loaded
    bool fill_start = false;
    bool fill_last = false;
    bool fill_written = false;
    bool key_last = false;
  };

  /// What was completed in a clock.
  struct Action {
    std::optional<PageJob> transform, unload, load;
  };

  /// One clock. shape: of the session.
  Action clock(const View& view, const RelinearizeShape& shape);

  // What stands on the outputs, during a clock before clock() is called.
  bool page_free() const noexcept { return used_ < kPages; }
  bool result_ready() const noexcept { return done_ != 0 && !unload_more_ && !unloading_; }
  std::uint32_t fill_page() const noexcept { return fill_page_; }
  std::uint32_t drain_page() const noexcept { return drain_page_; }
  bool idle() const noexcept;

 private:
  // Clocks between the last row of a load or unload and its effect.
  static constexpr std::size_t kStoreLatency = 3;
  static constexpr std::size_t kLiftLatency = 4;

  struct Visits {  // limbs in order, once inverse and once forward
    std::uint32_t limb = 0;
    bool forward = false;
    bool more = false;
    void step(std::uint32_t limbs) noexcept;
  };

  /// What is decided in a clock, from what stands there at its beginning.
  struct Signals {
    bool generator_start, generator_finish;
    bool unit_start, unit_finish, retire;
    bool unload_start, unload_last;
    bool load_start, load_last;
  };

  Signals signals(const View& view, const RelinearizeShape& shape) const noexcept;
  void step_pages(const View& view, const Signals& now) noexcept;
  void step_generator(const Signals& now, const RelinearizeShape& shape) noexcept;
  void step_transforms(const Signals& now, const RelinearizeShape& shape) noexcept;
  void step_unloader(const Signals& now, const RelinearizeShape& shape) noexcept;
  void step_loader(const Signals& now, const RelinearizeShape& shape) noexcept;
  void begin_group() noexcept;

  std::uint32_t used_ = 0, filled_ = 0, done_ = 0;  // pages
  std::uint32_t fill_page_ = 0, unit_page_ = 0, drain_page_ = 0;

  std::uint32_t tables_ = 0;
  Visits generator_;
  bool generating_ = false;
  std::uint64_t generator_clocks_ = 0;

  Visits unit_;
  std::uint32_t unit_count_ = 0;  // jobs done of a visit
  bool unit_running_ = false;
  std::uint64_t unit_clocks_ = 0;

  bool unloading_ = false, unload_more_ = false;
  std::uint32_t unload_digit_ = 0, unload_row_ = 0, stored_ = 0;
  std::array<bool, kStoreLatency> storing_{}, store_last_{};

  bool loading_ = false, load_more_ = false;
  std::uint32_t load_limb_ = 0, load_digit_ = 0, load_row_ = 0;
  std::array<bool, kLiftLatency> lifting_{}, lift_last_{};
};

}  // namespace heliodor::stream::internal
