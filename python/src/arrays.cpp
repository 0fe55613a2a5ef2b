// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "python/src/arrays.h"

#include <string>

#include "heliodor/base/error.h"

namespace heliodor::python {

void check_vector(const py::array& array) {
  if (array.ndim() > 1) {
    throw Error(ErrorCode::mismatch,
                "an array has " + std::to_string(array.ndim()) + " dimensions, expected 1");
  }
}

Array<std::uint64_t> to_words(const py::array& array) {
  const char kind = array.dtype().kind();
  if (kind != 'u' && kind != 'i') {
    throw Error(ErrorCode::mismatch, "an array of words has elements of kind '" +
                                         std::string(1, kind) + "', expected 'u' or 'i'");
  }
  return py::array_t<std::uint64_t, py::array::c_style | py::array::forcecast>(array);
}

Array<std::uint64_t> to_array(const rlwe::LimbMatrix& limbs) {
  Array<std::uint64_t> array({limbs.parts(), limbs.limb_count(), std::size_t{limbs.degree()}});
  std::uint64_t* out = array.mutable_data();
  for (std::size_t part = 0; part < limbs.parts(); ++part) {
    for (std::size_t i = 0; i < limbs.limb_count(); ++i) {
      const auto limb = limbs.limb(part, i);
      out = std::copy(limb.begin(), limb.end(), out);
    }
  }
  return array;
}

}  // namespace heliodor::python
