// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/ntt_pass.h"

#include "heliodor/ring/automorphism.h"

namespace heliodor::machine {
namespace {

using ring::Modulus;

PassConstants make_constants(const MicroOp& op, const MicroProgram& program) {
  const Modulus& q = program.moduli[op.modulus];
  const bool inverse = op.code == MicroCode::intt_pass;
  const std::uint64_t degree = program.degree();
  const std::uint64_t root = inverse ? q.inverse(q.psi()) : q.psi();
  const std::uint64_t points = std::uint64_t{1} << op.stages;

  PassConstants constants;
  constants.network.resize(points);
  for (std::uint64_t half = 1; half < points; half *= 2) {
    const std::uint64_t step = q.pow(root, degree / half);
    std::uint64_t power = 1;
    for (std::uint64_t j = 0; j < half; ++j) {
      constants.network[half + j] = make_factor(q, power);
      power = q.mul(power, step);
    }
  }

  const unsigned block_bits = program.layout.degree_bits - op.bit - op.stages;
  const std::uint64_t blocks = std::uint64_t{1} << block_bits;
  const std::uint64_t scale = inverse ? q.inverse(points) : 1;
  constants.outer.reserve(blocks * points);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const std::uint64_t exponent = 2 * std::uint64_t{ring::bit_reverse(block, block_bits)} + 1;
    const std::uint64_t zeta = q.pow(root, exponent << op.bit);
    std::uint64_t power = scale;
    for (std::uint64_t j = 0; j < points; ++j) {
      constants.outer.push_back(make_factor(q, power));
      power = q.mul(power, zeta);
    }
  }
  return constants;
}

/// A block of 2^s points, each of 2^d words that are treated alike.
struct Block {
  std::uint64_t* words;
  std::size_t points;
  std::size_t copies;  // 2^d
};

void multiply_points(const Modulus& q, const Block& block, const Factor* factors) noexcept {
  std::uint64_t* word = block.words;
  for (std::size_t j = 0; j < block.points; ++j) {
    for (const std::uint64_t* end = word + block.copies; word != end; ++word) {
      *word = multiply(q, factors[j], *word);
    }
  }
}

/// Cyclic transform, points from natural to bit-reversed order (decimation in frequency: Gentleman
/// and Sande, 1966).
void forward_network(const Modulus& q, const Block& block, const Factor* network) noexcept {
  const std::size_t size = block.points * block.copies;
  for (std::size_t half = block.points / 2; half != 0; half /= 2) {
    const std::size_t stride = half * block.copies;
    for (std::size_t base = 0; base < size; base += 2 * stride) {
      std::uint64_t* x = block.words + base;
      for (std::size_t j = 0; j < half; ++j) {
        const Factor w = network[half + j];
        for (const std::uint64_t* end = x + block.copies; x != end; ++x) {
          const std::uint64_t u = x[0];
          const std::uint64_t v = x[stride];
          x[0] = subtract_once(q, u + v);
          x[stride] = multiply(q, w, u + q.value() - v);
        }
      }
    }
  }
}

/// 2^s times its inverse, from bit-reversed to natural order (decimation in time: Cooley and Tukey,
/// 1965).
void inverse_network(const Modulus& q, const Block& block, const Factor* network) noexcept {
  const std::size_t size = block.points * block.copies;
  for (std::size_t half = 1; half < block.points; half *= 2) {
    const std::size_t stride = half * block.copies;
    for (std::size_t base = 0; base < size; base += 2 * stride) {
      std::uint64_t* x = block.words + base;
      for (std::size_t j = 0; j < half; ++j) {
        const Factor w = network[half + j];
        for (const std::uint64_t* end = x + block.copies; x != end; ++x) {
          const std::uint64_t u = x[0];
          const std::uint64_t v = multiply(q, w, x[stride]);
          x[0] = subtract_once(q, u + v);
          x[stride] = subtract_once(q, u + q.value() - v);
        }
      }
    }
  }
}

}  // namespace

const PassConstants& PassTables::find(const MicroOp& op, const MicroProgram& program) {
  const std::scoped_lock lock(mutex_);
  const auto [entry, is_new] = constants_.try_emplace({op.modulus, op.code, op.bit, op.stages});
  if (is_new) entry->second = make_constants(op, program);
  return entry->second;
}

void apply_pass(const MicroOp& op, const MicroProgram& program, const PassConstants& constants,
                std::span<std::uint64_t> lanes) noexcept {
  const Modulus& q = program.moduli[op.modulus];
  const std::size_t points = std::size_t{1} << op.stages;
  const std::size_t copies = std::size_t{1} << (op.bit - op.window);
  const std::size_t blocks = lanes.size() / (points * copies);
  const Factor* factors =
      constants.outer.data() + (std::size_t{op.chunk} >> op.window) * blocks * points;
  for (std::size_t i = 0; i < blocks; ++i, factors += points) {
    const Block block{lanes.data() + i * points * copies, points, copies};
    if (op.code == MicroCode::ntt_pass) {
      multiply_points(q, block, factors);
      forward_network(q, block, constants.network.data());
    } else {
      inverse_network(q, block, constants.network.data());
      multiply_points(q, block, factors);
    }
  }
}

}  // namespace heliodor::machine
