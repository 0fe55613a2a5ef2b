// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/program_file.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/base/error.h"
#include "heliodor/program/binary.h"
#include "heliodor/program/text.h"

namespace heliodor::cli {
namespace {

constexpr const char* kTextSuffix = ".limb";
constexpr const char* kBinarySuffix = ".hlp";
constexpr std::string_view kBinaryMagic = "HLP\x01";

base::Result<program::LimbProgram> parse(const std::filesystem::path& path,
                                         std::string_view bytes) {
  if (!is_binary_program(path, bytes)) return program::parse_text(bytes);
  return program::decode_binary(
      {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw Error(ErrorCode::io, fmt::format("{}: no such file", path.string()));
  }
  if (std::filesystem::is_directory(status)) {
    throw Error(ErrorCode::io, fmt::format("{}: is a directory", path.string()));
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof()) {
    throw Error(ErrorCode::io, fmt::format("{}: cannot be read", path.string()));
  }
  if (bytes.empty()) {
    throw Error(ErrorCode::malformed_file, fmt::format("{}: is empty", path.string()));
  }
  return bytes;
}

bool is_binary_program(const std::filesystem::path& path, std::string_view bytes) {
  return path.extension() == kBinarySuffix || bytes.starts_with(kBinaryMagic);
}

program::LimbProgram parse_program(const std::filesystem::path& path, std::string_view bytes) {
  auto program = parse(path, bytes);
  if (!program) {
    throw Error(ErrorCode::malformed_file, base::to_string(program.diagnostics(), path.string()));
  }
  return std::move(program).value();
}

program::LimbProgram load_program(const std::filesystem::path& path) {
  return parse_program(path, read_file(path));
}

void save_program(const std::filesystem::path& path, const program::LimbProgram& program) {
  std::string bytes;
  if (path.extension() == kTextSuffix) {
    bytes = program::to_text(program);
  } else if (path.extension() == kBinarySuffix) {
    const std::vector<std::uint8_t> binary = program::encode_binary(program);
    bytes.assign(binary.begin(), binary.end());
  } else {
    throw Error(ErrorCode::out_of_range,
                fmt::format("{}: the name must end in {} (text) or {} (binary)", path.string(),
                            kTextSuffix, kBinarySuffix));
  }
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw Error(ErrorCode::io, fmt::format("{}: cannot be written", path.string()));
}

}  // namespace heliodor::cli
