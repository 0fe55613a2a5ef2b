// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Keys. Python sees of a secret key that it is one, and nothing of what it holds.
#include "heliodor/rlwe/keys.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/ring/automorphism.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/schemes/slots/inner_sum.h"
#include "python/src/bindings.h"
#include "python/src/contexts.h"

namespace heliodor::python {
namespace {

using namespace pybind11::literals;
using rlwe::GaloisKeys;
using rlwe::PublicKey;
using rlwe::RelinearizationKeys;
using rlwe::SecretKey;

// A generator serves one thread at a time, Python's threads are many.
class Generator {
 public:
  Generator(const AnyContext& context, const std::optional<std::uint64_t>& test_seed)
      : degree_(context.rlwe->parameters().degree()),
        generator_(with_seed(test_seed, [&](const auto& seed) {
          return std::make_unique<rlwe::KeyGenerator>(context.rlwe, seed);
        })) {}

  SecretKey secret_key() {
    const std::scoped_lock lock(mutex_);
    return generator_->secret_key();
  }
  PublicKey public_key(const SecretKey& secret) {
    const std::scoped_lock lock(mutex_);
    return generator_->public_key(secret);
  }
  RelinearizationKeys relinearization_keys(const SecretKey& secret) {
    const std::scoped_lock lock(mutex_);
    return generator_->relinearization_keys(secret);
  }
  GaloisKeys galois_keys(const SecretKey& secret, const std::vector<std::int64_t>& rotations,
                         bool conjugation, const std::vector<std::uint64_t>& inner_sums) {
    std::vector<std::uint64_t> elements;
    for (const std::int64_t steps : rotations)
      elements.push_back(ring::galois_element_of_rotation(steps, degree_));
    if (conjugation) elements.push_back(ring::galois_element_of_conjugation(degree_));
    for (const std::uint64_t count : inner_sums) {
      const auto needed = slots::inner_sum_elements(count, degree_);
      elements.insert(elements.end(), needed.begin(), needed.end());
    }
    const std::scoped_lock lock(mutex_);
    return generator_->galois_keys(secret, elements);
  }

 private:
  std::uint64_t degree_;
  std::mutex mutex_;
  std::unique_ptr<rlwe::KeyGenerator> generator_;
};

std::vector<std::uint64_t> elements_of(const GaloisKeys& keys) {
  std::vector<std::uint64_t> elements;
  for (const auto& [element, alternatives] : keys.keys) elements.push_back(element);
  return elements;
}

}  // namespace

void add_keys(py::module_& m) {
  py::class_<AnyContext, std::shared_ptr<AnyContext>>(
      m, "Context", "What bgv.Context, bfv.Context and ckks.Context have in common.")
      .def_readonly("scheme", &AnyContext::scheme, "'bgv', 'bfv' or 'ckks'.")
      .def_property_readonly("target", [](const AnyContext& c) { return c.rlwe->target().name(); })
      .def_property_readonly("degree",
                             [](const AnyContext& c) { return c.rlwe->parameters().degree(); });
  py::class_<SecretKey>(m, "SecretKey",
                        "Opaque: neither shown, nor copied, nor pickled. Zeroed when it dies.")
      .def("__repr__", [](const SecretKey&) { return "<heliodor.SecretKey>"; });
  py::class_<PublicKey>(m, "PublicKey", "For encryption.").def("__repr__", [](const PublicKey&) {
    return "<heliodor.PublicKey>";
  });
  py::class_<RelinearizationKeys>(m, "RelinearizationKeys", "From s^2 to s: for products.")
      .def("__repr__", [](const RelinearizationKeys&) { return "<heliodor.RelinearizationKeys>"; });
  py::class_<GaloisKeys>(m, "GaloisKeys", "For rotations, by Galois element.")
      .def_property_readonly("elements", &elements_of, "In ascending order.")
      .def("__repr__", [](const GaloisKeys& keys) {
        return "<heliodor.GaloisKeys of " + std::to_string(keys.keys.size()) + " elements>";
      });
  py::class_<Generator>(
      m, "KeyGenerator",
      "Keys from the operating system's randomness, or with test_seed reproducible ones, which "
      "are for tests and demonstrations only.")
      .def(py::init<const AnyContext&, const std::optional<std::uint64_t>&>(), "context"_a,
           py::kw_only(), "test_seed"_a = py::none(), Unlocked())
      .def("secret_key", &Generator::secret_key, Unlocked())
      .def("public_key", &Generator::public_key, "secret_key"_a, Unlocked())
      .def("relinearization_keys", &Generator::relinearization_keys, "secret_key"_a, Unlocked())
      .def("galois_keys", &Generator::galois_keys, "secret_key"_a, py::kw_only(),
           "rotations"_a = std::vector<std::int64_t>(), "conjugation"_a = false,
           "inner_sums"_a = std::vector<std::uint64_t>(), Unlocked(),
           "For rotations by these steps to the left (negative: to the right); with conjugation "
           "also for rotate_columns of BGV and BFV and conjugate of CKKS; and for inner sums of "
           "these counts.");
}

}  // namespace heliodor::python
