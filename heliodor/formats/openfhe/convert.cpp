// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/openfhe/convert.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/formats/openfhe/internal/archive.h"
#include "heliodor/formats/residues.h"
#include "heliodor/ring/reference.h"

namespace heliodor::formats::openfhe {
namespace {

// OpenFHE's secret distributions other than uniform ternary, and the weight of its sparse ones
// (PKEBase::KeyGenInternal).
constexpr std::uint32_t kSparseTernary = 2;
constexpr std::size_t kSparseWeight = 192;

std::string place(const char* what) { return fmt::format("{}: {}", kFormatName, what); }

[[noreturn]] void malformed(const std::string& message) {
  throw Error(ErrorCode::malformed_file, place(message.c_str()));
}

[[noreturn]] void mismatch(const std::string& message) {
  throw Error(ErrorCode::mismatch, message);
}

using Moduli = std::vector<ring::Modulus>;

Moduli moduli_of(std::span<const std::shared_ptr<NativeParams>> towers) {
  Moduli moduli;
  for (const auto& tower : towers) {
    moduli.push_back(checked_modulus(tower->modulus, tower->degree, tower->root, place("tower")));
  }
  return moduli;
}

/// Q, then the first `special_count` moduli of P.
Moduli key_moduli(const rlwe::Parameters& parameters, std::size_t special_count) {
  Moduli moduli(parameters.q().moduli().begin(), parameters.q().moduli().end());
  moduli.insert(moduli.end(), parameters.p().begin(),
                parameters.p().begin() + static_cast<std::ptrdiff_t>(special_count));
  return moduli;
}

const rlwe::Gadget& first_gadget(const rlwe::Parameters& parameters) {
  if (parameters.gadgets().empty()) mismatch("the parameters have 0 gadgets, an evaluation key 1");
  return parameters.gadgets().front();
}

/// Part `part` of the matrix from a polynomial whose towers must be the first of `moduli`.
void read_polynomial(const DcrtPoly& poly, std::span<const ring::Modulus> moduli, std::size_t part,
                     rlwe::LimbMatrix& out) {
  if (poly.towers.size() != out.limb_count()) {
    malformed(
        fmt::format("a polynomial has {} towers, not {}", poly.towers.size(), out.limb_count()));
  }
  for (std::size_t i = 0; i < poly.towers.size(); ++i) {
    const Tower& tower = poly.towers[i];
    const ring::Modulus& q = moduli[i];
    if (tower.params->modulus != q.value() || tower.params->root != q.psi() ||
        tower.params->degree != q.degree()) {
      malformed(fmt::format("tower {} is modulo {} with root {}, not {} with {}", i,
                            tower.params->modulus, tower.params->root, q.value(), q.psi()));
    }
    tower.values.copy_to(out.limb(part, i));
    check_residues(q, out.limb(part, i), place("tower"));
    if (poly.format == Format::coefficient) {
      const std::vector<std::uint64_t> coefficients(out.limb(part, i).begin(),
                                                    out.limb(part, i).end());
      ring::reference::ntt(q, coefficients, out.limb(part, i));
    }
  }
}

rlwe::LimbMatrix read_polynomials(std::span<const DcrtPoly> polynomials,
                                  std::span<const ring::Modulus> moduli, std::size_t limb_count) {
  rlwe::LimbMatrix limbs(polynomials.size(), limb_count, moduli.front().degree());
  for (std::size_t part = 0; part < polynomials.size(); ++part) {
    read_polynomial(polynomials[part], moduli, part, limbs);
  }
  return limbs;
}

BigInteger product_of(std::span<const std::shared_ptr<NativeParams>> towers) {
  BigInteger product;
  product.limbs = {1};
  for (const auto& tower : towers) {
    std::uint64_t carry = 0;
    for (std::uint64_t& limb : product.limbs) {
      const ring::Uint128 sum = ring::Uint128{limb} * tower->modulus + carry;
      limb = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
    if (carry != 0) product.limbs.push_back(carry);
  }
  product.bits = static_cast<std::uint32_t>(64 * (product.limbs.size() - 1) +
                                            std::bit_width(product.limbs.back()));
  return product;
}

/// The parameters that new polynomials point to, shared as OpenFHE shares them: all of Q is the
/// context's own; fewer limbs share its towers, each polynomial with a list of its own; keys with
/// special primes have towers of their own and one list.
class PolynomialMaker {
 public:
  PolynomialMaker(const Context& context, std::span<const ring::Modulus> moduli) {
    const DcrtParams& q = *context.parameters->element_params;
    if (moduli.size() > q.towers.size()) {
      for (const ring::Modulus& m : moduli) {
        const auto degree = static_cast<std::uint32_t>(m.degree());
        towers_.push_back(std::make_shared<NativeParams>(
            NativeParams{2 * degree, degree, m.value(), m.psi(), 0, 0}));
      }
      shared_ = make_params();
      return;
    }
    towers_.assign(q.towers.begin(), q.towers.begin() + static_cast<std::ptrdiff_t>(moduli.size()));
    if (moduli.size() == q.towers.size()) shared_ = context.parameters->element_params;
  }

  /// limb(i): the i-th of the words.
  template <typename Limb>
  DcrtPoly make(Limb limb) const {
    DcrtPoly poly;
    for (std::size_t i = 0; i < towers_.size(); ++i) {
      poly.towers.push_back({WordView(limb(i)), Format::evaluation, towers_[i]});
    }
    poly.format = Format::evaluation;
    poly.params = shared_ ? shared_ : make_params();
    return poly;
  }
  DcrtPoly make(const rlwe::LimbMatrix& limbs, std::size_t part) const {
    return make([&](std::size_t i) { return limbs.limb(part, i); });
  }

 private:
  std::shared_ptr<DcrtParams> make_params() const {
    auto params = std::make_shared<DcrtParams>();
    params->order = towers_.front()->order;
    params->degree = towers_.front()->degree;
    params->modulus = product_of(towers_);
    params->towers = towers_;
    return params;
  }

  std::vector<std::shared_ptr<NativeParams>> towers_;
  std::shared_ptr<DcrtParams> shared_;
};

/// A maker for the first `limb_count` moduli of Q and then `special_count` of P.
PolynomialMaker maker(const rlwe::Parameters& parameters, const Owner& owner,
                      std::size_t limb_count, std::size_t special_count = 0) {
  const auto& towers = owner.context->parameters->element_params->towers;
  const auto q = parameters.q().moduli();
  bool same = towers.size() == q.size();
  for (std::size_t i = 0; same && i < q.size(); ++i) {
    same = towers[i]->modulus == q[i].value() && towers[i]->root == q[i].psi() &&
           towers[i]->degree == q[i].degree();
  }
  if (!same) {
    mismatch(fmt::format("the parameters' {} moduli are not the {} of the OpenFHE context",
                         q.size(), towers.size()));
  }
  if (special_count != 0) return {*owner.context, key_moduli(parameters, special_count)};
  return {*owner.context, q.first(limb_count)};
}

}  // namespace

const EvalKey* find_eval_key(const File& file) noexcept {
  if (const auto* keys = std::get_if<EvalMultKeys>(&file.object)) {
    return keys->front().second.front().get();
  }
  if (const auto* keys = std::get_if<AutomorphismKeys>(&file.object)) {
    return keys->front().second->front().second.get();
  }
  return nullptr;
}

rlwe::Parameters::Description description(const Context& context, const EvalKey* key) {
  const CryptoParameters& parameters = *context.parameters;
  const auto& towers = parameters.element_params->towers;
  if (towers.empty() || towers.size() > kMaxModuli) {
    malformed(fmt::format("{} moduli are not in [1, {}]", towers.size(), kMaxModuli));
  }
  rlwe::Parameters::Description d;
  d.q = moduli_of(towers);
  d.error_scale = parameters.noise_scale;
  d.sigma = parameters.sigma;
  if (!std::isfinite(d.sigma)) malformed("sigma is not a number");
  if (parameters.secret_distribution == 0) malformed("Gaussian secrets are not supported");
  if (parameters.secret_distribution >= kSparseTernary) {
    d.secret_weight = std::min<std::size_t>(kSparseWeight, towers.front()->degree);
  }
  const std::size_t count = towers.size();
  if (parameters.key_switch == static_cast<std::uint32_t>(KeySwitch::bv)) {
    if (parameters.digit_size != 0) malformed("keys with a digit size other than 0 are not read");
    d.gadgets = {{1, 0, count}};
  } else if (key != nullptr && parameters.digit_count != 0 && !key->a.empty()) {
    const auto& key_towers = key->a.front().params->towers;
    if (key_towers.size() <= count || key_towers.size() > kMaxModuli) {
      malformed(fmt::format("a key has {} towers, its context {}", key_towers.size(), count));
    }
    d.p = moduli_of(std::span(key_towers).subspan(count));
    d.gadgets = {
        {(count + parameters.digit_count - 1) / parameters.digit_count, d.p.size(), count}};
  }
  check_description(d, place("context"));
  return d;
}

rlwe::Ciphertext to_ciphertext(const Ciphertext& ciphertext, const rlwe::Parameters& parameters) {
  if (ciphertext.elements.empty()) malformed("a ciphertext has 0 parts");
  const std::size_t limb_count = ciphertext.elements.front().towers.size();
  if (limb_count > parameters.q().size()) {
    malformed(fmt::format("a ciphertext has {} limbs, its parameters {}", limb_count,
                          parameters.q().size()));
  }
  rlwe::Ciphertext result;
  result.limbs = read_polynomials(ciphertext.elements, parameters.q().moduli(), limb_count);
  const auto unknown = rlwe::NoiseBound::of_log2(std::numeric_limits<double>::infinity());
  result.bounds = {unknown, unknown};
  return result;
}

rlwe::PublicKey to_public_key(const PublicKey& key, const rlwe::Parameters& parameters) {
  if (key.h.size() != 2) malformed(fmt::format("a public key has {} parts, not 2", key.h.size()));
  return {read_polynomials(key.h, parameters.q().moduli(), parameters.q().size()), std::nullopt};
}

rlwe::SecretKey to_secret_key(const SecretKey& key, const rlwe::Parameters& parameters) {
  const std::size_t limb_count = key.s.towers.size();
  if (limb_count != parameters.q().size()) {
    malformed(fmt::format("a secret key has {} limbs, not {}", limb_count, parameters.q().size()));
  }
  rlwe::SecretLimbs limbs(1, limb_count, parameters.degree());
  read_polynomial(key.s, parameters.q().moduli(), 0, limbs);
  return checked_secret(parameters, limbs, place("secret key"));
}

rlwe::EvaluationKey to_evaluation_key(const EvalKey& key, const rlwe::Parameters& parameters) {
  const rlwe::Gadget& gadget = first_gadget(parameters);
  const std::size_t digits = gadget.digit_count(gadget.max_limb_count);
  if (key.a.size() != digits) {
    malformed(fmt::format("a key has {} digits, its gadget {}", key.a.size(), digits));
  }
  const Moduli moduli = key_moduli(parameters, gadget.special_count);
  rlwe::EvaluationKey result{
      gadget, rlwe::LimbMatrix(2 * digits, moduli.size(), parameters.degree()), std::nullopt};
  for (std::size_t j = 0; j < digits; ++j) {
    read_polynomial(key.b[j], moduli, 2 * j, result.limbs);
    read_polynomial(key.a[j], moduli, 2 * j + 1, result.limbs);
  }
  return result;
}

Ciphertext from_ciphertext(const rlwe::Ciphertext& ciphertext, const rlwe::Parameters& parameters,
                           const Ciphertext& like) {
  const PolynomialMaker polynomial = maker(parameters, like.owner, ciphertext.limb_count());
  Ciphertext result = like;
  result.elements.clear();
  for (std::size_t part = 0; part < ciphertext.parts(); ++part) {
    result.elements.push_back(polynomial.make(ciphertext.limbs, part));
  }
  return result;
}

PublicKey from_public_key(const rlwe::PublicKey& key, const rlwe::Parameters& parameters,
                          const Owner& owner) {
  const PolynomialMaker polynomial = maker(parameters, owner, parameters.q().size());
  return {owner, {polynomial.make(key.limbs, 0), polynomial.make(key.limbs, 1)}};
}

SecretKey from_secret_key(const rlwe::SecretKey& key, const rlwe::Parameters& parameters,
                          const Owner& owner) {
  const PolynomialMaker polynomial = maker(parameters, owner, parameters.q().size());
  return {owner, polynomial.make([&](std::size_t i) { return key.limb(i); })};
}

EvalKey from_evaluation_key(const rlwe::EvaluationKey& key, const rlwe::Parameters& parameters,
                            const Owner& owner) {
  const CryptoParameters& context = *owner.context->parameters;
  const rlwe::Gadget& gadget = key.gadget;
  const bool is_bv = context.key_switch == static_cast<std::uint32_t>(KeySwitch::bv);
  const std::size_t count = parameters.q().size();
  if (gadget.max_limb_count != count || is_bv != (gadget.special_count == 0) ||
      (!is_bv && gadget.digit_count(count) != context.digit_count)) {
    mismatch(
        fmt::format("a key of {} limbs, {} special primes and digits of {} limbs is not one "
                    "of the OpenFHE context",
                    gadget.max_limb_count, gadget.special_count, gadget.digit_size));
  }
  const PolynomialMaker polynomial = maker(parameters, owner, count, gadget.special_count);
  EvalKey result{owner, {}, {}};
  for (std::size_t j = 0; j < key.digit_count(); ++j) {
    result.b.push_back(polynomial.make(key.limbs, 2 * j));
    result.a.push_back(polynomial.make(key.limbs, 2 * j + 1));
  }
  return result;
}

}  // namespace heliodor::formats::openfhe
