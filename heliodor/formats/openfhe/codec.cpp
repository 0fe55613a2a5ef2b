// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// One description per class, in the order of the file: version, base classes, members. Checks stand
// beside the member they are about and run when reading.

#include "heliodor/formats/openfhe/codec.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "heliodor/formats/openfhe/internal/archive.h"
#include "heliodor/ring/modulus.h"

namespace heliodor::formats::openfhe {
namespace {

constexpr std::array<std::string_view, 3> kParametersNames{"lbcrypto::CryptoParametersCKKSRNS",
                                                           "lbcrypto::CryptoParametersBFVRNS",
                                                           "lbcrypto::CryptoParametersBGVRNS"};
constexpr std::array<std::string_view, 3> kSchemeNames{
    "lbcrypto::SchemeCKKSRNS", "lbcrypto::SchemeBFVRNS", "lbcrypto::SchemeBGVRNS"};
constexpr std::array<std::string_view, 1> kEvalKeyNames{
    "lbcrypto::EvalKeyRelinImpl<lbcrypto::DCRTPoly>"};

// The shortest forms: a pointer to an object seen before, a tower of two words, a polynomial of one
// such tower, a number or an empty text with a pointer.
constexpr std::size_t kPointerBytes = 8;
constexpr std::size_t kTowerBytes = 49;
constexpr std::size_t kPolyBytes = 20 + kTowerBytes;
constexpr std::size_t kMapEntryBytes = 12;

std::size_t scheme_index(Scheme scheme) { return static_cast<std::size_t>(scheme) - 1; }

ClassId of_scheme(ClassId first, Scheme scheme) {
  return static_cast<ClassId>(static_cast<std::size_t>(first) + scheme_index(scheme));
}

template <typename A, typename T>
using Ref = typename A::template Ref<T>;

/// Faults when reading unless `condition`.
template <typename A, typename Message>
void require(A& a, bool condition, Message message) {
  if constexpr (A::kReading) {
    if (!condition) a.in().fail(message());
  }
}

}  // namespace

// These are not in the unnamed namespace, where the archives would not find them by their argument.

template <typename A>
static void native_integer(A& a, Ref<A, std::uint64_t> value, const char* what) {
  a.version(ClassId::native_integer);
  a.number(value, what);
}

template <typename A>
static void describe(A& a, Ref<A, std::uint64_t> word) {
  a.number(word, "word");
}

template <typename A>
static void describe(A& a, Ref<A, BigInteger> integer) {
  a.version(ClassId::big_integer);
  a.vector(integer.limbs, sizeof(std::uint64_t), "big integer");
  a.number(integer.bits, "bits of a big integer");
}

template <typename A, typename Params>
static void degree(A& a, Params& params) {
  a.number(params.order, "cyclotomic order");
  a.number(params.degree, "degree");
  require(a,
          std::has_single_bit(params.degree) && params.degree >= 2 &&
              params.degree <= ring::Modulus::kMaxDegree && params.order == 2 * params.degree,
          [&] {
            return fmt::format("degree {}, order {}: not a power of two in [2, {}] and its double",
                               params.degree, params.order, ring::Modulus::kMaxDegree);
          });
}

template <typename A>
static void describe(A& a, Ref<A, NativeParams> params) {
  a.version(ClassId::native_params);
  a.version(ClassId::elem_params_native);
  degree(a, params);
  native_integer(a, params.modulus, "modulus");
  native_integer(a, params.root, "root");
  native_integer(a, params.big_modulus, "big modulus");
  native_integer(a, params.big_root, "big root");
}

template <typename A>
static void native_params(A& a, Ref<A, std::shared_ptr<NativeParams>> params) {
  a.static_type("tower parameters");
  a.shared(params, "tower parameters");
}

template <typename A>
static void describe(A& a, Ref<A, std::shared_ptr<NativeParams>> params) {
  native_params(a, params);
}

template <typename A>
static void describe(A& a, Ref<A, DcrtParams> params) {
  a.version(ClassId::dcrt_params);
  a.version(ClassId::elem_params_big);
  degree(a, params);
  describe(a, params.modulus);
  describe(a, params.root);
  describe(a, params.big_modulus);
  describe(a, params.big_root);
  a.vector(params.towers, kPointerBytes, "modulus count");
  for (const auto& tower : params.towers) {
    require(a, tower->degree == params.degree, [&] {
      return fmt::format("tower of degree {} in a base of degree {}", tower->degree, params.degree);
    });
  }
}

template <typename A>
static void dcrt_params(A& a, Ref<A, std::shared_ptr<DcrtParams>> params) {
  a.static_type("moduli of a polynomial");
  a.shared(params, "moduli of a polynomial");
}

template <typename A>
static void format_of(A& a, Ref<A, Format> format) {
  auto number = static_cast<std::uint32_t>(format);
  a.number(number, "format");
  if constexpr (A::kReading) {
    require(a, number <= 1, [&] { return fmt::format("format {} exceeds 1", number); });
    format = static_cast<Format>(number);
  }
}

template <typename A>
static void describe(A& a, Ref<A, Tower> tower) {
  a.version(ClassId::native_poly);
  a.static_type("values of a tower");
  std::uint8_t present = 1;
  a.number(present, "presence of values");
  require(a, present == 1, [] { return std::string("a tower has no values"); });
  a.version(ClassId::native_vector);
  a.words(tower.values, "values of a tower");
  std::uint64_t modulus = A::kReading ? 0 : tower.params->modulus;
  native_integer(a, modulus, "modulus of a tower");
  format_of(a, tower.format);
  native_params(a, tower.params);
  require(a, tower.values.size() == tower.params->degree && modulus == tower.params->modulus, [&] {
    return fmt::format("a tower has {} values modulo {}, its parameters say {} modulo {}",
                       tower.values.size(), modulus, tower.params->degree, tower.params->modulus);
  });
}

template <typename A>
static void describe(A& a, Ref<A, DcrtPoly> poly) {
  a.version(ClassId::dcrt_poly);
  a.vector(poly.towers, kTowerBytes, "tower count");
  format_of(a, poly.format);
  dcrt_params(a, poly.params);
  require(a, !poly.towers.empty() && poly.towers.size() == poly.params->towers.size(), [&] {
    return fmt::format("a polynomial has {} towers, its parameters {}", poly.towers.size(),
                       poly.params->towers.size());
  });
  for (std::size_t i = 0; i < poly.towers.size(); ++i) {
    require(a,
            poly.towers[i].params->modulus == poly.params->towers[i]->modulus &&
                poly.towers[i].params->degree == poly.params->degree &&
                poly.towers[i].format == poly.format,
            [&] { return fmt::format("tower {} is not that of its polynomial", i); });
  }
}

template <typename A>
static void polynomials(A& a, Ref<A, std::vector<DcrtPoly>> polynomials, const char* what) {
  a.vector(polynomials, kPolyBytes, what);
}

template <typename A>
static void describe(A& a, Ref<A, EncodingParams> params) {
  a.version(ClassId::encoding_params);
  a.number(params.plaintext_modulus, "plaintext modulus");
  native_integer(a, params.root, "plaintext root");
  native_integer(a, params.big_modulus, "big plaintext modulus");
  native_integer(a, params.big_root, "big plaintext root");
  a.number(params.generator, "plaintext generator");
  a.number(params.batch_size, "batch size");
}

template <typename A>
static void params_base(A& a, Ref<A, CryptoParameters> p) {
  a.version(ClassId::params_base);
  dcrt_params(a, p.element_params);
  a.static_type("encoding parameters");
  a.shared(p.encoding_params, "encoding parameters");
}

template <typename A>
static void params_rlwe(A& a, Ref<A, CryptoParameters> p) {
  a.version(ClassId::params_rlwe);
  params_base(a, p);
  a.number(p.sigma, "sigma");
  a.number(p.assurance, "assurance");
  a.number(p.noise_scale, "noise scale");
  a.number(p.digit_size, "digit size");
  a.number(p.noise_estimate, "noise estimate");
  a.number(p.mult_depth, "multiplicative depth");
  a.number(p.eval_add_count, "addition count");
  a.number(p.key_switch_count, "key-switch count");
  a.number(p.pre_hops, "re-encryption hops");
  a.number(p.max_relin_degree, "relinearization degree");
  a.number(p.secret_distribution, "secret distribution");
  a.number(p.pre_mode, "re-encryption mode");
  a.number(p.multiparty_mode, "multiparty mode");
  a.number(p.execution_mode, "execution mode");
  a.number(p.decryption_noise_mode, "decryption noise mode");
  a.number(p.security_level, "security level");
  a.number(p.flooding_distribution, "flooding distribution");
  a.number(p.statistical_security, "statistical security");
  a.number(p.adversarial_queries, "adversarial queries");
  a.number(p.threshold_parties, "threshold parties");
}

template <typename A>
static void describe(A& a, Ref<A, CryptoParameters> p) {
  a.version(of_scheme(ClassId::params_ckks, p.scheme));
  a.version(ClassId::params_rns);
  params_rlwe(a, p);
  a.number(p.key_switch, "key-switching technique");
  a.number(p.scaling, "scaling technique");
  a.number(p.encryption, "encryption technique");
  a.number(p.multiplication, "multiplication technique");
  a.number(p.digit_count, "digit count");
  a.number(p.aux_bits, "auxiliary bits");
  a.number(p.extra_bits, "extra bits");
  a.number(p.compression_level, "compression level");
  a.number(p.composite_degree, "composite degree");
  a.number(p.register_word_size, "register word size");
  a.number(p.ckks_data_type, "CKKS data type");
}

template <typename A>
static void describe(A& a, Ref<A, SchemeObject> scheme) {
  a.version(of_scheme(ClassId::scheme_ckks, scheme.scheme));
  a.version(ClassId::scheme_rns);
  a.version(ClassId::scheme_base);
  a.constant(0, "bootstrapping state");
  a.constant(0, "scheme-switching state");
  a.number(scheme.enabled, "enabled features");
}

/// A pointer to an object whose class name tells the scheme.
template <typename A, typename T>
static void named_by_scheme(A& a, Ref<A, std::shared_ptr<T>> pointer,
                            std::span<const std::string_view> names, const char* what) {
  std::size_t which = A::kReading ? 0 : scheme_index(pointer->scheme);
  a.named_type(which, names, what);
  const auto scheme = static_cast<Scheme>(which + 1);
  a.shared(pointer, what, [&](T& object) { object.scheme = scheme; });
  require(a, pointer->scheme == scheme,
          [&] { return fmt::format("{} is of scheme {}", what, to_string(pointer->scheme)); });
}

template <typename A>
static void describe(A& a, Ref<A, Context> context) {
  a.version(ClassId::context);
  named_by_scheme<A, CryptoParameters>(a, context.parameters, kParametersNames, "parameters");
  named_by_scheme<A, SchemeObject>(a, context.scheme, kSchemeNames, "scheme");
  const auto scheme = static_cast<std::uint32_t>(context.parameters->scheme);
  a.constant(scheme, "scheme id");
  require(a, context.scheme->scheme == context.parameters->scheme,
          [] { return std::string("parameters and scheme are of different schemes"); });
}

template <typename A>
static void context_pointer(A& a, Ref<A, std::shared_ptr<Context>> context) {
  a.static_type("context");
  a.shared(context, "context");
}

template <typename A>
static void owner(A& a, Ref<A, Owner> owner) {
  a.version(ClassId::owner);
  context_pointer(a, owner.context);
  a.text(owner.key_tag, "key tag");
}

template <typename A>
static void describe(A& a, Ref<A, Metadata> /*metadata*/) {
  std::uint64_t count = 0;
  a.number(count, "metadata count");
  require(a, count == 0, [&] { return fmt::format("{} metadata entries, not 0", count); });
}

template <typename A>
static void describe(A& a, Ref<A, Ciphertext> ciphertext) {
  a.version(ClassId::ciphertext);
  owner(a, ciphertext.owner);
  polynomials(a, ciphertext.elements, "parts of a ciphertext");
  a.number(ciphertext.slots, "slots");
  a.number(ciphertext.level, "level");
  a.number(ciphertext.hops, "hops");
  a.number(ciphertext.noise_scale_degree, "noise scale degree");
  a.number(ciphertext.scaling_factor, "scaling factor");
  native_integer(a, ciphertext.scaling_factor_int, "integer scaling factor");
  a.number(ciphertext.encoding, "encoding");
  a.shared(ciphertext.metadata, "metadata");
}

template <typename A>
static void describe(A& a, Ref<A, PublicKey> key) {
  a.version(ClassId::public_key);
  a.version(ClassId::key);
  owner(a, key.owner);
  polynomials(a, key.h, "parts of a public key");
}

template <typename A>
static void describe(A& a, Ref<A, SecretKey> key) {
  a.version(ClassId::secret_key);
  a.version(ClassId::key);
  owner(a, key.owner);
  describe(a, key.s);
}

template <typename A>
static void describe(A& a, Ref<A, EvalKey> key) {
  a.version(ClassId::eval_key_relin);
  a.version(ClassId::eval_key);
  a.version(ClassId::key);
  owner(a, key.owner);
  polynomials(a, key.a, "digits of a key");
  polynomials(a, key.b, "digits of a key");
  require(a, key.a.size() == key.b.size(), [&] {
    return fmt::format("a key has {} parts A and {} parts B", key.a.size(), key.b.size());
  });
}

template <typename A>
static void describe(A& a, Ref<A, std::shared_ptr<EvalKey>> key) {
  std::size_t which = 0;
  a.named_type(which, kEvalKeyNames, "evaluation key");
  a.shared(key, "evaluation key");
}

template <typename A>
static void describe(A& a, Ref<A, AutomorphismMap::value_type> entry) {
  a.number(entry.first, "Galois element");
  describe(a, entry.second);
}

template <typename A>
static void describe(A& a, Ref<A, AutomorphismMap> map) {
  a.vector(map, kMapEntryBytes, "automorphism keys");
  require(a, !map.empty(), [] { return std::string("a tag has no keys"); });
}

template <typename A>
static void describe(A& a, Ref<A, EvalMultKeys::value_type> entry) {
  a.text(entry.first, "key tag");
  a.vector(entry.second, kPointerBytes, "keys of a tag");
  require(a, !entry.second.empty(), [] { return std::string("a tag has no keys"); });
}

template <typename A>
static void describe(A& a, Ref<A, AutomorphismKeys::value_type> entry) {
  a.text(entry.first, "key tag");
  a.shared(entry.second, "automorphism keys");
}

/// A single object: the static type and a pointer.
namespace {

/// What a file holds, from its first bytes on. Throws Error{malformed_file}.
Object empty_object(Bytes bytes) {
  ReadArchive a(bytes);
  if (a.in().peek<std::uint32_t>("first object") != kStaticType) {
    // A map: count, tag, and then a count of 64 bits (EvalMult) or a new pointer.
    std::string tag;
    a.in().take_count(kMapEntryBytes, "key tag count");
    a.text(tag, "key tag");
    if (a.in().peek<std::uint32_t>("keys") == (kNew | 1)) return AutomorphismKeys{};
    return EvalMultKeys{};
  }
  // Class versions come first: one of a context, two of a ciphertext, three of a key.
  a.static_type("root object");
  a.open_object(a.in().take<std::uint32_t>("root object"), 1, typeid(void), "root object");
  a.version(ClassId::secret_key);
  if (a.in().peek<std::uint32_t>("class version") == (kNew | 1)) return std::shared_ptr<Context>();
  a.version(ClassId::key);
  if (a.in().peek<std::uint32_t>("class version") == kStaticType) {
    return std::shared_ptr<Ciphertext>();
  }
  Owner skipped;
  owner(a, skipped);
  // A count of parts, or the version of a polynomial and the lower half of its tower count.
  if (a.in().peek<std::uint64_t>("key") >> 32 == 0) return std::shared_ptr<PublicKey>();
  return std::shared_ptr<SecretKey>();
}

template <typename A, typename Root>
void describe_root(A& a, Root& root) {
  if constexpr (requires { root.get(); }) {
    a.static_type("root object");
    a.shared(root, "root object");
  } else {
    a.vector(root, kMapEntryBytes, "key tag count");
    require(a, !root.empty(), [] { return std::string("there are no keys"); });
  }
}

const Context& context(const std::shared_ptr<Context>& object) { return *object; }
const Context& context(const EvalMultKeys& keys) {
  return *keys.front().second.front()->owner.context;
}
const Context& context(const AutomorphismKeys& keys) {
  return *keys.front().second->front().second->owner.context;
}
template <typename T>
const Context& context(const std::shared_ptr<T>& object) {
  return *object->owner.context;
}

}  // namespace

std::string_view to_string(Scheme scheme) noexcept {
  constexpr std::array<std::string_view, 3> kNames{"CKKS", "BFV", "BGV"};
  return kNames[scheme_index(scheme)];
}

Versions usual_versions() noexcept {
  Versions versions{};
  for (std::size_t i = 0; i <= static_cast<std::size_t>(ClassId::encoding_params); ++i) {
    versions[i] = 1;
  }
  return versions;
}

bool is_openfhe(Bytes bytes) noexcept {
  constexpr std::uint64_t kMostTags = 1U << 16;
  constexpr std::uint64_t kLongestTag = 256;
  if (bytes.size() < 17 || bytes[0] != 1) return false;
  const WordView head(bytes.subspan(1, 16));
  if (static_cast<std::uint32_t>(head[0]) == kStaticType) return head[0] >> 32 == (kNew | 1);
  return head[0] >= 1 && head[0] <= kMostTags && head[1] <= kLongestTag;
}

File parse(Bytes bytes) {
  File file;
  file.object = empty_object(bytes);
  ReadArchive archive(bytes);
  std::visit([&](auto& object) { describe_root(archive, object); }, file.object);
  archive.in().expect_end();
  file.versions = archive.versions();
  return file;
}

const Context& context_of(const File& file) {
  return std::visit([](const auto& object) -> const Context& { return context(object); },
                    file.object);
}

std::vector<std::uint8_t> write(const File& file) {
  WriteArchive archive(file.versions);
  std::visit([&](const auto& object) { describe_root(archive, object); }, file.object);
  return archive.out().release();
}

}  // namespace heliodor::formats::openfhe
