// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The streaming targets on their Verilated RTL, for the command.

#include "Vheliodor_bv_relinearize.h"
#include "Vheliodor_bv_session.h"
#include "heliodor/base/error.h"
#include "heliodor/cli/run_rtl.h"
#include "heliodor/targets/stream/relinearize_target.h"
#include "heliodor/targets/stream/stream_target.h"
#include "rtl/top/verilated_core.h"

namespace heliodor::cli {
namespace {

template <class Dut>
stream::TransportFactory rtl_transport(std::uint64_t patience) {
  return [patience] {
    return std::make_unique<stream::ClockedTransport>(
        std::make_unique<rtl_bench::VerilatedCore<Dut>>(), patience);
  };
}

}  // namespace

std::unique_ptr<program::Target> make_rtl_target(std::string_view name) {
  if (name == "stream:session") {
    return std::make_unique<stream::StreamTarget>(
        "stream:session (RTL)",
        rtl_transport<Vheliodor_bv_session>(stream::ClockedTransport::kPatience));
  }
  if (name == "stream:relinearize") {
    return std::make_unique<stream::RelinearizeTarget>(
        "stream:relinearize (RTL)",
        rtl_transport<Vheliodor_bv_relinearize>(stream::RelinearizeTarget::kPatience));
  }
  throw Error(ErrorCode::unavailable, "there is no RTL of target '" + std::string(name) +
                                          "'; present: stream:session, stream:relinearize");
}

}  // namespace heliodor::cli
