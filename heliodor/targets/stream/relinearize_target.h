// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// RelinearizeTarget: the complete core as a target. It runs programs of one form
// (relinearize_program.h) on batches: up to kMaxBatch bindings share a session, and more take
// several. Keys cross the stream once for every two bindings.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "heliodor/program/target.h"
#include "heliodor/targets/stream/relinearize_program.h"
#include "heliodor/targets/stream/stream_target.h"
#include "heliodor/targets/stream/transport.h"

namespace heliodor::stream {

class RelinearizePlan : public program::Plan {
 public:
  /// Requires that the program matches.
  RelinearizePlan(std::shared_ptr<const program::LimbProgram> program,
                  TransportFactory make_transport);

  /// A line for each limb, then the words and clocks of sessions of 1 and kMaxBatch bindings.
  std::string describe() const override;

  const RelinearizeProgram& relinearize_program() const noexcept { return session_; }

 private:
  program::RunReport do_run(std::span<const program::Binding> batch,
                            const program::SharedBinding& shared) const override;
  Reply run_session(Transport& transport, std::span<const program::Binding> batch,
                    const program::SharedBinding& shared) const;

  RelinearizeProgram session_;
  TransportFactory make_transport_;
};

class RelinearizeTarget : public program::Target {
 public:
  /// "stream:relinearize": the core's model at full rate.
  RelinearizeTarget();
  /// Another core or link under another name. The factory is called once in each run and must be
  /// callable from several threads.
  RelinearizeTarget(std::string name, TransportFactory make_transport);

  /// The most clocks for which the core takes no word while output is free.
  static constexpr std::uint64_t kPatience = std::uint64_t{1} << 16;

  std::string name() const override { return name_; }
  std::optional<std::string> refusal(const program::LimbProgram& program) const override;
  /// Of a batch of one; seconds at kSessionClockHz.
  program::Cost predict(const program::LimbProgram& program) const override;
  /// Of a whole batch, exactly what a run takes on a link that never stalls. Requires as predict().
  program::Cost predict_batch(const program::LimbProgram& program, std::size_t batch) const;

 private:
  std::unique_ptr<const program::Plan> do_plan(
      std::shared_ptr<const program::LimbProgram> program) const override;

  std::string name_;
  TransportFactory make_transport_;
};

}  // namespace heliodor::stream
