# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0

# Every external package, found once. Debian 12 has them all (tools/setup installs what is missing);
# nothing is fetched. Imported targets: fmt::fmt CLI11::CLI11 tomlplusplus::tomlplusplus
# nlohmann_json::nlohmann_json PkgConfig::sodium TBB::tbb PkgConfig::gmp PkgConfig::xxhash
# PkgConfig::b2 PkgConfig::zstd PkgConfig::zlib, and for tests heliodor::flint GTest::gtest_main
# GTest::gmock benchmark::benchmark.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(TBB REQUIRED)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET GLOBAL libsodium)
pkg_check_modules(gmp REQUIRED IMPORTED_TARGET GLOBAL gmp)
pkg_check_modules(gmpxx REQUIRED IMPORTED_TARGET GLOBAL gmpxx)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET GLOBAL libxxhash)
pkg_check_modules(b2 REQUIRED IMPORTED_TARGET GLOBAL libb2)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET GLOBAL libzstd)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET GLOBAL zlib)

if(HELIODOR_TESTS)
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)

  # Debian's FLINT 2.9 has neither a pkg-config file nor a CMake package.
  find_path(HELIODOR_FLINT_INCLUDE_DIR flint/fmpz.h REQUIRED)
  find_library(HELIODOR_FLINT_LIBRARY flint REQUIRED)
  add_library(heliodor::flint INTERFACE IMPORTED GLOBAL)
  target_include_directories(heliodor::flint INTERFACE ${HELIODOR_FLINT_INCLUDE_DIR})
  target_link_libraries(heliodor::flint INTERFACE ${HELIODOR_FLINT_LIBRARY} PkgConfig::gmp)
endif()

# Absent tools turn the tests of rtl/ into skipped ones that name the tool.
if(HELIODOR_RTL)
  find_package(verilator QUIET)
  find_program(HELIODOR_YOSYS yosys)
endif()
