// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// NumPy arrays as spans and back.
#pragma once

#include <pybind11/numpy.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/rlwe/ciphertext.h"

namespace heliodor::python {

namespace py = pybind11;

template <typename T>
using Array = py::array_t<T, py::array::c_style>;

/// Throws Error{mismatch} for more than one dimension; a number is an array of one.
void check_vector(const py::array& array);

/// An argument of values of type T: an array, list or number that converts by NumPy's rule "safe",
/// by which no float becomes an integer; else Python sees a TypeError.
template <typename T>
struct Values {
  Array<T> array;
};

/// The elements. Valid as long as the argument.
template <typename T>
std::span<const T> view(const Values<T>& values) {
  check_vector(values.array);
  return {values.array.data(), static_cast<std::size_t>(values.array.size())};
}

template <typename T>
Array<T> to_array(std::span<const T> values) {
  Array<T> array(static_cast<py::ssize_t>(values.size()));
  std::copy(values.begin(), values.end(), array.mutable_data());
  return array;
}

template <typename T>
Array<T> to_array(const std::vector<T>& values) {
  return to_array(std::span<const T>(values));
}

/// Any integers as words; negative ones become words that no modulus exceeds. Throws
/// Error{mismatch} for arrays of anything else.
Array<std::uint64_t> to_words(const py::array& array);

/// Shape (parts, limb_count, degree).
Array<std::uint64_t> to_array(const rlwe::LimbMatrix& limbs);

}  // namespace heliodor::python

namespace pybind11::detail {

template <typename T>
struct type_caster<heliodor::python::Values<T>> {
  PYBIND11_TYPE_CASTER(heliodor::python::Values<T>, const_name("ArrayLike"));

  // Without `convert` only arrays of T: of several signatures the exact one comes first.
  bool load(handle source, bool convert) {
    if (!convert && !heliodor::python::Array<T>::check_(source)) return false;
    // First an array of its own type: a list would be cast element by element, by another rule.
    const array given = array::ensure(source);
    if (!given) return false;
    // An empty list has the type of no element.
    if (given.size() == 0) return true;
    value.array = heliodor::python::Array<T>::ensure(given);
    return static_cast<bool>(value.array);
  }
};

}  // namespace pybind11::detail
