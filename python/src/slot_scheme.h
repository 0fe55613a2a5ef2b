// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// BGV and BFV in Python: arithmetic modulo t on arrays of integers. One binding for both, as their
// C++ interfaces are the same but for what a ciphertext tracks.
#pragma once

#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/src/arrays.h"
#include "python/src/bindings.h"
#include "python/src/ciphertext_properties.h"
#include "python/src/contexts.h"
#include "python/src/slot_evaluator.h"
#include "python/src/target_argument.h"

namespace heliodor::python {

using namespace pybind11::literals;

/// One thread at a time, though Python's are many.
template <typename Scheme>
class SlotEncryptor {
 public:
  template <typename Key>
  SlotEncryptor(std::shared_ptr<SlotContext<Scheme>> context, const Key& key,
                const std::optional<std::uint64_t>& test_seed)
      : context_(std::move(context)), encryptor_(with_seed(test_seed, [&](const auto& seed) {
          return std::make_unique<typename Scheme::Encryptor>(context_->get(), key, seed);
        })) {}

  typename Scheme::Ciphertext encrypt(const slots::Plaintext& plaintext) {
    const std::scoped_lock lock(mutex_);
    return encryptor_->encrypt(plaintext);
  }
  typename Scheme::Ciphertext encrypt_slots(std::span<const std::int64_t> values) {
    return encrypt(context_->encode(values));
  }

