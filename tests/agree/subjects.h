// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The targets under test: all that the registry knows on this machine, CPU targets with 1, 2 and 8
// threads and with fusions off.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heliodor/program/target.h"

namespace heliodor::agree {

struct Subject {
  std::unique_ptr<program::Target> target;
  unsigned threads = 1;
  std::string variant = {};  ///< what makes it other than the registry's target, if anything

  /// "cpu:avx512ifma without strips, threads 2".
  std::string label() const {
    return target->name() + (variant.empty() ? "" : " " + variant) + ", threads " +
           std::to_string(threads);
  }
};

/// Every present target but the reference, on one thread.
std::vector<Subject> subjects();

/// subjects() and the CPU targets again with 2 and 8 threads.
std::vector<Subject> subjects_with_threads();

/// The present CPU targets without any fusion and without each one, on one thread and on two.
std::vector<Subject> subjects_without_fusions();

}  // namespace heliodor::agree
