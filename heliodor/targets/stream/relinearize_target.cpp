// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/relinearize_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "heliodor/targets/stream/internal/batches.h"
#include "heliodor/targets/stream/relinearize_cycles.h"
#include "heliodor/targets/stream/relinearize_model.h"

namespace heliodor::stream {
namespace {

using program::Binding;
using program::LimbProgram;
using program::SharedBinding;

std::unique_ptr<Transport> model_transport() {
  return std::make_unique<ClockedTransport>(std::make_unique<RelinearizeModel>(),
                                            RelinearizeTarget::kPatience);
}

RelinearizeInputs inputs_of(const RelinearizeProgram& session, std::span<const Binding> batch,
                            const SharedBinding& shared) {
  RelinearizeInputs inputs;
  for (const Binding& binding : batch) {
    auto& limbs = inputs.parts.emplace_back();
    for (const RelinearizeRoles& roles : session.limbs) {
      auto& parts = limbs.emplace_back();
      for (std::size_t i = 0; i < kTensorParts; ++i) parts[i] = binding.operands[roles.parts[i]];
    }
  }
  for (const RelinearizeRoles& roles : session.limbs) {
    auto& key_b = inputs.key_b.emplace_back();
    auto& key_a = inputs.key_a.emplace_back();
    for (std::size_t j = 0; j < session.limbs.size(); ++j) {
      key_b.push_back(shared.limbs[roles.key_b[j]]);
      key_a.push_back(shared.limbs[roles.key_a[j]]);
    }
  }
  return inputs;
}

}  // namespace

RelinearizePlan::RelinearizePlan(std::shared_ptr<const LimbProgram> program,
                                 TransportFactory make_transport)
    : Plan(std::move(program)),
      session_(match_relinearize(this->program()).program.value()),
      make_transport_(std::move(make_transport)) {}

std::string RelinearizePlan::describe() const {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const RelinearizeRoles& limb : session_.limbs) {
    fmt::format_to(out, "limb q{}: {} and {}, {} digits\n", limb.modulus,
                   program().outputs()[limb.outputs[0]].name,
                   program().outputs()[limb.outputs[1]].name, session_.limbs.size());
  }
  for (const std::uint32_t batch : {1U, kMaxBatch}) {
    const RelinearizeShape shape = session_.shape(batch);
    const RelinearizeCycles cycles = relinearize_cycles(shape);
    fmt::format_to(out,
                   "session of {}: {} words in, {} words out, {} cycles ({} with a transform)\n",
                   batch, cycles.words, shape.result_words(), cycles.total, cycles.transforms);
  }
  return text;
}

Reply RelinearizePlan::run_session(Transport& transport, std::span<const Binding> batch,
                                   const SharedBinding& shared) const {
  const RelinearizeShape shape = session_.shape(static_cast<std::uint32_t>(batch.size()));
  std::vector<RelinearizeProfile> profiles;
  for (const RelinearizeRoles& limb : session_.limbs) {
    const ring::Modulus& q = program().moduli()[limb.modulus];
    profiles.push_back(make_relinearize_profile(q.value(), q.psi()));
  }
  transport.begin(shape.degree());
  transport.send(pack_relinearize_profiles(shape, profiles), true);
  const RelinearizeInputs inputs = inputs_of(session_, batch, shared);
  std::vector<std::uint64_t> words;
  for (std::uint32_t group = 0; group < shape.groups(); ++group) {
    transport.send(pack_group_header(shape, group), false);
    for (std::uint32_t limb = 0; limb < shape.limbs; ++limb) {
      words.clear();
      append_digit_words(shape, inputs, group, limb, words);
      transport.send(words, false);
    }
    for (std::uint32_t limb = 0; limb < shape.limbs; ++limb) {
      words.clear();
      append_product_words(shape, inputs, group, limb, words);
      transport.send(words, limb + 1 == shape.limbs);
    }
  }
  return transport.finish();
}

program::RunReport RelinearizePlan::do_run(std::span<const Binding> batch,
                                           const SharedBinding& shared) const {
  const auto transport = make_transport_();
  std::uint64_t cycles = 0;
  for (std::size_t first = 0; first < batch.size(); first += kMaxBatch) {
    const auto part = batch.subspan(first, std::min<std::size_t>(kMaxBatch, batch.size() - first));
    const RelinearizeShape shape = session_.shape(static_cast<std::uint32_t>(part.size()));
    const Reply reply = run_session(*transport, part, shared);
    cycles += reply.cycles;
    if (auto fault = internal::fault_of(reply, shape.result_words(), cycles, "group")) {
      return {internal::to_cost(cycles), std::move(fault)};
    }
    for (std::uint32_t limb = 0; limb < shape.limbs; ++limb) {
      for (std::uint32_t slot = 0; slot < part.size(); ++slot) {
        for (std::uint32_t component = 0; component < 2; ++component) {
          unpack_relinearized(shape, reply.results, slot, limb, component,
                              part[slot].outputs[session_.limbs[limb].outputs[component]]);
        }
      }
    }
  }
  return {internal::to_cost(cycles), std::nullopt};
}

RelinearizeTarget::RelinearizeTarget() : RelinearizeTarget("stream:relinearize", model_transport) {}

RelinearizeTarget::RelinearizeTarget(std::string name, TransportFactory make_transport)
    : name_(std::move(name)), make_transport_(std::move(make_transport)) {}

std::optional<std::string> RelinearizeTarget::refusal(const LimbProgram& program) const {
  RelinearizeMatch match = match_relinearize(program);
  if (match.program) return std::nullopt;
  return std::move(match.refusal);
}

program::Cost RelinearizeTarget::predict(const LimbProgram& program) const {
  return predict_batch(program, 1);
}

program::Cost RelinearizeTarget::predict_batch(const LimbProgram& program,
                                               std::size_t batch) const {
  const RelinearizeProgram session = match_relinearize(program).program.value();
  return internal::to_cost(internal::batch_cycles(
      batch, [&](std::uint32_t size) { return relinearize_cycles(session.shape(size)).total; }));
}

std::unique_ptr<const program::Plan> RelinearizeTarget::do_plan(
    std::shared_ptr<const LimbProgram> program) const {
  return std::make_unique<RelinearizePlan>(std::move(program), make_transport_);
}

}  // namespace heliodor::stream
