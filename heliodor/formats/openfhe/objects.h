// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What OpenFHE 1.5 writes with SerType::BINARY (cereal's PortableBinary; 64-bit native integers,
// math backend 4), as plain structs with everything needed to write the same bytes again. Names
// follow OpenFHE's classes, whose limbs are "towers".
//
// Pointers that a file shares stay shared. The words of towers are not copied: they lie in the
// bytes that were parsed, or in the limbs an object was made from, which must outlive it.
//
// A namespace of its own, as the names of the objects are those of every FHE library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heliodor/formats/byte_reader.h"

namespace heliodor::formats::openfhe {

/// As in files.
enum class Scheme : std::uint32_t { ckks = 1, bfv = 2, bgv = 3 };

std::string_view to_string(Scheme scheme) noexcept;

/// A tower's modulus with its root (ILParams). order = 2*degree; the big ones are 0.
struct NativeParams {
  std::uint32_t order;
  std::uint32_t degree;
  std::uint64_t modulus;
  std::uint64_t root;
  std::uint64_t big_modulus;
  std::uint64_t big_root;
};

struct BigInteger {
  std::vector<std::uint64_t> limbs{0};  ///< least significant first
  std::uint32_t bits = 0;
};

/// The moduli of a polynomial (ILDCRTParams).
struct DcrtParams {
  std::uint32_t order;
  std::uint32_t degree;
  BigInteger modulus;  ///< the product
  BigInteger root;
  BigInteger big_modulus;
  BigInteger big_root;
  std::vector<std::shared_ptr<NativeParams>> towers;
};

/// Which representation a polynomial has; parse() lets no other value pass.
enum class Format : std::uint32_t { evaluation = 0, coefficient = 1 };

struct Tower {
  WordView values;  ///< degree of them
  Format format;
  std::shared_ptr<NativeParams> params;
};

struct DcrtPoly {
  std::vector<Tower> towers;
  Format format;
  std::shared_ptr<DcrtParams> params;
};

struct EncodingParams {
  std::uint64_t plaintext_modulus;
  std::uint64_t root;
  std::uint64_t big_modulus;
  std::uint64_t big_root;
  std::uint32_t generator;
  std::uint32_t batch_size;
};

enum class KeySwitch : std::uint32_t { bv = 1, hybrid = 2 };

/// CryptoParametersRNS with its base classes, in the order of the file.
struct CryptoParameters {
  Scheme scheme;  ///< of the class name
  std::shared_ptr<DcrtParams> element_params;
  std::shared_ptr<EncodingParams> encoding_params;
  float sigma;
  float assurance;
  std::uint64_t noise_scale;  ///< t for BGV, else 1
  std::uint32_t digit_size;
  double noise_estimate;
  std::uint32_t mult_depth, eval_add_count, key_switch_count, pre_hops, max_relin_degree;
  std::uint32_t secret_distribution, pre_mode, multiparty_mode, execution_mode;
  std::uint32_t decryption_noise_mode, security_level;
  double flooding_distribution, statistical_security, adversarial_queries;
  std::uint32_t threshold_parties;
  std::uint32_t key_switch;  ///< a KeySwitch
  std::uint32_t scaling, encryption, multiplication;
  std::uint32_t digit_count;  ///< dnum
  std::uint32_t aux_bits, extra_bits, compression_level, composite_degree, register_word_size;
  std::uint32_t ckks_data_type;
};

struct SchemeObject {
  Scheme scheme;          ///< of the class name
  std::uint32_t enabled;  ///< features: 1 PKE, 2 KEYSWITCH, 8 LEVELEDSHE
};

struct Context {
  std::shared_ptr<CryptoParameters> parameters;
  std::shared_ptr<SchemeObject> scheme;  ///< of the same scheme as the parameters
};

/// What ciphertexts and keys begin with (CryptoObject).
struct Owner {
  std::shared_ptr<Context> context;
  std::string key_tag;  ///< 32 hexadecimal digits that name the key pair
};

/// Whatever may follow a name in a ciphertext's metadata; files with entries are not read.
struct Metadata {};

struct Ciphertext {
  Owner owner;
  std::vector<DcrtPoly> elements;
  std::uint32_t slots;
  std::uint32_t level;
  std::uint32_t hops;
  std::uint32_t noise_scale_degree;
  double scaling_factor;
  std::uint64_t scaling_factor_int;
  std::uint32_t encoding;  ///< 1 coefficients, 2 packed, 4 CKKS
  std::shared_ptr<Metadata> metadata;
};

struct PublicKey {
  Owner owner;
  std::vector<DcrtPoly> h;  ///< b, a with b + a*s = noise_scale*e
};

struct SecretKey {
  Owner owner;
  DcrtPoly s;
};

/// Digit j: b[j] + a[j]*s = noise_scale*e + g_j*s' (EvalKeyRelinImpl).
struct EvalKey {
  Owner owner;
  std::vector<DcrtPoly> a;
  std::vector<DcrtPoly> b;
};

/// By key tag: the keys of s^2, s^3, ..
using EvalMultKeys = std::vector<std::pair<std::string, std::vector<std::shared_ptr<EvalKey>>>>;

/// Galois element and key, in rising order.
using AutomorphismMap = std::vector<std::pair<std::uint32_t, std::shared_ptr<EvalKey>>>;
/// By key tag.
using AutomorphismKeys = std::vector<std::pair<std::string, std::shared_ptr<AutomorphismMap>>>;

/// Classes that carry a version, written where a class first occurs in a file.
enum class ClassId : std::uint8_t {
  ciphertext,
  context,
  dcrt_poly,
  native_poly,
  native_vector,
  native_integer,
  big_integer,
  elem_params_native,
  elem_params_big,
  native_params,
  dcrt_params,
  encoding_params,
  owner,
  key,
  public_key,
  secret_key,
  eval_key,
  eval_key_relin,
  params_base,
  params_rlwe,
  params_rns,
  scheme_base,
  scheme_rns,
  params_ckks,  // these six in the order of Scheme
  params_bfv,
  params_bgv,
  scheme_ckks,
  scheme_bfv,
  scheme_bgv,
};
inline constexpr std::size_t kClassCount = 29;

/// 0 or 1 for each class: which one OpenFHE writes depends on how it was compiled.
using Versions = std::array<std::uint32_t, kClassCount>;

/// Those seen in files of 1.5.1: 1 for classes up to encoding_params, 0 for the others.
Versions usual_versions() noexcept;

using Object =
    std::variant<std::shared_ptr<Context>, std::shared_ptr<Ciphertext>, std::shared_ptr<PublicKey>,
                 std::shared_ptr<SecretKey>, EvalMultKeys, AutomorphismKeys>;

/// One file.
struct File {
  Versions versions = usual_versions();
  Object object;
};

}  // namespace heliodor::formats::openfhe
