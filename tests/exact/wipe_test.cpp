// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Do secrets leave traces in memory that is given back? This binary replaces operator delete: while
// it watches, every block is searched for secret coefficients or limbs before it is freed.

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

#include "heliodor/ring/sampler.h"
#include "heliodor/rlwe/encryption.h"
#include "heliodor/rlwe/key_generator.h"
#include "tests/exact/oracle.h"

namespace {

// From the middle of a secret: long enough not to be there by chance.
constexpr std::size_t kMarkBytes = 32;
bool watching = false;
unsigned char marks[8][kMarkBytes];
std::size_t mark_count = 0;
std::size_t found = 0;

void search(void* block) noexcept {
  if (block == nullptr || !watching) return;
  const std::size_t size = malloc_usable_size(block);
  for (std::size_t k = 0; k < mark_count; ++k) {
    if (memmem(block, size, marks[k], kMarkBytes) != nullptr) ++found;
  }
}

}  // namespace

void* operator new(std::size_t size) {
  if (void* block = std::malloc(size)) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  if (void* block = std::aligned_alloc(step, (size + step - 1) / step * step)) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  const auto step = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(step, (size + step - 1) / step * step);
}
void operator delete(void* block) noexcept {
  search(block);
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
void operator delete(void* block, std::align_val_t) noexcept { operator delete(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  operator delete(block);
}

namespace heliodor::exact {
namespace {

template <typename T>
void mark(std::span<const T> secret) {
  std::memcpy(marks[mark_count++], secret.data() + secret.size() / 2, kMarkBytes);
}

/// Watches while it lives.
class Watch {
 public:
  Watch() {
    found = 0;
    watching = true;
  }
  ~Watch() {
    watching = false;
    mark_count = 0;
  }
};

class WipeTest : public testing::Test {
 protected:
  static rlwe::Parameters::Description description() {
    rlwe::Parameters::Description d;
    d.q = moduli(47, 256, 3);
    d.p = moduli(46, 256, 1);
    d.gadgets = {{1, 1, 3}};
    return d;
  }

  void mark_secret(const rlwe::SecretKey& s) {
    mark(s.coefficients());
    for (std::size_t i = 0; i < s.limb_count(); ++i) mark(s.limb(i));
  }

  rlwe::ContextPtr context_ = context(description());
  rlwe::KeyGenerator generator_{context_, base::TestSeed(1)};
};

TEST_F(WipeTest, the_search_finds_what_is_not_wiped) {
  const auto s = generator_.secret_key();
  mark_secret(s);
  const Watch watch;
  { const std::vector<std::int8_t> copy(s.coefficients().begin(), s.coefficients().end()); }
  EXPECT_EQ(found, 1U);
  {
    rlwe::LimbMatrix copy(1, 1, 256);
    std::ranges::copy(s.limb(2), copy.limb(0, 0).begin());
  }
  EXPECT_EQ(found, 2U);
}

TEST_F(WipeTest, a_dead_secret_key_leaves_no_trace) {
  std::optional<rlwe::SecretKey> s(generator_.secret_key());
  mark_secret(*s);
  const Watch watch;
  s.reset();
  EXPECT_EQ(found, 0U);
}

TEST_F(WipeTest, a_secret_key_that_is_assigned_over_leaves_no_trace) {
  auto s = generator_.secret_key();
  mark_secret(s);
  auto other = generator_.secret_key();
  const Watch watch;
  s = std::move(other);
  EXPECT_EQ(found, 0U);
}

TEST_F(WipeTest, making_a_secret_key_leaves_no_trace) {
  const auto s = generator_.secret_key();
  mark_secret(s);
  rlwe::KeyGenerator again(context_, base::TestSeed(1));
  const Watch watch;
  const auto same = again.secret_key();
  ASSERT_TRUE(std::ranges::equal(same.coefficients(), s.coefficients()));
  EXPECT_EQ(found, 0U);
}

TEST_F(WipeTest, evaluation_keys_leave_no_trace_of_the_secret) {
  const auto s = generator_.secret_key();
  mark_secret(s);
  std::vector<Limb> squares;
  for (std::size_t i = 0; i < 3; ++i) {
    squares.push_back(mul(context_->parameters().q()[i], s.limb(i), s.limb(i)));
    mark(std::span<const std::uint64_t>(squares.back()));
  }
  const std::uint64_t g = 5;
  static_cast<void>(generator_.relinearization_keys(s));  // plans are made, so that they stay
  static_cast<void>(generator_.galois_keys(s, std::span(&g, 1)));
  const Watch watch;
  static_cast<void>(generator_.public_key(s));
  static_cast<void>(generator_.relinearization_keys(s));
  static_cast<void>(generator_.galois_keys(s, std::span(&g, 1)));
  EXPECT_EQ(found, 0U);
}

TEST_F(WipeTest, encryption_leaves_no_trace_of_its_randomness) {
  const auto s = generator_.secret_key();
  rlwe::Encryptor encryptor(context_, generator_.public_key(s), base::TestSeed(9));
  // The streams of the encryptor, drawn in its order: e0, e1, u.
  base::RandomStream errors(base::TestSeed(9), "encryption error");
  base::RandomStream ternary(base::TestSeed(9), "encryption ternary");
  std::vector<std::int8_t> e(256), u(256);
  std::vector<Limb> limbs;
  const auto mark_small = [&](const std::vector<std::int8_t>& small) {
    mark(std::span<const std::int8_t>(small));
    limbs.emplace_back(256);
    ring::spread(context_->parameters().q()[1], small, limbs.back());
    mark(std::span<const std::uint64_t>(limbs.back()));
  };
  const ring::GaussianSampler gaussian;
  for (int k = 0; k < 2; ++k) {
    gaussian.sample(errors, e);
    mark_small(e);
  }
  ring::sample_ternary(ternary, u);
  mark_small(u);
  const Watch watch;
  static_cast<void>(encryptor.encrypt_zero(3));
  EXPECT_EQ(found, 0U);
}

}  // namespace
}  // namespace heliodor::exact
