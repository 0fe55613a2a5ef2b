// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/formats/vector_files.h"

#include <sodium.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

#include "heliodor/base/error.h"
#include "heliodor/ring/reference.h"
#include "heliodor/ring/sampler.h"

namespace heliodor::vectors {
namespace {

constexpr const char* kEcosystem = "tests/vectors/ecosystem";

FileBytes read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code missing;
  const auto size = std::filesystem::file_size(path, missing);
  FileBytes bytes(missing ? 0 : size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (bytes.empty() || !file) throw Error(ErrorCode::io, path.string() + ": cannot be read");
  return bytes;
}

std::vector<NamedFile> read_folder(const std::filesystem::path& folder, const std::string& prefix) {
  std::vector<NamedFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && name.ends_with(".bin")) {
      files.push_back({name, read(entry.path())});
    }
  }
  std::ranges::sort(files, {}, &NamedFile::name);
  return files;
}

void append_words(FileBytes& out, std::span<const std::uint64_t> words) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(words.data());
  out.insert(out.end(), bytes, bytes + words.size_bytes());
}

/// `count` numbers from place `first` on, widened to 64 bits.
std::vector<std::uint64_t> numbers(const FileBytes& raw, const std::string& dtype,
                                   std::size_t first, std::size_t count) {
  const std::size_t size = dtype == "u32" ? 4 : 8;
  std::vector<std::uint64_t> words(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(&words[i], raw.data() + size * (first + i), size);
  }
  return words;
}

std::vector<std::uint64_t> transformed(const ring::Modulus& q, const FileBytes& ternary) {
  std::vector<std::int8_t> small(ternary.begin(), ternary.end());
  std::vector<std::uint64_t> coefficients(small.size());
  std::vector<std::uint64_t> evaluations(small.size());
  ring::spread(q, small, coefficients);
  ring::reference::ntt(q, coefficients, evaluations);
  return evaluations;
}

FileBytes assemble(const OpenfheCase& serialized, const nlohmann::json& object) {
  const FileBytes literals = serialized.bytes(serialized.json().at("literals").at("path"));
  const auto ckks = OpenfheCase::kept("ckks_hybrid_n2048_l5").q();
  std::map<std::size_t, FileBytes> raws;
  FileBytes bytes;
  for (const auto& part : object.at("parts")) {
    const std::string kind = part.at(0);
    if (kind == "bytes") {
      const auto first = literals.begin() + part.at(1).get<std::ptrdiff_t>();
      bytes.insert(bytes.end(), first, first + part.at(2).get<std::ptrdiff_t>());
      continue;
    }
    const std::size_t index = part.at(1);
    const auto& source = serialized.json().at("sources").at(index);
    FileBytes& raw = raws[index];
    if (raw.empty()) raw = read(serialized.folder() / source.at("path").get<std::string>());
    if (kind == "limb") {
      append_words(bytes, numbers(raw, source.at("dtype"), part.at(2), source.at("count")));
    } else {
      append_words(bytes, transformed(ckks.at(part.at(2)), raw));
    }
  }
  std::string hex(2 * crypto_hash_sha256_BYTES + 1, '\0');
  std::uint8_t hash[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(hash, bytes.data(), bytes.size());
  sodium_bin2hex(hex.data(), hex.size(), hash, sizeof hash);
  hex.pop_back();
  if (hex != object.at("sha256").get<std::string>()) {
    throw Error(ErrorCode::mismatch, object.at("name").get<std::string>() + " has another hash");
  }
  return bytes;
}

}  // namespace

FileBytes ecosystem_file(const std::string& name) {
  return read(std::filesystem::path(kEcosystem) / name);
}

std::vector<NamedFile> ecosystem_files(const std::string& prefix) {
  return read_folder(kEcosystem, prefix);
}

std::vector<NamedFile> assembled_files() {
  const OpenfheCase serialized = OpenfheCase::kept("serialized");
  std::vector<NamedFile> files;
  for (const auto& object : serialized.json().at("objects")) {
    files.push_back({object.at("name"), assemble(serialized, object)});
  }
  return files;
}

FileBytes assembled_file(const std::string& name) {
  const OpenfheCase serialized = OpenfheCase::kept("serialized");
  for (const auto& object : serialized.json().at("objects")) {
    if (object.at("name").get<std::string>() == name) return assemble(serialized, object);
  }
  throw Error(ErrorCode::out_of_range, name + " is no object of the case");
}

std::vector<NamedFile> large_openfhe_files() {
  const char* folder = std::getenv("HELIODOR_OPENFHE_VECTORS");
  if (folder == nullptr) return {};
  const std::filesystem::path root(folder);
  std::vector<NamedFile> files;
  for (const auto& path : {root / ".." / "ecosystem", root / "serialized_full"}) {
    if (!std::filesystem::is_directory(path)) continue;
    for (NamedFile& file : read_folder(path, "")) {
      if (!file.name.starts_with("seal")) files.push_back(std::move(file));
    }
  }
  return files;
}

}  // namespace heliodor::vectors
