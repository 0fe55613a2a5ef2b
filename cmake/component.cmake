# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0

# heliodor_component and heliodor_test: the only two ways to make a target of ours.

include(GoogleTest)

# Sets `out` to the include root of the folder `path` (relative to the repository): the repository
# itself, or with HELIODOR_STRICT_LAYERS a root in the build tree that holds nothing but a link to
# that folder.
function(heliodor_include_root path out)
  if(NOT HELIODOR_STRICT_LAYERS)
    set(${out} ${PROJECT_SOURCE_DIR} PARENT_SCOPE)
    return()
  endif()
  set(root ${PROJECT_BINARY_DIR}/roots/${path})
  set(link ${root}/${path})
  cmake_path(GET link PARENT_PATH parent)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${path} ${link} SYMBOLIC)
  set(${out} ${root} PARENT_SCOPE)
endfunction()

# heliodor_test(<name> SOURCES .. [DEPENDS ..] [LABELS <label>])
#
# One GoogleTest binary. Its tests are listed to CTest one by one when CTest starts, run from the
# repository root, and carry one label: fast (where none is given), slow (runs only with
# `tools/test --all`), rtl or gpu. The label holds for the whole binary: slow tests stand in a
# binary of their own.
#
# Its sources are not optimised, the libraries they call are. A source that computes for seconds
# sets COMPILE_OPTIONS -O1 and SKIP_PRECOMPILE_HEADERS, and so do all that share its inline
# functions.
function(heliodor_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX" "SOURCES;DEPENDS;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "heliodor_test(${name}): no SOURCES, or unknown ${arg_UNPARSED_ARGUMENTS}")
  endif()
  list(LENGTH arg_LABELS label_count)
  if(label_count GREATER 1)
    # gtest_discover_tests of CMake 3.25 silently drops all but the first.
    message(FATAL_ERROR "heliodor_test(${name}): ${label_count} labels exceed 1 (${arg_LABELS})")
  endif()
  if(NOT HELIODOR_TESTS)
    return()
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS fast)
  endif()
  if(NOT arg_PREFIX)
    set(arg_PREFIX ${name})
  endif()
  set(seconds 120)
  if(arg_LABELS STREQUAL "slow")
    set(seconds 1800)
  endif()

  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  add_executable(${name} ${arg_SOURCES})
  if(NOT folder MATCHES "^heliodor/")
    string(REGEX REPLACE "/.*" "" top ${folder})
    heliodor_include_root(${top} root)
    target_include_directories(${name} PRIVATE ${root})
  endif()
  target_link_libraries(
    ${name} PRIVATE heliodor_options heliodor_unoptimised ${arg_DEPENDS} GTest::gmock
                    GTest::gtest_main)
  heliodor_precompile(${name} heliodor_test_headers)
  gtest_discover_tests(
    ${name}
    DISCOVERY_MODE PRE_TEST
    TEST_PREFIX "${arg_PREFIX}."
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${seconds})
endfunction()

# heliodor_component(<component>
#   HEADERS a.h b.h           public headers; each must compile alone
#   SOURCES a.cpp internal/c.h  none: the component is an INTERFACE library
#   TESTS a_test.cpp          one binary heliodor_<component>_test, label fast
#   SLOW_TESTS b_slow_test.cpp  one binary heliodor_<component>_slow_test, label slow
#   EXECUTABLE name main.cpp  a program beside the library, at <build>/bin/name
#   DEPENDS ..                external targets its headers show
#   PRIVATE_DEPENDS ..        external targets only its sources use
#   TEST_DEPENDS ..)          external targets only its tests use
#
# A static library heliodor_<component> (slashes become underscores) with the alias
# heliodor::<component> (slashes become ::). It links exactly the components its line in
# heliodor/LAYERS lists.
function(heliodor_component component)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" ""
    "HEADERS;SOURCES;TESTS;SLOW_TESTS;EXECUTABLE;DEPENDS;PRIVATE_DEPENDS;TEST_DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heliodor_component(${component}): unknown \"${arg_UNPARSED_ARGUMENTS}\"")
  endif()
  if(NOT component IN_LIST HELIODOR_LAYER_COMPONENTS)
    message(FATAL_ERROR "heliodor/LAYERS does not list ${component}")
  endif()
  if(NOT CMAKE_CURRENT_SOURCE_DIR STREQUAL "${PROJECT_SOURCE_DIR}/heliodor/${component}")
    message(FATAL_ERROR "heliodor_component(${component}) belongs into heliodor/${component}")
  endif()

  string(REPLACE "/" "_" target heliodor_${component})
  string(REPLACE "/" "::" alias heliodor::${component})
  set(uses "")
  foreach(used IN LISTS HELIODOR_LAYER_USES_${component})
    string(REPLACE "/" "::" used heliodor::${used})
    list(APPEND uses ${used})
  endforeach()

  set(visibility PUBLIC)
  set(kind STATIC)
  if(NOT arg_SOURCES)
    set(visibility INTERFACE)
    set(kind INTERFACE)
  endif()
  heliodor_include_root(heliodor/${component} root)
  set(headers ${arg_HEADERS})
  list(TRANSFORM headers PREPEND ${root}/heliodor/${component}/)

  add_library(${target} ${kind} ${arg_SOURCES})
  add_library(${alias} ALIAS ${target})
  target_sources(${target} ${visibility} FILE_SET HEADERS BASE_DIRS ${root} FILES ${headers})
  target_link_libraries(${target} ${visibility} heliodor_options ${uses} ${arg_DEPENDS})
  if(arg_PRIVATE_DEPENDS)
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE_DEPENDS})
  endif()
  # Position-independent, as the installed library and the Python module are made of the archives.
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON
                                             POSITION_INDEPENDENT_CODE ON)
  if(arg_SOURCES)
    heliodor_precompile(${target} heliodor_library_headers)
  endif()

  if(arg_EXECUTABLE)
    list(POP_FRONT arg_EXECUTABLE program)
    add_executable(${program} ${arg_EXECUTABLE})
    target_link_libraries(${program} PRIVATE ${alias} ${arg_PRIVATE_DEPENDS})
  endif()

  string(REPLACE "/" "." prefix ${component})
  if(arg_TESTS)
    heliodor_test(${target}_test SOURCES ${arg_TESTS} DEPENDS ${alias} ${arg_TEST_DEPENDS}
      PREFIX ${prefix})
  endif()
  if(arg_SLOW_TESTS)
    heliodor_test(${target}_slow_test SOURCES ${arg_SLOW_TESTS} DEPENDS ${alias} ${arg_TEST_DEPENDS}
      PREFIX ${prefix} LABELS slow)
  endif()
endfunction()
