// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ring-LWE parameters below the schemes, and what they are worth.
#include "heliodor/rlwe/parameters.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/ring/primes.h"
#include "heliodor/rlwe/matching.h"
#include "python/src/bindings.h"

namespace heliodor::python {
namespace {

using namespace pybind11::literals;
using rlwe::DigitLift;
using rlwe::Gadget;
using rlwe::Parameters;
using rlwe::SecurityLevel;

std::vector<ring::Modulus> to_moduli(const std::vector<std::uint64_t>& values,
                                     std::uint64_t degree) {
  std::vector<ring::Modulus> moduli;
  for (const std::uint64_t value : values) moduli.emplace_back(value, degree);
  return moduli;
}

std::vector<std::uint64_t> to_values(std::span<const ring::Modulus> moduli) {
  std::vector<std::uint64_t> values;
  for (const ring::Modulus& q : moduli) values.push_back(q.value());
  return values;
}

std::string describe(const Parameters& p) {
  return "<heliodor.RlweParameters degree=" + std::to_string(p.degree()) +
         " limb_count=" + std::to_string(p.q().size()) + " log_qp=" + std::to_string(p.log_qp()) +
         " security='" + std::string(to_string(p.security())) + "'>";
}

void add_enumerations(py::module_& m) {
  py::enum_<SecurityLevel>(m, "SecurityLevel", "Bits of classical security.")
      .value("none", SecurityLevel::none, "Nothing is secret: must be asked for by name.")
      .value("bits128", SecurityLevel::bits128)
      .value("bits192", SecurityLevel::bits192)
      .value("bits256", SecurityLevel::bits256);
  py::enum_<DigitLift>(m, "DigitLift", "How the digits of a key switch become integers.")
      .value("fast", DigitLift::fast, "The unsigned sum without correction, as OpenFHE.")
      .value("exact", DigitLift::exact, "The centred representative: less noise.");
  py::enum_<rlwe::Matching>(m, "Matching", "What evaluators do about different limb counts.")
      .value("automatic", rlwe::Matching::automatic, "The operand with more limbs comes down.")
      .value("exact", rlwe::Matching::exact, "Nothing moves unless asked.");
}

void add_gadget(py::module_& m) {
  py::class_<Gadget>(m, "Gadget",
                     "How a polynomial is cut into digits for key switching: digit_size limbs each "
                     "(1 for BV), special_count special primes (0 for BV), for ciphertexts of at "
                     "most max_limb_count limbs.")
      .def(py::init<std::size_t, std::size_t, std::size_t>(), "digit_size"_a, "special_count"_a,
           "max_limb_count"_a)
      .def_readonly("digit_size", &Gadget::digit_size)
      .def_readonly("special_count", &Gadget::special_count)
      .def_readonly("max_limb_count", &Gadget::max_limb_count)
      .def("digit_count", &Gadget::digit_count, "limb_count"_a, "Digits of that many limbs.")
      .def(
          "__eq__", [](const Gadget& a, const Gadget& b) { return a == b; }, py::is_operator())
      .def("__repr__", [](const Gadget& g) {
        return "Gadget(digit_size=" + std::to_string(g.digit_size) +
               ", special_count=" + std::to_string(g.special_count) +
               ", max_limb_count=" + std::to_string(g.max_limb_count) + ")";
      });
}

Parameters explicit_parameters(std::uint64_t degree, const std::vector<std::uint64_t>& q,
                               const std::vector<std::uint64_t>& p, std::vector<Gadget> gadgets,
                               std::uint64_t error_scale, DigitLift lift, double sigma,
                               std::optional<std::size_t> secret_weight, SecurityLevel security) {
  return Parameters({.q = to_moduli(q, degree),
                     .p = to_moduli(p, degree),
                     .gadgets = std::move(gadgets),
                     .error_scale = error_scale,
                     .lift = lift,
                     .sigma = sigma,
                     .secret_weight = secret_weight,
                     .security = security});
}

Parameters chosen_parameters(std::uint64_t degree, std::vector<unsigned> q_bits,
                             std::size_t digit_count, std::uint64_t error_scale,
                             std::uint64_t factor, SecurityLevel security) {
  Parameters::Description description = rlwe::choose_moduli({.degree = degree,
                                                             .q_bits = std::move(q_bits),
                                                             .digit_count = digit_count,
                                                             .error_scale = error_scale,
                                                             .factor = factor});
  description.security = security;
  return Parameters(std::move(description));
}

void add_rlwe_parameters(py::module_& m) {
  py::class_<Parameters>(
      m, "RlweParameters",
      "Moduli, gadgets, error scale and security of a ring-LWE cryptosystem. Limbs are kept in the "
      "order of q: the last goes first. Roots are the smallest primitive ones.")
      .def(py::init(&explicit_parameters), "degree"_a, "q"_a, py::kw_only(),
           "p"_a = std::vector<std::uint64_t>(), "gadgets"_a, "error_scale"_a = 1,
           "lift"_a = DigitLift::fast, "sigma"_a = 3.2, "secret_weight"_a = py::none(),
           "security"_a = SecurityLevel::bits128, Unlocked(),
           "Explicit moduli. Error 'insecure' if they reach less than `security`.")
      .def_static("choose", &chosen_parameters, "degree"_a, "q_bits"_a, py::kw_only(),
                  "digit_count"_a = 3, "error_scale"_a = 1, "factor"_a = 1,
                  "security"_a = SecurityLevel::bits128, Unlocked(),
                  "Primes of the sizes q_bits, each in [20, 60] bits, with special primes and "
                  "gadgets to go with them.")
      .def_property_readonly("degree", &Parameters::degree)
      .def_property_readonly("q", [](const Parameters& p) { return to_values(p.q().moduli()); })
      .def_property_readonly("p", [](const Parameters& p) { return to_values(p.p()); })
      .def_property_readonly("gadgets", [](const Parameters& p) { return p.description().gadgets; })
      .def_property_readonly("error_scale", &Parameters::error_scale)
      .def_property_readonly("lift", &Parameters::lift)
      .def_property_readonly("sigma", &Parameters::sigma)
      .def_property_readonly("secret_weight", &Parameters::secret_weight)
      .def_property_readonly("log_q", &Parameters::log_q, "log2 of Q.")
      .def_property_readonly("log_qp", &Parameters::log_qp, "log2 of QP: what security depends on.")
      .def_property_readonly("security", &Parameters::security,
                             "The verdict of the 2024 guidelines, whatever was asked for.")
      .def("__repr__", &describe);
}

}  // namespace

void add_parameters(py::module_& m) {
  add_enumerations(m);
  add_gadget(m);
  add_rlwe_parameters(m);
  m.def("security_level", &rlwe::security_level, "degree"_a, "log_qp"_a, "sparse_secret"_a = false,
        "The highest level that a degree and log2(QP) reach, by the 2024 guidelines.");
  m.def("max_log_qp", &rlwe::max_log_qp, "level"_a, "degree"_a,
        "The largest log2(QP) for a level; None where the guidelines have no row.");
  m.def(
      "generate_primes",
      [](unsigned bits, std::uint64_t degree, std::size_t count,
         const std::vector<std::uint64_t>& exclude) {
        return ring::generate_primes(bits, degree, count, exclude);
      },
      "bits"_a, "degree"_a, "count"_a, "exclude"_a = std::vector<std::uint64_t>(), Unlocked(),
      "The largest primes below 2^bits that are 1 modulo 2*degree, in descending order.");
}

}  // namespace heliodor::python
