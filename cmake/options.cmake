# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0

# heliodor_options: the compile options every target of ours links. Instruction-set flags are not
# here: a component sets them on the sources that need them.

add_library(heliodor_options INTERFACE)
target_compile_features(heliodor_options INTERFACE cxx_std_20)
target_compile_options(heliodor_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
# Position-independent code may inline what is global, as clang does by itself.
target_compile_options(heliodor_options
                       INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)

# For sources that take longer to compile than to run: those of tests and of the command. What they
# call is compiled as ever.
add_library(heliodor_unoptimised INTERFACE)
target_compile_options(heliodor_unoptimised INTERFACE -O0)

if(HELIODOR_WARNINGS_AS_ERRORS)
  target_compile_options(heliodor_options INTERFACE -Werror)
endif()

if(HELIODOR_CHECKED)
  # The standard library's own precondition checks come along: an index past a span is an error too.
  target_compile_definitions(heliodor_options INTERFACE HELIODOR_CHECKED=1 _GLIBCXX_ASSERTIONS)
endif()

if(HELIODOR_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined)
  target_compile_options(heliodor_options INTERFACE ${sanitizers} -fno-omit-frame-pointer)
  target_link_options(heliodor_options INTERFACE ${sanitizers})
endif()
