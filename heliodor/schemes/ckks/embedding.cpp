// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/ckks/embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "heliodor/base/error.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/ring/modulus.h"

namespace heliodor::ckks {
namespace {

// Real and imaginary parts of a stage's operands and roots, each `h` long; they do not overlap.
struct Halves {
  double* __restrict re0;
  double* __restrict im0;
  double* __restrict re1;
  double* __restrict im1;
};

Halves halves(double* re, double* im, std::size_t h) { return {re, im, re + h, im + h}; }

// (x, y) -> (x + t*y, x - t*y)
void join(const Halves& x, const double* __restrict t_re, const double* __restrict t_im,
          std::size_t h) noexcept {
  for (std::size_t j = 0; j < h; ++j) {
    const double re = x.re1[j] * t_re[j] - x.im1[j] * t_im[j];
    const double im = x.re1[j] * t_im[j] + x.im1[j] * t_re[j];
    x.re1[j] = x.re0[j] - re;
    x.im1[j] = x.im0[j] - im;
    x.re0[j] += re;
    x.im0[j] += im;
  }
}

// (x, y) -> (x + y, (x - y) * conj(t))
void split(const Halves& x, const double* __restrict t_re, const double* __restrict t_im,
           std::size_t h) noexcept {
  for (std::size_t j = 0; j < h; ++j) {
    const double re = x.re0[j] - x.re1[j];
    const double im = x.im0[j] - x.im1[j];
    x.re0[j] += x.re1[j];
    x.im0[j] += x.im1[j];
    x.re1[j] = re * t_re[j] + im * t_im[j];
    x.im1[j] = im * t_re[j] - re * t_im[j];
  }
}

}  // namespace

Embedding::Embedding(std::uint64_t degree) {
  ring::Modulus::check_degree(degree);
  const std::size_t n = degree / 2;
  const auto bits = static_cast<unsigned>(std::countr_zero(n));
  reversed_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) reversed_[i] = ring::bit_reverse(i, bits);
  root_re_.reserve(n);
  root_im_.reserve(n);
  for (std::size_t h = 1; h < n; h *= 2) {
    std::uint64_t power = 1;
    for (std::size_t j = 0; j < h; ++j) {
      const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(power) /
                                static_cast<long double>(4 * h);
      root_re_.push_back(static_cast<double>(std::cos(angle)));
      root_im_.push_back(static_cast<double>(std::sin(angle)));
      power = power * 5 % (8 * h);
    }
  }
}

void Embedding::check(std::size_t slots, std::size_t coefficients) const {
  if (!std::has_single_bit(slots) || slots > max_slots()) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("{} slots are not a power of two up to {}", slots, max_slots()));
  }
  if (coefficients != 2 * slots) {
    throw Error(ErrorCode::mismatch, fmt::format("{} slots take {} coefficients, not {}", slots,
                                                 2 * slots, coefficients));
  }
}

void Embedding::to_coefficients(std::span<const std::complex<double>> slots,
                                std::span<double> coefficients) const {
  check(slots.size(), coefficients.size());
  const std::size_t n = slots.size();
  std::vector<double> re(n), im(n);
  for (std::size_t j = 0; j < n; ++j) {
    re[j] = slots[j].real();
    im[j] = slots[j].imag();
  }
  for (std::size_t h = n / 2; h > 0; h /= 2) {
    for (std::size_t first = 0; first < n; first += 2 * h)
      split(halves(&re[first], &im[first], h), &root_re_[h - 1], &root_im_[h - 1], h);
  }
  const double scale = 1 / static_cast<double>(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t from = reversed(k, n);
    coefficients[k] = re[from] * scale;
    coefficients[n + k] = im[from] * scale;
  }
}

void Embedding::to_slots(std::span<const double> coefficients,
                         std::span<std::complex<double>> slots) const {
  check(slots.size(), coefficients.size());
  const std::size_t n = slots.size();
  std::vector<double> re(n), im(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t from = reversed(k, n);
    re[k] = coefficients[from];
    im[k] = coefficients[n + from];
  }
  for (std::size_t h = 1; h < n; h *= 2) {
    for (std::size_t first = 0; first < n; first += 2 * h)
      join(halves(&re[first], &im[first], h), &root_re_[h - 1], &root_im_[h - 1], h);
  }
  for (std::size_t j = 0; j < n; ++j) slots[j] = {re[j], im[j]};
}

double Embedding::relative_error(std::size_t slots) noexcept {
  return 7 * std::log2(static_cast<double>(slots)) * 0x1p-53;
}

}  // namespace heliodor::ckks
