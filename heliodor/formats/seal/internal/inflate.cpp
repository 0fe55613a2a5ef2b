// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/seal/internal/inflate.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "heliodor/base/error.h"

namespace heliodor::formats::seal {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;
// Memory that a zstd frame may ask for, 8 MiB. SEAL's level asks for 2 MiB whatever the size.
constexpr int kMaxWindowLog = 23;

[[noreturn]] void fail(const std::string& reason) {
  throw Error(ErrorCode::malformed_file,
              fmt::format("SEAL file: the body does not decompress: {}", reason));
}

/// Room for the next chunk behind `used` bytes: in all at most one byte more than `limit`.
std::span<std::uint8_t> room(base::SecretVector<std::uint8_t>& out, std::size_t used,
                             std::size_t limit) {
  if (used > limit) fail(fmt::format("it exceeds {} bytes", limit));
  out.resize(used + std::min(kChunk, limit + 1 - used));
  return std::span(out).subspan(used);
}

base::SecretVector<std::uint8_t> inflate_zlib(Bytes packed, std::size_t limit) {
  if (packed.size() > std::numeric_limits<uInt>::max()) fail("it has 4 GiB or more");
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw Error(ErrorCode::out_of_memory, "zlib cannot start");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  stream.next_in = const_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  base::SecretVector<std::uint8_t> out;
  std::size_t used = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    const auto free = room(out, used, limit);
    stream.next_out = free.data();
    stream.avail_out = static_cast<uInt>(free.size());
    state = ::inflate(&stream, Z_NO_FLUSH);
    used += free.size() - stream.avail_out;
  }
  if (state != Z_STREAM_END) fail(stream.msg == nullptr ? "it is cut" : stream.msg);
  if (stream.avail_in != 0) fail(fmt::format("{} bytes follow its end", stream.avail_in));
  out.resize(used);
  return out;
}

base::SecretVector<std::uint8_t> inflate_zstd(Bytes packed, std::size_t limit) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                             ZSTD_freeDStream);
  if (!stream) throw Error(ErrorCode::out_of_memory, "zstd cannot start");
  ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  base::SecretVector<std::uint8_t> out;
  std::size_t used = 0;
  for (std::size_t left = 1; left != 0;) {
    const auto free = room(out, used, limit);
    ZSTD_outBuffer to{free.data(), free.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &to, &in);
    if (ZSTD_isError(left)) fail(ZSTD_getErrorName(left));
    used += to.pos;
    if (left != 0 && in.pos == in.size && to.pos < to.size) fail("it is cut");
  }
  if (in.pos != in.size) fail(fmt::format("{} bytes follow its end", in.size - in.pos));
  out.resize(used);
  return out;
}

}  // namespace

base::SecretVector<std::uint8_t> inflate(Compression compression, Bytes packed, std::size_t limit) {
  auto out =
      compression == Compression::zlib ? inflate_zlib(packed, limit) : inflate_zstd(packed, limit);
  if (out.size() > limit) fail(fmt::format("it exceeds {} bytes", limit));
  return out;
}

}  // namespace heliodor::formats::seal
