// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor.ckks: approximate arithmetic on arrays of real or complex numbers.
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <complex>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "python/src/arrays.h"
#include "python/src/bindings.h"
#include "python/src/ciphertext_properties.h"
#include "python/src/contexts.h"
#include "python/src/target_argument.h"

namespace heliodor::python {
namespace {

using namespace pybind11::literals;
using ckks::Ciphertext;
using Complex = std::complex<double>;
using ContextPtr = std::shared_ptr<CkksContext>;
using Steps = std::vector<std::int64_t>;

// One thread at a time, though Python's are many.
class Encryptor {
 public:
  template <typename Key>
  Encryptor(const ContextPtr& context, const Key& key,
            const std::optional<std::uint64_t>& test_seed)
      : encryptor_(with_seed(test_seed, [&](const auto& seed) {
          return std::make_unique<ckks::Encryptor>(context->get(), key, seed);
        })) {}

  Ciphertext encrypt(std::span<const double> values) {
    const std::scoped_lock lock(mutex_);
    return encryptor_->encrypt(values);
  }
  Ciphertext encrypt(std::span<const Complex> values) {
    const std::scoped_lock lock(mutex_);
    return encryptor_->encrypt(ckks::Slots(values.begin(), values.end()));
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<ckks::Encryptor> encryptor_;
};

using Evaluator = ckks::Evaluator;

// Values as an evaluator takes them.
std::span<const double> values_of(std::span<const double> values) { return values; }
ckks::Slots values_of(std::span<const Complex> values) { return {values.begin(), values.end()}; }

template <typename T>
std::vector<T> negated(std::span<const T> values) {
  std::vector<T> result;
  for (const T& value : values) result.push_back(-value);
  return result;
}

/// A method of a ciphertext and real values, and the same with complex ones: method(e, a, span).
template <typename Method>
void add_values_method(py::class_<Evaluator>& c, const char* name, const char* doc, Method method) {
  c.def(
      name,
      [method](const Evaluator& e, const Ciphertext& a, const Values<double>& b) {
        const auto span = view(b);
        const py::gil_scoped_release unlocked;
        return method(e, a, span);
      },
      "a"_a, "b"_a);
  c.def(
      name,
      [method](const Evaluator& e, const Ciphertext& a, const Values<Complex>& b) {
        const auto span = view(b);
        const py::gil_scoped_release unlocked;
        return method(e, a, span);
      },
      "a"_a, "b"_a, doc);
}

void add_ckks_parameters(py::module_& m) {
  using ckks::Parameters;
  py::class_<Parameters>(m, "Parameters", "Ring-LWE parameters and the scale of each limb_count.")
      .def(py::init([](const rlwe::Parameters& rlwe, double scale, std::size_t base_limbs,
                       double value_bound) {
             return Parameters(rlwe.description(), ckks::Scale(scale), base_limbs, value_bound);
           }),
           "rlwe"_a, "scale"_a, py::kw_only(), "base_limbs"_a = 1, "value_bound"_a = 1.0,
           Unlocked(), "Explicit moduli; limbs are consumed from the end.")
      .def_static(
          "for_depth",
          [](std::size_t depth, unsigned scale_bits, unsigned integer_bits, double value_bound,
             std::size_t digit_count, rlwe::SecurityLevel security,
             const std::optional<std::uint64_t>& degree) {
            return Parameters::for_depth({.depth = depth,
                                          .scale_bits = scale_bits,
                                          .integer_bits = integer_bits,
                                          .value_bound = value_bound,
                                          .digit_count = digit_count,
                                          .security = security,
                                          .degree = degree});
          },
          py::kw_only(), "depth"_a, "scale_bits"_a = 45, "integer_bits"_a = 10,
          "value_bound"_a = 1.0, "digit_count"_a = 3, "security"_a = rlwe::SecurityLevel::bits128,
          "degree"_a = py::none(), Unlocked(),
          "For `depth` multiplications in a row of values up to value_bound, with results below "
          "2^integer_bits.")
      .def_property_readonly(
          "rlwe", [](const Parameters& p) -> const rlwe::Parameters& { return p.rlwe(); },
          py::return_value_policy::reference_internal)
      .def_property_readonly("degree", &Parameters::degree)
      .def_property_readonly("max_slots", &Parameters::max_slots, "degree/2.")
      .def_property_readonly("limb_count", &Parameters::limb_count, "Of fresh ciphertexts.")
      .def_property_readonly("base_limbs", &Parameters::base_limbs)
      .def_property_readonly("depth", &Parameters::depth)
      .def_property_readonly("value_bound", &Parameters::value_bound)
      .def_property_readonly("security", [](const Parameters& p) { return p.rlwe().security(); });
}

void add_ckks_context(py::module_& m) {
  py::class_<CkksContext, AnyContext, ContextPtr>(
      m, "Context", "Parameters, the target that computes, and the plans made so far.")
      .def(py::init([](const ckks::Parameters& parameters, const TargetArgument& target) {
             return std::make_shared<CkksContext>(parameters, to_target(target));
           }),
           "parameters"_a, "target"_a = "cpu", Unlocked())
      .def_property_readonly("parameters", &CkksContext::parameters,
                             py::return_value_policy::reference_internal);
}

void add_ckks_ciphertext(py::module_& m) {
  py::class_<Ciphertext> c(m, "Ciphertext", "Encrypted slots.");
  add_ciphertext_properties(c,
                            [](const Ciphertext& x) -> const rlwe::Ciphertext& { return x.rlwe; });
  c.def_property_readonly("scale", [](const Ciphertext& x) { return x.scale.value(); })
      .def_readonly("slots", &Ciphertext::slots)
      .def_property_readonly(
          "slot_error_bound", [](const Ciphertext& x) { return ckks::slot_error_bound(x); },
          "A bound on the error of every decrypted slot.")
      .def(
          "assume_bound",
          [](const Ciphertext& x, double bound) { return ckks::assume_bound(x, bound); },
          "value_bound"_a, Unlocked(),
          "The same ciphertext, for which the caller vouches that no slot exceeds value_bound. "
          "If the promise is wrong, results may be wrong without notice.");
}

void add_ckks_encryption(py::module_& m) {
  using TestSeed = std::optional<std::uint64_t>;
  py::class_<Encryptor> encryptor(
      m, "Encryptor",
      "Encrypts under the public or the secret key. With test_seed ciphertexts are reproducible: "
      "for tests and demonstrations only.");
  encryptor
      .def(py::init<const ContextPtr&, const rlwe::PublicKey&, const TestSeed&>(), "context"_a,
           "key"_a, py::kw_only(), "test_seed"_a = py::none(), Unlocked())
      .def(py::init<const ContextPtr&, const rlwe::SecretKey&, const TestSeed&>(), "context"_a,
           "key"_a, py::kw_only(), "test_seed"_a = py::none(), py::keep_alive<1, 3>(), Unlocked());
  const auto encrypt = [](Encryptor& e, const auto& values) {
    const auto span = view(values);
    const py::gil_scoped_release unlocked;
    return e.encrypt(span);
  };
  encryptor
      .def(
          "encrypt",
          [encrypt](Encryptor& e, const Values<double>& values) { return encrypt(e, values); },
          "values"_a)
      .def(
          "encrypt",
          [encrypt](Encryptor& e, const Values<Complex>& values) { return encrypt(e, values); },
          "values"_a,
          "Real or complex values, at most degree/2 of them and none above the parameters' "
          "value_bound; zeros raise their number to a power of two.");
  py::class_<ckks::Decryptor>(
      m, "Decryptor",
      "Decrypts with the secret key. A decrypted array carries the noise, and with it information "
      "on the key: give it only to who may hold the key.")
      .def(py::init([](const ContextPtr& context, const rlwe::SecretKey& key) {
             return ckks::Decryptor(context->get(), key);
           }),
           "context"_a, "key"_a, py::keep_alive<1, 3>(), Unlocked())
      .def(
          "decrypt",
          [](const ckks::Decryptor& d, const Ciphertext& ciphertext) {
            ckks::Slots values;
            {
              const py::gil_scoped_release unlocked;
              values = d.decrypt(ciphertext);
            }
            return to_array(values);
          },
          "ciphertext"_a,
          "ciphertext.slots complex values, each within ciphertext.slot_error_bound.");
}

void add_values_operations(py::class_<Evaluator>& c) {
  add_values_method(c, "add_plain", "With real or complex values, or one number for all slots.",
                    [](const Evaluator& e, const Ciphertext& a, const auto& b) {
                      return e.add(a, values_of(b));
                    });
  add_values_method(
      c, "sub_plain", "As add_plain.",
      [](const Evaluator& e, const Ciphertext& a, const auto& b) { return e.add(a, negated(b)); });
  add_values_method(c, "multiply_plain", "Rescaled. Values as add_plain takes them.",
                    [](const Evaluator& e, const Ciphertext& a, const auto& b) {
                      return e.multiply(a, values_of(b));
                    });
}

void add_products(py::class_<Evaluator>& c) {
  using Ciphertexts = std::vector<Ciphertext>;
  c.def(
       "multiply",
       [](const Evaluator& e, const Ciphertext& a, const Ciphertext& b) {
         return e.multiply(a, b);
       },
       "a"_a, "b"_a, Unlocked())
      .def(
          "multiply",
          [](const Evaluator& e, const Ciphertexts& a, const Ciphertexts& b) {
            return e.multiply(a, b);
          },
          "a"_a, "b"_a, Unlocked(),
          "The relinearized and rescaled product; of two lists the products of their pairs, for "
          "which each piece of the key is read once.")
      .def("square", &Evaluator::square, "a"_a, Unlocked())
      .def("multiply_without_relinearization", &Evaluator::multiply_without_relinearization, "a"_a,
           "b"_a, Unlocked(), "A product of three parts, not rescaled.")
      .def("relinearize", &Evaluator::relinearize, "a"_a, Unlocked(), "Three parts to two.")
      .def("rescale", &Evaluator::rescale, "a"_a, Unlocked(),
           "Divides by the last modulus, which is dropped.");
}

void add_moves(py::class_<Evaluator>& c) {
  c.def(
       "rotate",
       [](const Evaluator& e, const Ciphertext& a, std::int64_t steps) {
         return e.rotate(a, steps);
       },
       "a"_a, "steps"_a, Unlocked())
      .def(
          "rotate",
          [](const Evaluator& e, const Ciphertext& a, const Steps& steps) {
            return e.rotate(a, steps);
          },
          "a"_a, "steps"_a, Unlocked(),
          "Slots by `steps` to the left; for a list of steps a list of rotations, which share the "
          "digits of `a` (hoisting).")
      .def("conjugate", &Evaluator::conjugate, "a"_a, Unlocked())
      .def(
          "inner_sum",
          [](const Evaluator& e, const Ciphertext& a, const std::optional<std::size_t>& count) {
            return e.inner_sum(a, count.value_or(a.slots));
          },
          "a"_a, "count"_a = py::none(), Unlocked(),
          "Each slot becomes the sum of `count` slots from it on; of all slots without a count.")
      .def("to_level", &Evaluator::to_level, "a"_a, "limb_count"_a, Unlocked(),
           "The same values at fewer limbs, with that level's scale.");
}

void add_ckks_evaluator(py::module_& m) {
  py::class_<Evaluator> c(m, "Evaluator",
                          "Arithmetic on encrypted slots. An operation that could decrypt wrongly "
                          "is an Error 'noise_overflow', one without its key an Error "
                          "'missing_key'. Safe from many threads.");
  c.def(py::init([](const ContextPtr& context, const rlwe::RelinearizationKeys* relinearization,
                    const rlwe::GaloisKeys* galois, rlwe::Matching matching) {
          return Evaluator(context->get(), copy_or_none(relinearization), copy_or_none(galois),
                           matching);
        }),
        "context"_a, "relinearization_keys"_a = py::none(), "galois_keys"_a = py::none(),
        py::kw_only(), "matching"_a = rlwe::Matching::automatic, Unlocked(),
        "Keys are copied; those that no operation needs may be missing.")
      .def(
          "add",
          [](const Evaluator& e, const Ciphertext& a, const Ciphertext& b) { return e.add(a, b); },
          "a"_a, "b"_a, Unlocked())
      .def("sub", &Evaluator::sub, "a"_a, "b"_a, Unlocked())
      .def("negate", &Evaluator::negate, "a"_a, Unlocked())
      .def(
          "force_key_switch",
          [](Evaluator& e, std::optional<rlwe::KeySwitchMethod> method) {
            e.planner().force(method);
          },
          "method"_a, Unlocked(), "Only this method from now on; None for the cheapest again.");
  add_values_operations(c);
  add_products(c);
  add_moves(c);
}

}  // namespace

void add_ckks(py::module_& m) {
  py::module_ ckks = m.def_submodule("ckks", "CKKS: approximate arithmetic on complex numbers.");
  add_ckks_parameters(ckks);
  add_ckks_context(ckks);
  add_ckks_ciphertext(ckks);
  add_ckks_encryption(ckks);
  add_ckks_evaluator(ckks);
}

}  // namespace heliodor::python
