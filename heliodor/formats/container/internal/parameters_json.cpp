// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/container/internal/parameters_json.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "heliodor/formats/container/internal/gadget_json.h"
#include "heliodor/formats/container/internal/json_fields.h"
#include "heliodor/formats/residues.h"

namespace heliodor::formats {
namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
constexpr const char* kPlace = "Heliodor file, parameters";

nlohmann::ordered_json moduli_to_json(std::span<const ring::Modulus> moduli) {
  auto json = nlohmann::ordered_json::array();
  for (const ring::Modulus& q : moduli) json.push_back({{"modulus", q.value()}, {"root", q.psi()}});
  return json;
}

std::vector<ring::Modulus> moduli_from_json(const Json& array, std::uint64_t degree) {
  std::vector<ring::Modulus> moduli;
  for (const Json& entry : array) {
    const JsonFields fields(entry, kPlace, {"modulus", "root"});
    if (moduli.size() == kMaxModuli) fields.fail(fmt::format("moduli exceed {}", kMaxModuli));
    moduli.push_back(checked_modulus(fields.whole("modulus", 0, kAny), degree,
                                     fields.whole("root", 0, kAny), kPlace));
  }
  return moduli;
}

}  // namespace

std::string to_json(const rlwe::Parameters::Description& d) {
  nlohmann::ordered_json json = {{"degree", d.q.front().degree()},
                                 {"q", moduli_to_json(d.q)},
                                 {"p", moduli_to_json(d.p)},
                                 {"gadgets", nlohmann::ordered_json::array()},
                                 {"error_scale", d.error_scale},
                                 {"lift", d.lift == rlwe::DigitLift::fast ? "fast" : "exact"},
                                 {"sigma", d.sigma}};
  for (const rlwe::Gadget& gadget : d.gadgets) json["gadgets"].push_back(gadget_to_json(gadget));
  if (d.secret_weight) json["secret_weight"] = *d.secret_weight;
  return json.dump(1) + '\n';
}

rlwe::Parameters::Description parameters_from_json(std::string_view text) {
  const Json json = parse_json(text, kPlace);
  const JsonFields fields(
      json, kPlace,
      {"degree", "q", "p", "gadgets", "error_scale", "lift", "sigma", "secret_weight"});
  rlwe::Parameters::Description d;
  const std::uint64_t degree = fields.whole("degree", 2, ring::Modulus::kMaxDegree);
  d.q = moduli_from_json(fields.array("q"), degree);
  d.p = moduli_from_json(fields.array("p"), degree);
  for (const Json& gadget : fields.array("gadgets")) {
    d.gadgets.push_back(gadget_from_json(gadget, kPlace));
  }
  d.error_scale = fields.whole("error_scale", 1, kAny);
  const std::string lift = fields.text("lift");
  if (lift != "fast" && lift != "exact") fields.fail("'lift' is neither fast nor exact");
  d.lift = lift == "fast" ? rlwe::DigitLift::fast : rlwe::DigitLift::exact;
  d.sigma = fields.real("sigma");
  if (fields.has("secret_weight")) d.secret_weight = fields.whole("secret_weight", 1, degree);
  d.security = rlwe::SecurityLevel::none;
  check_description(d, kPlace);
  return d;
}

}  // namespace heliodor::formats
