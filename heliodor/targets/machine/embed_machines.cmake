# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0

# cmake -D OUTPUT=x.cpp -D FOLDER=machines -D NAMES=a,b -P embed_machines.cmake
#
# Writes a source file that holds the text of FOLDER/<name>.toml for every name, so that the library needs no file at
# run time.

string(REPLACE "," ";" names "${NAMES}")
set(rows "")
foreach(name IN LISTS names)
  file(READ ${FOLDER}/${name}.toml text)
  string(APPEND rows "    {\"${name}\", R\"__toml__(${text})__toml__\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// generated from machines/*.toml by embed_machines.cmake; do not edit

#include <array>

#include \"heliodor/targets/machine/internal/embedded_machines.h\"

namespace heliodor::machine::internal {

std::span<const EmbeddedMachine> embedded_machines() noexcept {
  static constexpr auto kMachines = std::to_array<EmbeddedMachine>({
${rows}  });
  return kMachines;
}

}  // namespace heliodor::machine::internal
")
