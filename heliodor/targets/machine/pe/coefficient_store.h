// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Twin model of rtl/ntt/heliodor_coefficient_store.sv: two banks of words, each owned by the writer
// or by the reader, taken in turn by both.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"

namespace heliodor::machine::pe {

class CoefficientStore {
 public:
  struct Inputs {
    bool rst_n = true;  // low: both banks go to the writer at once
    bool write_valid = false;
    bool write_last = false;  // this write hands the bank over
    std::uint32_t write_address = 0;
    std::uint64_t write_data = 0;
    bool read_valid = false;
    bool read_last = false;  // this read gives the bank back
    std::uint32_t read_address = 0;
  };

  struct Outputs {
    bool write_ready = false;
    bool read_ready = false;
    bool read_valid = false;
    std::uint64_t read_data = 0;  // has meaning where read_valid is set
  };

  // depth: words of a bank, a power of two, at least 2, as the hardware requires.
  explicit CoefficientStore(std::size_t depth = kCoefficientStoreDepth);

  // What the ports show in this clock while rst_n is high.
  Outputs outputs() const noexcept;

  // One clock: the outputs during this clock, then the edge that takes the inputs. Addresses are
  // below depth.
  Outputs step(const Inputs& inputs);

 private:
  struct Bank {
    std::vector<std::uint64_t> words;
    bool full = false;
  };

  std::array<Bank, 2> banks_;
  std::size_t write_bank_ = 0;
  std::size_t read_bank_ = 0;
  bool read_valid_ = false;
  std::uint64_t read_data_ = 0;
};

}  // namespace heliodor::machine::pe
