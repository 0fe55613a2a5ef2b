// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A case that OpenFHE computed: its parameters and its arrays (tests/vectors/openfhe/README.md).
//
//   const auto given = OpenfheCase::kept("bgv_bv_n1024_l4");
//   const auto key = given.words("evalmult_key_b");    // axes digit, tower, slot
//   EXPECT_EQ(key.row({j, i}), ...);                   // a limb of key digit j modulo q_i
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heliodor/ring/modulus.h"

namespace heliodor::vectors {

/// An array of numbers, last axis fastest.
template <typename T>
struct Array {
  std::vector<std::size_t> shape;
  std::vector<T> values;

  /// The elements under `index`, one entry for each leading axis. Throws std::out_of_range for an
  /// entry beyond its axis.
  std::span<const T> row(std::initializer_list<std::size_t> index) const;
};

class OpenfheCase {
 public:
  /// Throws Error{io} without a readable case.json there, Error{malformed_file} if it is no JSON.
  explicit OpenfheCase(std::filesystem::path folder);

  /// A case of tests/vectors/openfhe. Tests run from the repository's root.
  static OpenfheCase kept(const std::string& name);
  /// A case in the folder that HELIODOR_OPENFHE_VECTORS names; nothing if it is not there. Tests
  /// then skip with missing(name).
  static std::optional<OpenfheCase> find(const std::string& name);
  static std::string missing(const std::string& name);

  const std::filesystem::path& folder() const noexcept { return folder_; }
  const nlohmann::json& json() const noexcept { return json_; }
  std::uint64_t degree() const { return json_.at("ring_dimension"); }
  /// 0 for CKKS.
  std::uint64_t plaintext_modulus() const;
  std::vector<ring::Modulus> q() const { return moduli("moduli_q"); }
  std::vector<ring::Modulus> p() const { return moduli("moduli_p"); }
  /// Any list of moduli of case.json, with OpenFHE's roots.
  std::vector<ring::Modulus> moduli(const std::string& list) const;

  /// An array of u16, u32 or u64, by its name in case.json.
  Array<std::uint64_t> words(const std::string& name) const;
  /// An array of i8: sk_coeff.
  Array<std::int8_t> small(const std::string& name) const;
  /// An array of f64.
  Array<double> reals(const std::string& name) const;

  /// The entry of case.json; Error{out_of_range} if there is none.
  const nlohmann::json& file(const std::string& name) const;
  /// The bytes of a file beside case.json. Throws Error{io}.
  std::vector<std::uint8_t> bytes(const std::string& path) const;

 private:
  template <typename T>
  Array<T> read(const std::string& name, const std::string& dtypes) const;

  std::filesystem::path folder_;
  nlohmann::json json_;
};

}  // namespace heliodor::vectors
