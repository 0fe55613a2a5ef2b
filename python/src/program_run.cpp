// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "python/src/program_run.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "python/src/arrays.h"

namespace heliodor::python {
namespace {

using program::Input;
using program::InputKind;
using program::LimbProgram;

[[noreturn]] void refuse(const Input& input, const std::string& what) {
  throw Error(ErrorCode::mismatch, "input \"" + input.name + "\" " + what);
}

base::PublicSeed to_seed(const Input& input, const py::object& value) {
  if (!py::isinstance<py::bytes>(value)) refuse(input, "is a seed: expected bytes");
  const auto bytes = static_cast<std::string_view>(value.cast<py::bytes>());
  base::PublicSeed seed;
  if (bytes.size() != seed.bytes.size())
    refuse(input, "has " + std::to_string(bytes.size()) + " bytes, expected 32");
  std::copy(bytes.begin(), bytes.end(), seed.bytes.begin());
  return seed;
}

// The limbs of all inputs. Arrays stay alive here while spans point into them.
class Bindings {
 public:
  Bindings(const LimbProgram& program, const py::dict& inputs) : program_(program) {
    if (inputs.size() > program.inputs().size()) {
      throw Error(ErrorCode::mismatch, std::to_string(inputs.size()) + " inputs given, program \"" +
                                           program.name() + "\" has " +
                                           std::to_string(program.inputs().size()));
    }
    for (const Input& input : program.inputs()) {
      if (!inputs.contains(input.name)) refuse(input, "is missing");
      add(input, inputs[py::str(input.name)]);
    }
    batch_.resize(batch_size());
    for (std::size_t k = 0; k < batch_.size(); ++k) {
      for (const auto& [words, rows] : operands_) batch_[k].operands.push_back(row(words, k));
    }
  }

  // Arrays for the outputs, bound.
  py::dict make_outputs() {
    const std::size_t degree = program_.degree();
    py::dict outputs;
    for (const program::Output& output : program_.outputs()) {
      std::vector<std::size_t> shape{degree};
      if (is_batch_) shape.insert(shape.begin(), batch_.size());
      Array<std::uint64_t> words(shape);
      for (std::size_t k = 0; k < batch_.size(); ++k)
        batch_[k].outputs.emplace_back(words.mutable_data() + k * degree, degree);
      outputs[py::str(output.name)] = words;
    }
    return outputs;
  }

  std::span<const program::Binding> batch() const { return batch_; }
  const program::SharedBinding& shared() const { return shared_; }

 private:
  struct Operand {
    Array<std::uint64_t> words;
    std::size_t rows;
  };

  void add(const Input& input, const py::object& value) {
    if (input.kind == InputKind::seed) {
      shared_.seeds.push_back(to_seed(input, value));
      return;
    }
    const py::array array = py::array::ensure(value);
    if (!array) refuse(input, "is no array");
    const Array<std::uint64_t> words = to_words(array);
    const bool operand = input.kind == InputKind::operand;
    check_shape(input, words, operand ? 2 : 1);
    check_residues(input, words);
    if (!operand) {
      shared_arrays_.push_back(words);
      shared_.limbs.push_back(row(words, 0));
      return;
    }
    const bool rows = words.ndim() == 2;
    if (!operands_.empty() && rows != is_batch_) refuse(input, "has another shape than the others");
    is_batch_ = rows;
    operands_.push_back({words, rows ? static_cast<std::size_t>(words.shape(0)) : 1});
    if (operands_.back().rows != operands_.front().rows) {
      refuse(input, "has a batch of " + std::to_string(operands_.back().rows) + ", expected " +
                        std::to_string(operands_.front().rows));
    }
  }

  void check_shape(const Input& input, const Array<std::uint64_t>& words, int most) const {
    if (words.ndim() < 1 || words.ndim() > most)
      refuse(input, "has " + std::to_string(words.ndim()) + " dimensions");
    const auto length = static_cast<std::uint64_t>(words.shape(words.ndim() - 1));
    if (length == program_.degree()) return;
    refuse(input, "has " + std::to_string(length) + " words, expected " +
                      std::to_string(program_.degree()));
  }

  void check_residues(const Input& input, const Array<std::uint64_t>& words) const {
    const std::uint64_t q = program_.modulus(input.value).value();
    for (const std::uint64_t word :
         std::span(words.data(), static_cast<std::size_t>(words.size()))) {
      if (word < q) continue;
      throw Error(ErrorCode::out_of_range, "input \"" + input.name + "\": word " +
                                               std::to_string(word) + " is not below " +
                                               std::to_string(q));
    }
  }

  std::span<const std::uint64_t> row(const Array<std::uint64_t>& words, std::size_t k) const {
    return {words.data() + k * program_.degree(), program_.degree()};
  }

  std::size_t batch_size() const { return operands_.empty() ? 1 : operands_.front().rows; }

  const LimbProgram& program_;
  bool is_batch_ = false;
  std::vector<Operand> operands_;
  std::vector<Array<std::uint64_t>> shared_arrays_;
  program::SharedBinding shared_;
  std::vector<program::Binding> batch_;
};

}  // namespace

ProgramRun run(const program::Plan& plan, const py::dict& inputs) {
  Bindings bindings(plan.program(), inputs);
  ProgramRun result{bindings.make_outputs(), {}, {}};
  {
    const py::gil_scoped_release unlocked;
    program::RunReport report = plan.run(bindings.batch(), bindings.shared());
    result.cost = report.cost;
    result.fault = std::move(report.fault);
  }
  if (result.fault) result.outputs.clear();
  return result;
}

}  // namespace heliodor::python
