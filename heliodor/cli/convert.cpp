// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor convert: a program between its text and its binary form and traces of other tools; keys
// and ciphertexts between OpenFHE's files and containers, and from SEAL's files to containers.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/cli/describe_file.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/internal/convert_trace.h"
#include "heliodor/formats/container/object_reader.h"
#include "heliodor/formats/mapped_file.h"
#include "heliodor/formats/openfhe/codec.h"
#include "heliodor/formats/openfhe/convert.h"
#include "heliodor/formats/openfhe/exchange.h"
#include "heliodor/formats/seal/codec.h"
#include "heliodor/formats/seal/exchange.h"

namespace heliodor::cli {
namespace {

constexpr const char* kContainerSuffix = ".hld";
constexpr const char* kOpenfheSuffix = ".bin";

struct ConvertOptions {
  std::string from;
  std::string to;
  std::string with;
  TraceOptions trace;
  bool json = false;
};

void convert_program(const ConvertOptions& options, Context& context) {
  const program::LimbProgram program = import_program(options.from, options.trace);
  export_program(options.to, program, options.trace);
  if (options.json) {
    const nlohmann::ordered_json json = {{"command", "convert"},
                                         {"from", options.from},
                                         {"to", options.to},
                                         {"program", program.name()},
                                         {"instructions", program.instruction_count()}};
    context.out << json.dump(2) << '\n';
    return;
  }
  context.out << fmt::format("{}: \"{}\", {} instructions\n", options.to, program.name(),
                             program.instruction_count());
}

void check_suffix(const ConvertOptions& options, const char* suffix, const char* meaning) {
  if (std::filesystem::path(options.to).extension() != suffix) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("{}: the name must end in {} ({})", options.to, suffix, meaning));
  }
}

formats::Access access_to(const formats::ObjectReader& objects) {
  const bool secret = std::ranges::any_of(objects.entries(), [](const auto& entry) {
    return entry.kind == formats::ObjectKind::secret_key;
  });
  return secret ? formats::Access::owner : formats::Access::by_umask;
}

void write(const ConvertOptions& options, formats::Bytes bytes, std::size_t size_before,
           formats::Access access, Context& context) {
  formats::write_file(options.to, bytes, access);
  if (options.json) {
    const nlohmann::ordered_json json = {{"command", "convert"},
                                         {"from", options.from},
                                         {"to", options.to},
                                         {"bytes_before", size_before},
                                         {"bytes", bytes.size()}};
    context.out << json.dump(2) << '\n';
    return;
  }
  context.out << fmt::format("{}: {} bytes ({}: {})\n", options.to, bytes.size(), options.from,
                             size_before);
}

void convert_file(const formats::MappedFile& file, const ConvertOptions& options,
                  Context& context) {
  const formats::Bytes bytes = file.bytes();
  std::optional<formats::MappedFile> with;
  if (!options.with.empty()) with.emplace(options.with);
  if (formats::Container::is_container(bytes)) {
    check_suffix(options, kOpenfheSuffix, "OpenFHE binary");
    std::optional<formats::openfhe::File> like;
    if (with) like = formats::openfhe::parse(with->bytes());
    const formats::ObjectReader in(formats::Container::view(bytes));
    write(options, formats::openfhe::from_container(in, like ? &*like : nullptr), bytes.size(),
          access_to(in), context);
    return;
  }
  check_suffix(options, kContainerSuffix, "container");
  const auto write_container = [&](const base::SecretVector<std::uint8_t>& container) {
    write(options, container, bytes.size(),
          access_to(formats::ObjectReader(formats::Container::view(container))), context);
  };
  if (formats::seal::is_seal(bytes)) {
    std::optional<formats::seal::File> parameters;
    if (with) parameters = formats::seal::parse(with->bytes());
    const auto* found =
        parameters ? std::get_if<formats::seal::Parameters>(&parameters->object) : nullptr;
    return write_container(formats::seal::to_container(formats::seal::parse(bytes), found));
  }
  std::optional<formats::openfhe::File> keys;
  if (with) keys = formats::openfhe::parse(with->bytes());
  const auto* key = keys ? formats::openfhe::find_eval_key(*keys) : nullptr;
  write_container(formats::openfhe::to_container(formats::openfhe::parse(bytes), key));
}

void convert(const ConvertOptions& options, Context& context) {
  if (options.trace.from.empty() && std::filesystem::is_regular_file(options.from)) {
    const formats::MappedFile file(options.from);
    if (is_ciphertext_file(file.bytes())) return convert_file(file, options, context);
  }
  convert_program(options, context);
}

}  // namespace

void add_convert(CLI::App& app, Context& context) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command =
      app.add_subcommand("convert", "Write a program, a key or a ciphertext in another form.");
  command->add_option("IN", options->from, "Program, trace, container, OpenFHE or SEAL file")
      ->required();
  command->add_option("OUT", options->to, ".limb, .hlp; .fhetch; .hld (container); .bin (OpenFHE)")
      ->required();
  command->add_option("--with", options->with,
                      "SEAL parameters, OpenFHE keys, or a file to be like");
  options->trace.add_to(*command);
  add_json(*command, options->json);
  command->callback([options, &context] { convert(*options, context); });
}

}  // namespace heliodor::cli