 private:
  std::shared_ptr<SlotContext<Scheme>> context_;
  std::mutex mutex_;
  std::unique_ptr<typename Scheme::Encryptor> encryptor_;
};

template <typename Scheme>
struct SlotDecryptor {
  std::shared_ptr<SlotContext<Scheme>> context;
  typename Scheme::Decryptor decryptor;
};

template <typename Scheme>
typename Scheme::Parameters slot_parameters_for_depth(std::uint64_t t, std::size_t depth,
                                                      std::size_t summands, std::size_t digit_count,
                                                      rlwe::SecurityLevel security,
                                                      std::uint64_t min_degree) {
  return Scheme::Parameters::for_depth({.t = t,
                                        .depth = depth,
                                        .summands = summands,
                                        .digit_count = digit_count,
                                        .security = security,
                                        .min_degree = min_degree});
}

template <typename Scheme>
void add_slot_parameters(py::module_& m) {
  using Parameters = typename Scheme::Parameters;
  py::class_<Parameters>(m, "Parameters", "Ring-LWE parameters and the plaintext modulus t.")
      .def(py::init([](const rlwe::Parameters& rlwe, std::uint64_t t) {
             return Parameters(rlwe.description(), t);
           }),
           "rlwe"_a, "t"_a, Unlocked(), "Explicit moduli.")
      .def_static("for_depth", &slot_parameters_for_depth<Scheme>, py::kw_only(), "t"_a, "depth"_a,
                  "summands"_a = 1, "digit_count"_a = 3,
                  "security"_a = rlwe::SecurityLevel::bits128, "min_degree"_a = 1024, Unlocked(),
                  "The smallest that decrypt right after `depth` multiplications in a row, "
                  "each of sums of `summands` ciphertexts.")
      .def_property_readonly(
          "rlwe", [](const Parameters& p) -> const rlwe::Parameters& { return p.rlwe(); },
          py::return_value_policy::reference_internal)
      .def_property_readonly("t", [](const Parameters& p) { return p.t().value(); })
      .def_property_readonly("degree", &Parameters::degree)
      .def_property_readonly("security", [](const Parameters& p) { return p.rlwe().security(); });
}

template <typename Scheme>
void add_slot_context(py::module_& m) {
  using Context = SlotContext<Scheme>;
  py::class_<Context, AnyContext, std::shared_ptr<Context>>(
      m, "Context", "Parameters, the target that computes, and the plans made so far.")
      .def(
          py::init([](const typename Scheme::Parameters& parameters, const TargetArgument& target) {
            return std::make_shared<Context>(parameters, to_target(target));
          }),
          "parameters"_a, "target"_a = "cpu", Unlocked())
      .def_property_readonly("parameters", &Context::parameters,
                             py::return_value_policy::reference_internal)
      .def(
          "encode",
          [](const Context& context, const Values<std::int64_t>& values) {
            const auto span = view(values);
            const py::gil_scoped_release unlocked;
            return context.encode(span);
          },
          "values"_a,
          "Values from -t/2 to t - 1 as the first slots. Error 'invalid_modulus' unless t is a "
          "prime that is 1 modulo 2*degree.")
      .def(
          "encode_coefficients",
          [](const Context& context, const Values<std::int64_t>& values) {
            return slots::encode_coefficients(context.t(), context.parameters().degree(),
                                              view(values));
          },
          "values"_a, "Values as the first coefficients, for any t.")
      .def(
          "decode",
          [](const Context& context, const slots::Plaintext& plaintext, bool centred) {
            std::vector<std::int64_t> values;
            {
              const py::gil_scoped_release unlocked;
              values = context.decode(plaintext, centred);
            }
            return to_array(values);
          },
          "plaintext"_a, py::kw_only(), "centred"_a = false,
          "The slots in [0, t), or centred around 0.");
}

template <typename Scheme>
void add_slot_encryption(py::module_& m) {
  using ContextPtr = std::shared_ptr<SlotContext<Scheme>>;
  using Encryptor = SlotEncryptor<Scheme>;
  using Decryptor = SlotDecryptor<Scheme>;
  using TestSeed = std::optional<std::uint64_t>;
  py::class_<Encryptor>(m, "Encryptor",
                        "Encrypts under the public or the secret key. With test_seed ciphertexts "
                        "are reproducible: for tests and demonstrations only.")
      .def(py::init<ContextPtr, const rlwe::PublicKey&, const TestSeed&>(), "context"_a, "key"_a,
           py::kw_only(), "test_seed"_a = py::none(), Unlocked())
      .def(py::init<ContextPtr, const rlwe::SecretKey&, const TestSeed&>(), "context"_a, "key"_a,
           py::kw_only(), "test_seed"_a = py::none(), py::keep_alive<1, 3>(), Unlocked())
      .def("encrypt", &Encryptor::encrypt, "plaintext"_a, Unlocked())
      .def(
          "encrypt",
          [](Encryptor& encryptor, const Values<std::int64_t>& values) {
            const auto span = view(values);
            const py::gil_scoped_release unlocked;
            return encryptor.encrypt_slots(span);
          },
          "values"_a, "A Plaintext, or values as the first slots (Context.encode).");
  py::class_<Decryptor>(m, "Decryptor", "Decrypts with the secret key.")
      .def(py::init([](ContextPtr context, const rlwe::SecretKey& key) {
             typename Scheme::Decryptor decryptor(context->get(), key);
             return Decryptor{std::move(context), std::move(decryptor)};
           }),
           "context"_a, "key"_a, py::keep_alive<1, 3>(), Unlocked())
      .def(
          "decrypt",
          [](const Decryptor& d, const typename Scheme::Ciphertext& ciphertext, bool centred) {
            std::vector<std::int64_t> values;
            {
              const py::gil_scoped_release unlocked;
              values = d.context->decode(d.decryptor.decrypt(ciphertext), centred);
            }
            return to_array(values);
          },
          "ciphertext"_a, py::kw_only(), "centred"_a = false,
          "The slots in [0, t), or centred around 0.")
      .def(
          "decrypt_plaintext",
          [](const Decryptor& d, const typename Scheme::Ciphertext& ciphertext) {
            return d.decryptor.decrypt(ciphertext);
          },
          "ciphertext"_a, Unlocked(), "The Plaintext, for coefficients.");
}

/// Submodule with Parameters, Context, Encryptor, Decryptor and Evaluator; the ciphertext's class
/// must exist.
template <typename Scheme>
void add_slot_scheme(py::module_& m) {
  add_slot_parameters<Scheme>(m);
  add_slot_context<Scheme>(m);
  add_slot_encryption<Scheme>(m);
  add_slot_evaluator<Scheme>(m);
}

}  // namespace heliodor::python
