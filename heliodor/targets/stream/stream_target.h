// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// StreamTarget: the session core as a target. It runs programs of one form (session_program.h) on
// batches: up to kMaxBatch bindings share a session, and more take several. Keys cross the stream
// once for each coefficient of a session, so larger batches cost less for each binding.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "heliodor/program/target.h"
#include "heliodor/targets/stream/session_program.h"
#include "heliodor/targets/stream/transport.h"

namespace heliodor::stream {

using TransportFactory = std::function<std::unique_ptr<Transport>()>;

class StreamPlan : public program::Plan {
 public:
  /// Requires that the program matches.
  StreamPlan(std::shared_ptr<const program::LimbProgram> program, TransportFactory make_transport);

  /// A line for each limb, then the words and clocks of sessions of 1 and kMaxBatch bindings.
  std::string describe() const override;

  const SessionProgram& session_program() const noexcept { return session_; }

 private:
  program::RunReport do_run(std::span<const program::Binding> batch,
                            const program::SharedBinding& shared) const override;
  /// Returns what went wrong, if anything did.
  Reply run_session(Transport& transport, std::span<const program::Binding> batch,
                    const program::SharedBinding& shared) const;

  SessionProgram session_;
  TransportFactory make_transport_;
};

class StreamTarget : public program::Target {
 public:
  /// "stream:session": the core's model at full rate.
  StreamTarget();
  /// Another core or link under another name. The factory is called once in each run and must be
  /// callable from several threads.
  StreamTarget(std::string name, TransportFactory make_transport);

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
