// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/agree/shrink.h"

#include <numeric>
#include <utility>

#include "tests/agree/rewrite.h"

namespace heliodor::agree {
namespace {

using program::LimbProgram;

Edit unchanged(const LimbProgram& program) {
  Edit edit;
  edit.outputs.resize(program.outputs().size());
  std::iota(edit.outputs.begin(), edit.outputs.end(), std::size_t{0});
  edit.degree = program.degree();
  return edit;
}

class Shrinker {
 public:
  Shrinker(LimbProgram program, const Fails& fails) : program_(std::move(program)), fails_(fails) {}

  LimbProgram run() {
    // The degree first: every later step then runs on short limbs.
    while (smaller_degree() || fewer_outputs() || fewer_instructions() || earlier_output() ||
           fewer_terms()) {
    }
    return std::move(program_);
  }

 private:
  bool accept(const Edit& edit) {
    LimbProgram candidate = rewrite(program_, edit);
    if (!fails_(candidate)) return false;
    program_ = std::move(candidate);
    return true;
  }

  // One output alone if possible, else without one of them.
  bool fewer_outputs() {
    const std::size_t count = program_.outputs().size();
    if (count == 1) return false;
    for (std::size_t i = 0; i < count; ++i) {
      Edit edit = unchanged(program_);
      edit.outputs = {i};
      if (accept(edit)) return true;
    }
    for (std::size_t i = 0; i < count; ++i) {
      Edit edit = unchanged(program_);
      edit.outputs.erase(edit.outputs.begin() + static_cast<std::ptrdiff_t>(i));
      if (accept(edit)) return true;
    }
    return false;
  }

  // Late instructions first: a cut there frees the most.
  bool fewer_instructions() {
    for (std::size_t i = program_.instruction_count(); i-- > 0;) {
      Edit edit = unchanged(program_);
      edit.cut = i;
      if (accept(edit)) return true;
    }
    return false;
  }

  // The result of an earlier instruction as the only output.
  bool earlier_output() {
    const LimbProgram all = with_every_result_as_output(program_);
    for (std::size_t i = 0; i + 1 < program_.instruction_count(); ++i) {
      Edit edit;
      edit.outputs = {i};
      edit.degree = program_.degree();
      LimbProgram candidate = rewrite(all, edit);
      if (candidate.instruction_count() >= program_.instruction_count() || !fails_(candidate))
        continue;
      program_ = std::move(candidate);
      return true;
    }
    return false;
  }

  bool fewer_terms() {
    for (std::size_t i = 0; i < program_.instruction_count(); ++i) {
      const std::size_t terms = term_count(program_.instruction(i));
      for (std::size_t length = terms / 2; length > 0; length /= 2) {
        for (std::size_t first = 0; first + length <= terms; first += length) {
          Edit edit = unchanged(program_);
          edit.shorten = i;
          edit.first_term = first;
          edit.term_count = length;
          if (accept(edit)) return true;
        }
      }
    }
    return false;
  }

  bool smaller_degree() {
    if (program_.degree() == 2) return false;
    Edit edit = unchanged(program_);
    edit.degree = program_.degree() / 2;
    return accept(edit);
  }

  LimbProgram program_;
  const Fails& fails_;
};

}  // namespace

LimbProgram shrink(LimbProgram program, const Fails& fails) {
  return Shrinker(std::move(program), fails).run();
}

}  // namespace heliodor::agree
