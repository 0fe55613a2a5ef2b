// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor params: which parameters for which computation, and why.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/cli/internal/choose_parameters.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/table.h"

namespace heliodor::cli {
namespace {

struct ParamsOptions {
  ParameterRequest request;
  std::string security = "128";
  std::string method;
  bool json = false;
};

std::optional<rlwe::KeySwitchMethod> key_switch_method_named(const std::string& name) {
  using rlwe::KeySwitchMethod;
  if (name.empty()) return std::nullopt;
  for (const auto method : {KeySwitchMethod::bv, KeySwitchMethod::hybrid, KeySwitchMethod::klss}) {
    if (to_string(method) == name) return method;
  }
  throw Error(ErrorCode::out_of_range, fmt::format("method '{}' is not bv, hybrid or klss", name));
}

nlohmann::ordered_json moduli_to_json(std::span<const ring::Modulus> moduli) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const ring::Modulus& q : moduli) json.push_back({{"value", q.value()}, {"bits", q.bits()}});
  return json;
}

nlohmann::ordered_json to_json(const ChosenParameters& chosen) {
  const rlwe::Parameters& parameters = chosen.parameters;
  nlohmann::ordered_json json = {{"command", "params"},
                                 {"scheme", chosen.request.scheme},
                                 {"depth", chosen.request.depth},
                                 {"degree", parameters.degree()}};
  if (chosen.t) json["plaintext_modulus"] = *chosen.t;
  if (chosen.scale_bits) json["scale_bits"] = *chosen.scale_bits;
  json["slots"] = chosen.slots;
  json["moduli_q"] = moduli_to_json(parameters.q().moduli());
  json["moduli_p"] = moduli_to_json(parameters.p());
  json["gadgets"] = nlohmann::ordered_json::array();
  for (const rlwe::Gadget& gadget : parameters.gadgets()) {
    json["gadgets"].push_back({{"digit_size", gadget.digit_size},
                               {"special_primes", gadget.special_count},
                               {"max_limb_count", gadget.max_limb_count}});
  }
  json["log2_q"] = parameters.log_q();
  json["log2_qp"] = parameters.log_qp();
  json["security"] = to_string(parameters.security());
  const auto limit = rlwe::max_log_qp(parameters.security(), parameters.degree());
  if (parameters.security() != rlwe::SecurityLevel::none) json["log2_qp_limit"] = *limit;
  json["levels"] = nlohmann::ordered_json::array();
  for (const LevelRow& row : chosen.levels) {
    nlohmann::ordered_json level = {{"products", row.products},
                                    {"limbs", row.limb_count},
                                    {"log2_q", row.log_q},
                                    {"budget_bits", row.budget}};
    if (row.precision) level["precision_bits"] = *row.precision;
    json["levels"].push_back(std::move(level));
  }
  json["sizes"] = nlohmann::ordered_json::array();
  for (const ObjectSize& size : chosen.sizes) {
    json["sizes"].push_back({{"object", size.object},
                             {"bytes_in_memory", size.in_memory},
                             {"bytes_in_file", size.in_file}});
  }
  json["reasons"] = chosen.reasons;
  return json;
}

void print(const ChosenParameters& chosen, std::ostream& out) {
  for (const std::string& reason : chosen.reasons) out << reason << '\n';
  out << '\n';
  Table moduli({"modulus", "value", "bits"});
  const auto add = [&](const char* name, std::span<const ring::Modulus> list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      moduli.add_row({fmt::format("{}{}", name, i), std::to_string(list[i].value()),
                      std::to_string(list[i].bits())});
    }
  };
  add("q", chosen.parameters.q().moduli());
  add("p", chosen.parameters.p());
  moduli.write(out);
  out << '\n';
  const bool precise = chosen.levels.front().precision.has_value();
  std::vector<std::string> header = {"after products", "limbs", "log2(Q)", "noise budget"};
  if (precise) header.emplace_back("precision");
  Table levels(header);
  for (const LevelRow& row : chosen.levels) {
    std::vector<std::string> cells = {std::to_string(row.products), std::to_string(row.limb_count),
                                      fmt::format("{:.1f}", row.log_q),
                                      fmt::format("{:.1f} bits", row.budget)};
    if (precise) cells.push_back(fmt::format("{:.1f} bits", *row.precision));
    levels.add_row(std::move(cells));
  }
  levels.write(out);
  out << '\n';
  Table sizes({"object", "bytes in memory", "in a file"});
  for (const ObjectSize& size : chosen.sizes) {
    sizes.add_row({size.object, std::to_string(size.in_memory), std::to_string(size.in_file)});
  }
  sizes.write(out);
}

void params(const ParamsOptions& options, Context& context) {
  ParameterRequest request = options.request;
  request.security = security_named(options.security);
  request.method = key_switch_method_named(options.method);
  const ChosenParameters chosen = choose_parameters(request);
  if (options.json) {
    context.out << to_json(chosen).dump(2) << '\n';
  } else {
    print(chosen, context.out);
  }
}

}  // namespace

void add_params(CLI::App& app, Context& context) {
  auto options = std::make_shared<ParamsOptions>();
  ParameterRequest& request = options->request;
  CLI::App* command =
      app.add_subcommand("params", "Choose parameters for a computation, and say why.");
  command->add_option("--scheme", request.scheme, "bgv, bfv or ckks")->capture_default_str();
  const auto number = [&](const char* name, auto& value, const char* help) {
    command->add_option(name, value, help)->check(whole_number())->option_text("NUMBER");
  };
  number("--depth", request.depth, "Multiplications in a row [1]");
  number("--t", request.t, "Plaintext modulus of bgv and bfv [65537]");
  number("--summands", request.summands, "Ciphertexts added up before each of them [1]");
  number("--scale-bits", request.scale_bits, "Scale of ckks [45]");
  number("--precision", request.precision, "Bits of each slot at the end, for ckks");
  number("--integer-bits", request.integer_bits, "Bits before the point, for ckks [10]");
  command->add_option("--security", options->security, "Least: 128, 192, 256, none")
      ->capture_default_str();
  number("--degree", request.degree, "Ring degree N [the smallest]");
  number("--digits", request.digits, "Digits of key switching [3]");
  command->add_option("--method", options->method, "Of key switching: bv, hybrid, klss");
  add_json(*command, options->json);
  command->callback([options, &context] { params(*options, context); });
}

}  // namespace heliodor::cli
