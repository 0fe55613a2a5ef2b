// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A gadget as JSON: in parameters and in evaluation keys.
#pragma once

#include <nlohmann/json.hpp>

#include "heliodor/formats/container/internal/json_fields.h"
#include "heliodor/formats/residues.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::formats {

inline nlohmann::ordered_json gadget_to_json(const rlwe::Gadget& gadget) {
  return {{"digit_size", gadget.digit_size},
          {"special_count", gadget.special_count},
          {"max_limb_count", gadget.max_limb_count}};
}

inline rlwe::Gadget gadget_from_json(const Json& json, const char* place) {
  const JsonFields fields(json, place, {"digit_size", "special_count", "max_limb_count"});
  return {fields.whole("digit_size", 1, kMaxModuli), fields.whole("special_count", 0, kMaxModuli),
          fields.whole("max_limb_count", 1, kMaxModuli)};
}

}  // namespace heliodor::formats
