// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/vectors/openfhe_case.h"

#include <bit>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::vectors {
namespace {

std::uint64_t little_endian(std::span<const std::uint8_t> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) word = word << 8 | bytes[i];
  return word;
}

template <typename T>
T from_word(std::uint64_t word) {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(word);
  } else {
    return static_cast<T>(word);
  }
}

}  // namespace

template <typename T>
std::span<const T> Array<T>::row(std::initializer_list<std::size_t> index) const {
  if (index.size() > shape.size()) throw std::out_of_range("an index has more axes than its array");
  std::size_t offset = 0;
  std::size_t size = values.size();
  std::size_t axis = 0;
  for (const std::size_t i : index) {
    if (i >= shape[axis]) throw std::out_of_range("an index lies beyond its axis");
    size /= shape[axis++];
    offset += i * size;
  }
  return std::span(values).subspan(offset, size);
}

template struct Array<std::uint64_t>;
template struct Array<std::int8_t>;
template struct Array<double>;

OpenfheCase::OpenfheCase(std::filesystem::path folder) : folder_(std::move(folder)) {
  const auto text = bytes("case.json");
  try {
    json_ = nlohmann::json::parse(text.begin(), text.end());
  } catch (const nlohmann::json::exception& caught) {
    throw Error(ErrorCode::malformed_file, (folder_ / "case.json").string() + ": " + caught.what());
  }
}

OpenfheCase OpenfheCase::kept(const std::string& name) {
  return OpenfheCase(std::filesystem::path("tests/vectors/openfhe") / name);
}

std::optional<OpenfheCase> OpenfheCase::find(const std::string& name) {
  const char* folder = std::getenv("HELIODOR_OPENFHE_VECTORS");
  if (folder == nullptr) return std::nullopt;
  const auto path = std::filesystem::path(folder) / name;
  if (!std::filesystem::exists(path / "case.json")) return std::nullopt;
  return OpenfheCase(path);
}

std::string OpenfheCase::missing(const std::string& name) {
  return "HELIODOR_OPENFHE_VECTORS names no folder with " + name;
}

std::uint64_t OpenfheCase::plaintext_modulus() const {
  const auto& t = json_.at("plaintext_modulus");
  return t.is_null() ? 0 : t.get<std::uint64_t>();
}

std::vector<ring::Modulus> OpenfheCase::moduli(const std::string& list) const {
  std::vector<ring::Modulus> result;
  for (const auto& entry : json_.at(list)) {
    result.emplace_back(entry.at("modulus").get<std::uint64_t>(), degree(),
                        entry.at("psi").get<std::uint64_t>());
  }
  return result;
}

const nlohmann::json& OpenfheCase::file(const std::string& name) const {
  for (const auto& entry : json_.at("files")) {
    if (entry.at("name") == name) return entry;
  }
  throw Error(ErrorCode::out_of_range, folder_.string() + " has no file " + name);
}

std::vector<std::uint8_t> OpenfheCase::bytes(const std::string& path) const {
  std::ifstream stream(folder_ / path, std::ios::binary);
  std::vector<std::uint8_t> result{std::istreambuf_iterator<char>(stream), {}};
  if (!stream || result.empty()) {
    throw Error(ErrorCode::io, "cannot read " + (folder_ / path).string());
  }
  return result;
}

template <typename T>
Array<T> OpenfheCase::read(const std::string& name, const std::string& dtypes) const {
  const nlohmann::json& entry = file(name);
  const std::string dtype = entry.at("dtype");
  if (dtypes.find(dtype) == std::string::npos) {
    throw Error(ErrorCode::mismatch, name + " holds " + dtype + ", not " + dtypes);
  }
  const std::size_t width = std::stoul(dtype.substr(1)) / 8;
  Array<T> result{entry.at("shape"), {}};
  std::size_t count = 1;
  for (const std::size_t length : result.shape) count *= length;
  const auto raw = bytes(entry.at("path"));
  if (raw.size() != count * width) {
    throw Error(ErrorCode::malformed_file, name + " has " + std::to_string(raw.size()) +
                                               " bytes, not " + std::to_string(count * width));
  }
  result.values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    result.values.push_back(from_word<T>(little_endian(std::span(raw).subspan(i * width, width))));
  }
  return result;
}

Array<std::uint64_t> OpenfheCase::words(const std::string& name) const {
  return read<std::uint64_t>(name, "u16 u32 u64");
}

Array<std::int8_t> OpenfheCase::small(const std::string& name) const {
  return read<std::int8_t>(name, "i8");
}

Array<double> OpenfheCase::reals(const std::string& name) const {
  return read<double>(name, "f64");
}

}  // namespace heliodor::vectors
