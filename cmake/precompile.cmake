# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0

# The headers that most sources include, compiled once: the standard library and fmt for libraries
# (heliodor_library_headers), GoogleTest besides for tests (heliodor_test_headers). A source still
# includes what it uses: without HELIODOR_PRECOMPILE, as in the preset strict-layers, it compiles
# the same.

# heliodor_precompile(<target> <owner>): the target's sources start from the headers of the owner.
# Both need the same options; a source with options of its own, as for an instruction set, has to
# set SKIP_PRECOMPILE_HEADERS.
function(heliodor_precompile target owner)
  if(HELIODOR_PRECOMPILE)
    # Definitions have to be the same too, and fmt::fmt brings one.
    target_link_libraries(${target} PRIVATE fmt::fmt)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    get_target_property(position_independent ${owner} POSITION_INDEPENDENT_CODE)
    if(position_independent)
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
  endif()
endfunction()

# heliodor_precompiled_headers(<owner> DEPENDS .. HEADERS ..): the usual headers and these, compiled
# with the options and definitions of DEPENDS.
function(heliodor_precompiled_headers owner)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;HEADERS")
  # The owner of precompiled headers needs a source.
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "")
  add_library(${owner} OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(${owner} PRIVATE heliodor_options fmt::fmt ${arg_DEPENDS})
  target_precompile_headers(
    ${owner}
    PRIVATE
      <algorithm>
      <array>
      <bit>
      <cmath>
      <cstddef>
      <cstdint>
      <deque>
      <filesystem>
      <fstream>
      <functional>
      <limits>
      <map>
      <memory>
      <numeric>
      <optional>
      <ostream>
      <random>
      <set>
      <span>
      <sstream>
      <string>
      <string_view>
      <utility>
      <vector>
      <fmt/format.h>
      ${arg_HEADERS})
  # With the times of headers in it, the result of one build tree would not serve another by ccache.
  target_compile_options(
    ${owner} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

if(HELIODOR_PRECOMPILE)
  heliodor_precompiled_headers(heliodor_library_headers)
  set_target_properties(heliodor_library_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(HELIODOR_TESTS)
    heliodor_precompiled_headers(heliodor_test_headers
      DEPENDS heliodor_unoptimised GTest::gmock
      HEADERS <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endif()
