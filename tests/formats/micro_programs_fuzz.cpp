// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// libFuzzer's entry for micro-programs: bytes that begin with "HLDMIC" are read as the binary form,
// with their checksum made right so that it does not stop the fuzzer, others as text. What is read
// must survive the way through both forms, and must be safe to run. A crash, a sanitizer report or
// a thrown error is a finding. docs/reference/formats.md says how to build it.
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "heliodor/targets/machine/micro_binary.h"
#include "heliodor/targets/machine/micro_text.h"
#include "heliodor/targets/machine/shipped_machines.h"
#include "heliodor/targets/machine/simulator.h"

namespace heliodor::machine {
namespace {

constexpr std::string_view kMagic = "HLDMIC";
constexpr std::size_t kChecksumAt = 8;
constexpr std::size_t kBodyAt = 16;

base::Result<MicroProgram> read(std::string_view text) {
  if (!text.starts_with(kMagic) || text.size() < kBodyAt) return parse_micro_text(text);
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  std::uint64_t sum = XXH3_64bits(bytes.data() + kBodyAt, bytes.size() - kBodyAt);
  for (std::size_t i = kChecksumAt; i < kBodyAt; ++i, sum >>= 8) {
    bytes[i] = static_cast<std::uint8_t>(sum);
  }
  return decode_micro_binary(bytes);
}

/// On the tutorial machine, with limbs of zeros.
void run(const MicroProgram& program) {
  static const MachineDescription description = shipped_description("tutorial");
  if (program.degree() > 4096 || program.inputs.size() + program.outputs > 64) return;
  std::vector<std::uint64_t> zeros(program.degree());
  std::vector<std::vector<std::uint64_t>> outputs(program.outputs, zeros);
  HostMemory host;
  host.inputs.assign(program.inputs.size(), zeros);
  host.seeds.resize(program.inputs.size());
  host.outputs.assign(outputs.begin(), outputs.end());
  simulate(description, program, host);
}

void check(const MicroProgram& program) {
  const auto decoded = decode_micro_binary(encode_micro_binary(program));
  if (!decoded || decoded->ops != program.ops) std::abort();
  const std::string text = to_text(program);
  const auto parsed = parse_micro_text(text);
  if (!parsed || to_text(*parsed) != text) std::abort();
  run(program);
}

}  // namespace
}  // namespace heliodor::machine

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto program = heliodor::machine::read({reinterpret_cast<const char*>(data), size});
  if (program) heliodor::machine::check(*program);
  return 0;
}
