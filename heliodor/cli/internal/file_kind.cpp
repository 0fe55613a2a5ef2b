// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/cli/describe_file.h"
#include "heliodor/cli/internal/describe_machine.h"
#include "heliodor/cli/internal/describe_program.h"
#include "heliodor/cli/internal/describe_trace.h"
#include "heliodor/cli/program_file.h"

namespace heliodor::cli {
namespace {

bool is_machine(const OpenedFile& file) { return file.path().ends_with(".toml"); }

bool holds_ciphertexts(const OpenedFile& file) { return is_ciphertext_file(file.bytes()); }

nlohmann::ordered_json describe_ciphertexts(const OpenedFile& file) {
  try {
    return describe_file(file.bytes());
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", file.path(), error.what()));
  }
}

// What nothing else claims is read as a program, whose diagnostics say where it stops being one.
bool is_anything(const OpenedFile& /*file*/) { return true; }

constexpr FileKind kKinds[] = {
    {is_machine, describe_machine, print_machine, nullptr},
    {holds_ciphertexts, describe_ciphertexts, print_description, nullptr},
    {is_trace, describe_trace, print_trace, nullptr},
    {is_anything, describe_program, print_program, program_text},
};

}  // namespace

OpenedFile::OpenedFile(std::string path) : path_(std::move(path)) {
  if (std::filesystem::is_regular_file(path_)) {
    mapped_.emplace(path_);
  } else {
    read_ = read_file(path_);
  }
}

formats::Bytes OpenedFile::bytes() const noexcept {
  if (mapped_) return mapped_->bytes();
  return {reinterpret_cast<const std::uint8_t*>(read_.data()), read_.size()};
}

std::string_view OpenedFile::text() const noexcept {
  return {reinterpret_cast<const char*>(bytes().data()), bytes().size()};
}

const FileKind& kind_of(const OpenedFile& file) {
  return *std::ranges::find_if(kKinds, [&](const FileKind& kind) { return kind.matches(file); });
}

}  // namespace heliodor::cli
