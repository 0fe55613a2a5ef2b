// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/transport.h"

#include <fmt/format.h>

#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::stream {

ClockedTransport::ClockedTransport(std::unique_ptr<SessionCore> core, std::uint64_t patience)
    : core_(std::move(core)), patience_(patience) {}

void ClockedTransport::begin(std::uint32_t degree) {
  degree_ = degree;
  clocks_ = 0;
  reply_ = {};
}

void ClockedTransport::send(Words words, bool ends_frame) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = ends_frame && i + 1 == words.size();
    std::uint64_t waited = 0;
    while (!clock(true, words[i], last)) {
      if (++waited > patience_) {
        throw Error(ErrorCode::io, fmt::format("the core took no word for {} clocks", patience_));
      }
    }
  }
}

Reply ClockedTransport::finish() {
  std::uint64_t silent = 0;
  while (!reply_.ended && silent < patience_) {
    const std::size_t before = reply_.results.size();
    clock(false, 0, false);
    silent = reply_.results.size() == before ? silent + 1 : 0;
  }
  return std::exchange(reply_, {});
}

bool ClockedTransport::clock(bool valid, std::uint64_t data, bool last) {
  const CoreOutputs shown = core_->outputs();
  core_->clock({.rst_n = true,
                .degree = degree_,
                .in_valid = valid,
                .in_data = data,
                .in_last = last,
                .out_ready = true});
  ++clocks_;
  if (shown.out_valid) {
    reply_.cycles = clocks_;
    if (!reply_.ended) {
      reply_.status = decode_status(shown.out_data);
      if (!reply_.status) reply_.results.push_back(shown.out_data);
    }
    reply_.ended |= shown.out_last;
  }
  return valid && shown.in_ready;
}

}  // namespace heliodor::stream
