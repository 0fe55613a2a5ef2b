// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <iostream>
#include <span>

#include "heliodor/cli/cli.h"

int main(int argc, char** argv) {
  const std::span<const char* const> args(argv, static_cast<std::size_t>(argc));
  const bool terminal = isatty(STDERR_FILENO) != 0;
  return heliodor::cli::run(args.empty() ? args : args.subspan(1), std::cout, std::cerr,
                            heliodor::cli::Terminal{terminal});
}
