// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/registry/registry.h"

#include <cstdlib>
#include <span>
#include <string>
#include <utility>

#include "heliodor/base/diagnostic.h"
#include "heliodor/base/error.h"
#include "heliodor/targets/cpu/cpu_target.h"
#include "heliodor/targets/cpu/kernel_table.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/machine_target.h"
#include "heliodor/targets/machine/shipped_machines.h"
#include "heliodor/targets/reference/reference_target.h"
#include "heliodor/targets/stream/relinearize_target.h"
#include "heliodor/targets/stream/stream_target.h"

namespace heliodor::registry {
namespace {

using program::Target;

constexpr std::string_view kCpuPrefix = "cpu:";
constexpr std::string_view kMachinePrefix = "machine:";
constexpr std::string_view kDescriptionSuffix = ".toml";
constexpr std::string_view kSession = "stream:session";
constexpr std::string_view kRelinearize = "stream:relinearize";

std::vector<const cpu::KernelTable*> present_kernel_tables() {
  const char* forced = std::getenv("HELIODOR_CPU");
  if (forced != nullptr && *forced != '\0') return {&cpu::chosen_kernel_table()};
  const auto supported = cpu::supported_kernel_tables();
  return {supported.begin(), supported.end()};
}

// Nothing if no target has that name.
std::unique_ptr<Target> find_target(std::string_view name, unsigned threads) {
  if (name == "reference") return std::make_unique<reference::ReferenceTarget>();
  if (name == kSession) return std::make_unique<stream::StreamTarget>();
  if (name == kRelinearize) return std::make_unique<stream::RelinearizeTarget>();
  if (name == "cpu") return std::make_unique<cpu::CpuTarget>(cpu::chosen_kernel_table(), threads);
  if (name.starts_with(kCpuPrefix)) {
    const std::string_view table_name = name.substr(kCpuPrefix.size());
    for (const cpu::KernelTable* table : cpu::supported_kernel_tables()) {
      if (table->name == table_name) return std::make_unique<cpu::CpuTarget>(*table, threads);
    }
  }
  if (name.starts_with(kMachinePrefix)) {
    const std::string_view machine_name = name.substr(kMachinePrefix.size());
    if (machine_name.ends_with(kDescriptionSuffix)) return make_machine(machine_name);
    for (const std::string& shipped : machine::shipped_machines()) {
      if (shipped != machine_name) continue;
      return std::make_unique<machine::MachineTarget>(machine::shipped_description(shipped));
    }
  }
  return nullptr;
}

std::string present_names() {
  std::string names = "reference, cpu";
  for (const cpu::KernelTable* table : cpu::supported_kernel_tables()) {
    names += ", cpu:" + std::string(table->name);
  }
  for (const std::string& shipped : machine::shipped_machines()) names += ", machine:" + shipped;
  return names + ", machine:FILE.toml, " + std::string(kSession) + ", " + std::string(kRelinearize);
}

}  // namespace

std::vector<std::unique_ptr<Target>> present_targets(unsigned threads) {
  std::vector<std::unique_ptr<Target>> targets;
  targets.push_back(std::make_unique<reference::ReferenceTarget>());
  for (const cpu::KernelTable* table : present_kernel_tables()) {
    targets.push_back(std::make_unique<cpu::CpuTarget>(*table, threads));
  }
  for (const std::string& shipped : machine::shipped_machines()) {
    targets.push_back(
        std::make_unique<machine::MachineTarget>(machine::shipped_description(shipped)));
  }
  return targets;
}

std::unique_ptr<Target> make_target(std::string_view name, unsigned threads) {
  if (auto target = find_target(name, threads)) return target;
  throw Error(ErrorCode::unavailable,
              "there is no target '" + std::string(name) + "' here; present: " + present_names());
}

std::unique_ptr<Target> make_machine(const std::filesystem::path& description) {
  auto parsed = machine::load_description(description);
  if (!parsed) {
    throw Error(ErrorCode::invalid_description,
                base::to_string(parsed.diagnostics(), description.string()));
  }
  return std::make_unique<machine::MachineTarget>(std::move(parsed).value());
}

}  // namespace heliodor::registry
