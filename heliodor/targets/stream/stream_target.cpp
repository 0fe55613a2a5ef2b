// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/stream_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "heliodor/targets/stream/internal/batches.h"
#include "heliodor/targets/stream/session_cycles.h"
#include "heliodor/targets/stream/session_model.h"

namespace heliodor::stream {
namespace {

using program::Binding;
using program::LimbProgram;
using program::SharedBinding;

// Coefficients packed at a time: a frame of 65,536 coefficients never stands in memory as a whole.
constexpr std::uint32_t kChunk = 64;

std::unique_ptr<Transport> model_transport() {
  return std::make_unique<ClockedTransport>(std::make_unique<SessionModel>());
}

LaneInputs lane_inputs(const LimbRoles& roles, std::span<const Binding> batch,
                       const SharedBinding& shared) {
  LaneInputs lane;
  for (const Binding& binding : batch) {
    auto& parts = lane.parts.emplace_back();
    for (std::size_t i = 0; i < kTensorParts; ++i) parts[i] = binding.operands[roles.parts[i]];
  }
  for (std::size_t j = 0; j < roles.digits.size(); ++j) {
    auto& slots = lane.digits.emplace_back();
    for (const Binding& binding : batch) slots.push_back(binding.operands[roles.digits[j]]);
    lane.key_b.push_back(shared.limbs[roles.key_b[j]]);
    lane.key_a.push_back(shared.limbs[roles.key_a[j]]);
  }
  return lane;
}

/// The limbs of a pair, lane by lane. A last limb without a partner stands in both lanes.
std::array<const LimbRoles*, kLanes> lanes_of(const SessionProgram& session, std::uint32_t pair) {
  const std::size_t first = kLanes * pair;
  return {&session.limbs[first], &session.limbs[std::min(first + 1, session.limbs.size() - 1)]};
}

}  // namespace

StreamPlan::StreamPlan(std::shared_ptr<const LimbProgram> program, TransportFactory make_transport)
    : Plan(std::move(program)),
      session_(match_session(this->program()).program.value()),
      make_transport_(std::move(make_transport)) {}

std::string StreamPlan::describe() const {
  std::string text;
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < session_.limbs.size(); ++i) {
    const LimbRoles& limb = session_.limbs[i];
    fmt::format_to(out, "limb q{} in lane {} of pair {}: {} and {}, {} digits\n", limb.modulus,
                   i % kLanes, i / kLanes, program().outputs()[limb.outputs[0]].name,
                   program().outputs()[limb.outputs[1]].name, limb.digits.size());
  }
  for (const std::uint32_t batch : {1U, kMaxBatch}) {
    const SessionShape shape = session_.shape(batch);
    const SessionCycles cycles = session_cycles(shape);
    fmt::format_to(out, "session of {}: {} words in, {} words out, {} cycles ({} waiting)\n", batch,
                   shape.profile_frame_words() + shape.pairs * shape.pair_frame_words(),
                   shape.result_words(), cycles.total, cycles.waits);
  }
  return text;
}

Reply StreamPlan::run_session(Transport& transport, std::span<const Binding> batch,
                              const SharedBinding& shared) const {
  const SessionShape shape = session_.shape(static_cast<std::uint32_t>(batch.size()));
  std::vector<Profile> profiles;
  for (std::uint32_t pair = 0; pair < shape.pairs; ++pair) {
    const auto lanes = lanes_of(session_, pair);
    profiles.push_back(make_profile(program().moduli()[lanes[0]->modulus].value(),
                                    program().moduli()[lanes[1]->modulus].value()));
  }
  transport.begin(shape.degree);
  transport.send(pack_profile_frame(profiles), true);
  std::vector<std::uint64_t> words;
  for (std::uint32_t pair = 0; pair < shape.pairs; ++pair) {
    const auto lanes = lanes_of(session_, pair);
    const PairInputs inputs = {lane_inputs(*lanes[0], batch, shared),
                               lane_inputs(*lanes[1], batch, shared)};
    transport.send(pack_pair_header(shape, pair), false);
    for (std::uint32_t first = 0; first < shape.degree; first += kChunk) {
      const std::uint32_t end = std::min(first + kChunk, shape.degree);
      words.clear();
      append_coefficients(shape, inputs, first, end, words);
      transport.send(words, end == shape.degree);
    }
  }
  return transport.finish();
}

program::RunReport StreamPlan::do_run(std::span<const Binding> batch,
                                      const SharedBinding& shared) const {
  const auto transport = make_transport_();
  std::uint64_t cycles = 0;
  for (std::size_t first = 0; first < batch.size(); first += kMaxBatch) {
    const auto part = batch.subspan(first, std::min<std::size_t>(kMaxBatch, batch.size() - first));
    const SessionShape shape = session_.shape(static_cast<std::uint32_t>(part.size()));
    const Reply reply = run_session(*transport, part, shared);
    cycles += reply.cycles;
    if (auto fault = internal::fault_of(reply, shape.result_words(), cycles, "pair")) {
      return {internal::to_cost(cycles), std::move(fault)};
    }
    for (std::size_t i = 0; i < session_.limbs.size(); ++i) {
      for (std::uint32_t slot = 0; slot < part.size(); ++slot) {
        for (std::uint32_t component = 0; component < 2; ++component) {
          unpack_result(shape, reply.results, static_cast<std::uint32_t>(i / kLanes), slot,
                        component, static_cast<std::uint32_t>(i % kLanes),
                        part[slot].outputs[session_.limbs[i].outputs[component]]);
        }
      }
    }
  }
  return {internal::to_cost(cycles), std::nullopt};
}

StreamTarget::StreamTarget() : StreamTarget("stream:session", model_transport) {}

StreamTarget::StreamTarget(std::string name, TransportFactory make_transport)
    : name_(std::move(name)), make_transport_(std::move(make_transport)) {}

std::optional<std::string> StreamTarget::refusal(const LimbProgram& program) const {
  SessionMatch match = match_session(program);
  if (match.program) return std::nullopt;
  return std::move(match.refusal);
}

program::Cost StreamTarget::predict(const LimbProgram& program) const {
  return predict_batch(program, 1);
}

program::Cost StreamTarget::predict_batch(const LimbProgram& program, std::size_t batch) const {
  const SessionProgram session = match_session(program).program.value();
  return internal::to_cost(internal::batch_cycles(
      batch, [&](std::uint32_t size) { return session_cycles(session.shape(size)).total; }));
}

std::unique_ptr<const program::Plan> StreamTarget::do_plan(
    std::shared_ptr<const LimbProgram> program) const {
  return std::make_unique<StreamPlan>(std::move(program), make_transport_);
}

}  // namespace heliodor::stream
