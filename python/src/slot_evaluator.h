// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluator of BGV and BFV in Python.
#pragma once

#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "python/src/arrays.h"
#include "python/src/bindings.h"
#include "python/src/contexts.h"

namespace heliodor::python {

using namespace pybind11::literals;

template <typename Scheme>
struct SlotEvaluator {
  std::shared_ptr<SlotContext<Scheme>> context;
  typename Scheme::Evaluator evaluator;
};

/// A method of a ciphertext and a Plaintext, and the same with values as slots.
template <typename Scheme, typename Class, typename Method>
void add_plain_method(Class& c, const char* name, Method method) {
  using Evaluator = SlotEvaluator<Scheme>;
  using Ciphertext = typename Scheme::Ciphertext;
  c.def(
      name,
      [method](const Evaluator& e, const Ciphertext& a, const slots::Plaintext& b) {
        return (e.evaluator.*method)(a, b);
      },
      "a"_a, "b"_a, Unlocked());
  c.def(
      name,
      [method](const Evaluator& e, const Ciphertext& a, const Values<std::int64_t>& b) {
        const auto span = view(b);
        const py::gil_scoped_release unlocked;
        return (e.evaluator.*method)(a, e.context->encode(span));
      },
      "a"_a, "b"_a, "With a Plaintext, or values as the first slots.");
}

template <typename Scheme, typename Class>
void add_slot_products(Class& c) {
  using E = SlotEvaluator<Scheme>;
  using Ciphertext = typename Scheme::Ciphertext;
  using Ciphertexts = std::vector<Ciphertext>;
  c.def(
       "multiply",
       [](const E& e, const Ciphertext& a, const Ciphertext& b) {
         return e.evaluator.multiply(a, b);
       },
       "a"_a, "b"_a, Unlocked())
      .def(
          "multiply",
          [](const E& e, const Ciphertexts& a, const Ciphertexts& b) {
            return e.evaluator.multiply(a, b);
          },
          "a"_a, "b"_a, Unlocked(),
          "The relinearized product; of two lists the products of their pairs, for which each "
          "piece of the key is read once.")
      .def(
          "square", [](const E& e, const Ciphertext& a) { return e.evaluator.square(a); }, "a"_a,
          Unlocked())
      .def(
          "multiply_without_relinearization",
          [](const E& e, const Ciphertext& a, const Ciphertext& b) {
            return e.evaluator.multiply_without_relinearization(a, b);
          },
          "a"_a, "b"_a, Unlocked(), "A product of three parts.")
      .def(
          "relinearize", [](const E& e, const Ciphertext& a) { return e.evaluator.relinearize(a); },
          "a"_a, Unlocked(), "Three parts to two.")
      .def(
          "multiply_scalar",
          [](const E& e, const Ciphertext& a, std::int64_t b) {
            return e.evaluator.multiply_scalar(a, b);
          },
          "a"_a, "b"_a, Unlocked(), "By an integer, modulo t.");
}

template <typename Scheme, typename Class>
void add_slot_sums(Class& c) {
  using E = SlotEvaluator<Scheme>;
  using Ciphertext = typename Scheme::Ciphertext;
  c.def(
       "add",
       [](const E& e, const Ciphertext& a, const Ciphertext& b) { return e.evaluator.add(a, b); },
       "a"_a, "b"_a, Unlocked())
      .def(
          "sub",
          [](const E& e, const Ciphertext& a, const Ciphertext& b) {
            return e.evaluator.sub(a, b);
          },
          "a"_a, "b"_a, Unlocked())
      .def(
          "negate", [](const E& e, const Ciphertext& a) { return e.evaluator.negate(a); }, "a"_a,
          Unlocked());
}

template <typename Scheme, typename Class>
void add_slot_moves(Class& c) {
  using E = SlotEvaluator<Scheme>;
  using Ciphertext = typename Scheme::Ciphertext;
  c.def(
       "rotate_rows",
       [](const E& e, const Ciphertext& a, std::int64_t steps) {
         return e.evaluator.rotate_rows(a, steps);
       },
       "a"_a, "steps"_a, Unlocked())
      .def(
          "rotate_rows",
          [](const E& e, const Ciphertext& a, const std::vector<std::int64_t>& steps) {
            return e.evaluator.rotate_rows(a, steps);
          },
          "a"_a, "steps"_a, Unlocked(),
          "Both rows of degree/2 slots by `steps` to the left; for a list of steps a list of "
          "rotations, which share the digits of `a` (hoisting).")
      .def(
          "rotate_columns",
          [](const E& e, const Ciphertext& a) { return e.evaluator.rotate_columns(a); }, "a"_a,
          Unlocked(), "Swaps the two rows.")
      .def(
          "inner_sum",
          [](const E& e, const Ciphertext& a, std::uint64_t count) {
            return e.evaluator.inner_sum(a, count);
          },
          "a"_a, "count"_a, Unlocked(),
          "Each slot becomes the sum of `count` slots of its row from it on, or for count = degree "
          "of all slots.")
      .def(
          "mod_switch", [](const E& e, const Ciphertext& a) { return e.evaluator.mod_switch(a); },
          "a"_a, Unlocked(), "Divides by the last modulus, which is dropped.")
      .def(
          "mod_switch_to",
          [](const E& e, const Ciphertext& a, std::size_t limb_count) {
            return e.evaluator.mod_switch_to(a, limb_count);
          },
          "a"_a, "limb_count"_a, Unlocked());
}

template <typename Scheme>
void add_slot_evaluator(py::module_& m) {
  using Evaluator = SlotEvaluator<Scheme>;
  py::class_<Evaluator> c(m, "Evaluator",
                          "Arithmetic modulo t on ciphertexts, slot by slot. An operation that "
                          "could decrypt wrongly is an Error 'noise_overflow', one without its key "
                          "an Error 'missing_key'. Safe from many threads.");
  c.def(
      py::init([](std::shared_ptr<SlotContext<Scheme>> context,
                  const rlwe::RelinearizationKeys* relinearization, const rlwe::GaloisKeys* galois,
                  rlwe::Matching matching) {
        typename Scheme::Evaluator evaluator(context->get(), copy_or_none(relinearization),
                                             copy_or_none(galois), matching);
        return std::unique_ptr<Evaluator>(new Evaluator{std::move(context), std::move(evaluator)});
      }),
      "context"_a, "relinearization_keys"_a = py::none(), "galois_keys"_a = py::none(),
      py::kw_only(), "matching"_a = rlwe::Matching::automatic, Unlocked(),
      "Keys are copied; those that no operation needs may be missing.");
  add_slot_sums<Scheme>(c);
  add_slot_products<Scheme>(c);
  add_slot_moves<Scheme>(c);
  add_plain_method<Scheme>(c, "add_plain", &Scheme::Evaluator::add_plain);
  add_plain_method<Scheme>(c, "sub_plain", &Scheme::Evaluator::sub_plain);
  add_plain_method<Scheme>(c, "multiply_plain", &Scheme::Evaluator::multiply_plain);
  c.def(
      "force_key_switch",
      [](Evaluator& e, std::optional<rlwe::KeySwitchMethod> method) {
        e.evaluator.planner().force(method);
      },
      "method"_a, Unlocked(), "Only this method from now on; None for the cheapest again.");
}

}  // namespace heliodor::python
