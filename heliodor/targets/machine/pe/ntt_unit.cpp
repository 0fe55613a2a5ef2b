// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/ntt_unit.h"

#include <algorithm>

#include "heliodor/targets/machine/pe/ntt_butterfly.h"

namespace heliodor::machine::pe {
namespace {

unsigned reversed(unsigned value, unsigned bits) {
  unsigned result = 0;
  for (unsigned bit = 0; bit < bits; ++bit) {
    result |= ((value >> bit) & 1) << (bits - 1 - bit);
  }
  return result;
}

// Stages with the same lowest free bit share their groups of eight words.
unsigned lowest_free_bit(unsigned stage, unsigned log_degree) {
  return std::min(stage - stage % 3, log_degree - 3);
}

}  // namespace

std::vector<std::uint32_t> ntt_twiddles(std::uint32_t q, std::uint32_t psi, unsigned log_degree) {
  std::vector<std::uint32_t> twiddles(std::size_t{1} << log_degree);
  std::uint64_t power = 1;
  for (unsigned exponent = 0; exponent < twiddles.size(); ++exponent) {
    twiddles[reversed(exponent, log_degree)] = static_cast<std::uint32_t>(power);
    power = power * psi % q;
  }
  return twiddles;
}

std::uint64_t ntt_unit_clocks(unsigned log_degree) noexcept {
  const std::uint64_t groups = std::uint64_t{1} << (log_degree - 3);
  const std::uint64_t turnaround = kNttUnitTurnaround;
  std::uint64_t clocks = 1;
  for (unsigned stage = log_degree - 1; stage > 0; --stage) {
    const bool same_groups =
        lowest_free_bit(stage, log_degree) == lowest_free_bit(stage - 1, log_degree);
    clocks += same_groups ? std::max(groups, turnaround) : groups - 1 + turnaround;
  }
  return clocks + groups - 1 + turnaround;
}

NttUnit::NttUnit()
    : words_(std::size_t{1} << kNttMaxLogDegree), twiddles_(std::size_t{1} << kNttMaxLogDegree) {}

NttUnit::Outputs NttUnit::outputs() const noexcept {
  return {busy_clocks_ == 0, reads_.back().valid, reads_.back().data};
}

void NttUnit::stage(const Inputs& inputs, unsigned stage) {
  const std::size_t degree = std::size_t{1} << inputs.log_degree;
  const std::size_t distance = std::size_t{1} << stage;
  const std::size_t blocks = degree / (2 * distance);
  for (std::size_t block = 0; block < blocks; ++block) {
    // The mirror image of a twiddle is -1 over it.
    const std::size_t number = blocks + (inputs.inverse ? blocks - 1 - block : block);
    for (std::size_t i = 2 * distance * block; i < 2 * distance * block + distance; ++i) {
      const NttButterflyResult pair =
          ntt_butterfly({inputs.inverse, words_[i], words_[i + distance], twiddles_[number],
                         inputs.q, inputs.mu});
      words_[i] = pair.u;
      words_[i + distance] = pair.v;
    }
  }
}

void NttUnit::transform(const Inputs& inputs) {
  for (unsigned i = 0; i < inputs.log_degree; ++i) {
    stage(inputs, inputs.inverse ? i : inputs.log_degree - 1 - i);
  }
}

NttUnit::Outputs NttUnit::step(const Inputs& inputs) {
  if (!inputs.rst_n) {
    busy_clocks_ = 0;
    for (Read& read : reads_) {
      read.valid = false;
    }
    return outputs();
  }
  const Outputs shown = outputs();
  std::ranges::move_backward(reads_.begin(), reads_.end() - 1, reads_.end());
  reads_.front().valid = shown.ready && inputs.read_valid;
  if (!shown.ready) {
    --busy_clocks_;
    return shown;
  }
  std::copy_n(words_.begin() + inputs.read_row * kNttLanes, kNttLanes, reads_.front().data.begin());
  if (inputs.write_valid) {
    std::ranges::copy(inputs.write_data, words_.begin() + inputs.write_row * kNttLanes);
  }
  if (inputs.twiddle_valid) {
    twiddles_[inputs.twiddle_index] = inputs.twiddle_data;
  }
  if (inputs.start_valid) {
    transform(inputs);
    busy_clocks_ = ntt_unit_clocks(inputs.log_degree) - 1;
  }
  return shown;
}

}  // namespace heliodor::machine::pe
