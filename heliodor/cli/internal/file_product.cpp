// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/file_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "heliodor/base/error.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/noise_growth.h"
#include "heliodor/schemes/bfv/evaluator_programs.h"
#include "heliodor/schemes/bfv/noise.h"

namespace heliodor::cli {
namespace {

using Json = nlohmann::ordered_json;
using rlwe::Bounds;
using rlwe::NoiseBound;

void check_below(const char* what, NoiseBound bound, const char* limit_name, NoiseBound limit) {
  if (std::isinf(bound.log2()) || bound < limit) return;
  throw Error(ErrorCode::noise_overflow,
              fmt::format("the {} of a product may be 2^{:.2f}, not below {} = 2^{:.2f}", what,
                          bound.log2(), limit_name, limit.log2()));
}

std::uint32_t noise_scale_degree(const Json& metadata) {
  return metadata.at("openfhe").at("noise_scale_degree").get<std::uint32_t>();
}

bool from_openfhe(const Json& a, const Json& b) {
  return a.contains("openfhe") && b.contains("openfhe");
}

// Of BGV and CKKS.
class ProductOfPhases : public FileProduct {
 public:
  explicit ProductOfPhases(const rlwe::Parameters& parameters) : parameters_(parameters) {}

  program::LimbProgram program(const rlwe::KeySwitchShape& shape,
                               std::size_t limb_count) const override {
    return rlwe::multiply_program(parameters_, shape, limb_count, 0);
  }

  Bounds bounds(const rlwe::Gadget& gadget, const Factor& a, const Factor& b) const override {
    const std::size_t limbs = a.ciphertext.limb_count();
    const Bounds bounds =
        rlwe::with_error(rlwe::product_bounds(a.ciphertext.bounds, b.ciphertext.bounds),
                         rlwe::key_switch_error(parameters_, gadget, limbs));
    check_below("phase", bounds.phase, "Q/2", parameters_.phase_limit(limbs));
    return bounds;
  }

  Json metadata(const Json& a, const Json& b) const override {
    const auto modular = [&](const Json& x, const Json& y) {
      const auto product = ring::Uint128{x.get<std::uint64_t>()} * y.get<std::uint64_t>();
      return static_cast<std::uint64_t>(product % parameters_.error_scale());
    };
    Json result = a;
    if (a.contains("scale"))
      result["scale"] = a["scale"].get<double>() * b.at("scale").get<double>();
    if (a.contains("plaintext_factor"))
      result["plaintext_factor"] = modular(a["plaintext_factor"], b.at("plaintext_factor"));
    if (!from_openfhe(a, b)) return result;
    Json& counters = result["openfhe"];
    counters["noise_scale_degree"] = noise_scale_degree(a) + noise_scale_degree(b);
    counters["scaling_factor"] = a["openfhe"].at("scaling_factor").get<double>() *
                                 b["openfhe"].at("scaling_factor").get<double>();
    if (a.contains("plaintext_factor")) counters["scaling_factor_int"] = result["plaintext_factor"];
    return result;
  }

 private:
  const rlwe::Parameters& parameters_;
};

class ProductOfBfv : public FileProduct {
 public:
  ProductOfBfv(const rlwe::Parameters& parameters, std::uint64_t t)
      : parameters_(parameters.description(), t) {}

  program::LimbProgram program(const rlwe::KeySwitchShape& shape,
                               std::size_t limb_count) const override {
    return bfv::multiply_program(parameters_, bfv::Factors::two, shape, limb_count);
  }

  Bounds bounds(const rlwe::Gadget& gadget, const Factor& a, const Factor& b) const override {
    const std::size_t limbs = a.ciphertext.limb_count();
    const NoiseBound error = bfv::product_error(parameters_, limbs, a.ciphertext.bounds.error,
                                                b.ciphertext.bounds.error) +
                             rlwe::key_switch_error(parameters_.rlwe(), gadget, limbs);
    check_below("error", error, "Q/(2t)", bfv::error_limit(parameters_, limbs));
    return {error, error};
  }

  Json metadata(const Json& a, const Json& b) const override {
    Json result = a;
    if (from_openfhe(a, b)) {
      result["openfhe"]["noise_scale_degree"] =
          std::max(noise_scale_degree(a), noise_scale_degree(b)) + 1;
    }
    return result;
  }

 private:
  bfv::Parameters parameters_;
};

}  // namespace

std::unique_ptr<const FileProduct> make_file_product(const rlwe::Parameters& parameters,
                                                     const Json& metadata) {
  const std::string scheme = metadata.value("scheme", "");
  if (scheme == "bgv" || scheme == "ckks") return std::make_unique<ProductOfPhases>(parameters);
  if (scheme == "bfv") {
    return std::make_unique<ProductOfBfv>(parameters,
                                          metadata.at("plaintext_modulus").get<std::uint64_t>());
  }
  throw Error(ErrorCode::unsupported,
              fmt::format("evalmult of scheme \"{}\": only bgv, bfv and ckks", scheme));
}

}  // namespace heliodor::cli
