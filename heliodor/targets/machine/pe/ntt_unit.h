// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Twin model of rtl/ntt/heliodor_ntt_unit.sv: the negacyclic NTT and its inverse, in place, of 8 to
// 4096 words modulo a 30-bit q.
//
//   forward: coefficients in natural order -> slot i holds the value at psi^(2*bitrev(i) + 1)
//   inverse: back, division by N included
//
// The twin knows nothing of banks: it runs the transform at its start, stage by stage, and then
// waits as long as the hardware does. Source of the algorithm: P. Longa, M. Naehrig, "Speeding up
// the number theoretic transform for faster ideal lattice-based cryptography", CANS 2016.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"

namespace heliodor::machine::pe {

inline constexpr unsigned kNttMinLogDegree = 3;
inline constexpr unsigned kNttMaxLogDegree = kNttIndexWidth;

using NttRow = std::array<std::uint32_t, kNttLanes>;

// Twiddle k of the table that both directions use: psi^bitrev(k), bitrev over log_degree bits, for
// 0 < k < 2^log_degree; number 0 is not used. psi^(2^log_degree) = -1 modulo q.
std::vector<std::uint32_t> ntt_twiddles(std::uint32_t q, std::uint32_t psi, unsigned log_degree);

// Clocks from a start until the next one can be taken. log_degree from 3 to 12.
std::uint64_t ntt_unit_clocks(unsigned log_degree) noexcept;

class NttUnit {
 public:
  static constexpr unsigned kReadLatency = kNttUnitReadLatency;

  // Word j of row r has index 8*r + j. All of it counts where ready is set.
  struct Inputs {
    bool rst_n = true;  // low: ready at once; words are undefined after an interrupted transform
    bool start_valid = false;
    bool inverse = false;
    unsigned log_degree = 0;
    std::uint32_t q = 0;
    std::uint32_t mu = 0;
    bool twiddle_valid = false;
    std::uint32_t twiddle_index = 0;
    std::uint32_t twiddle_data = 0;
    bool write_valid = false;
    std::uint32_t write_row = 0;
    NttRow write_data{};
    bool read_valid = false;
    std::uint32_t read_row = 0;
  };

  struct Outputs {
    bool ready = false;
    bool read_valid = false;
    NttRow read_data{};  // has meaning where read_valid is set
  };

  NttUnit();

  // What the ports show in this clock while rst_n is high.
  Outputs outputs() const noexcept;

  // One clock: the outputs during this clock, then the edge that takes the inputs. Indices are in
  // range; a start has log_degree from 3 to 12.
  Outputs step(const Inputs& inputs);

 private:
  struct Read {
    bool valid = false;
    NttRow data{};
  };

  void transform(const Inputs& inputs);
  void stage(const Inputs& inputs, unsigned stage);

  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> twiddles_;
  std::array<Read, kReadLatency> reads_{};  // oldest last
  std::uint64_t busy_clocks_ = 0;
};

}  // namespace heliodor::machine::pe
