// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The grammar of cereal's PortableBinary archives as OpenFHE uses it: byte 1 (little endian), then
// values. ReadArchive and WriteArchive have the same members, so that one description of a class,
// describe(archive, object), drives both directions.
//
//   class version   u32, where a class first occurs
//   vector, string  u64 count, items
//   shared pointer  u32 id; with bit 31 the object follows and gets this id (1, 2, .. in order),
//                   without it the object came before
//   polymorphic     u32 prefix before the shared pointer: 2^30 for the static type itself, 2^31 + k
//                   and a name for the k-th type name, k for one that came before; 0 is null
//
// A reader takes memory only for what it has seen, and ids only of finished objects of the right
// type, so that no file makes a cycle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "heliodor/formats/byte_reader.h"
#include "heliodor/formats/byte_writer.h"
#include "heliodor/formats/openfhe/objects.h"

namespace heliodor::formats::openfhe {

inline constexpr std::uint32_t kNew = std::uint32_t{1} << 31;
inline constexpr std::uint32_t kStaticType = std::uint32_t{1} << 30;
inline constexpr const char* kFormatName = "OpenFHE file";

class ReadArchive {
 public:
  static constexpr bool kReading = true;
  template <typename T>
  using Ref = T&;

  explicit ReadArchive(Bytes bytes);

  ByteReader& in() noexcept { return in_; }
  const Versions& versions() const noexcept { return versions_; }

  void version(ClassId id);

  template <Number T>
  void number(T& value, const char* what) {
    value = in_.take<T>(what);
  }
  void text(std::string& value, const char* what);
  /// `least_bytes`: the shortest form of an item.
  template <typename T>
  void vector(std::vector<T>& items, std::size_t least_bytes, const char* what) {
    items.resize(in_.take_count(least_bytes, what));
    for (T& item : items) describe(*this, item);
  }
  /// 64-bit words that stay where they are.
  void words(WordView& words, const char* what);

  /// A prefix that must name the static type.
  void static_type(const char* what) { constant(kStaticType, what); }
  /// A prefix that names one of `names`: its place.
  void named_type(std::size_t& which, std::span<const std::string_view> names, const char* what);
  /// A number that must be this one.
  void constant(std::uint32_t expected, const char* what);

  /// `prepare` sets what the description needs to know before it starts.
  template <typename T, typename Prepare>
  void shared(std::shared_ptr<T>& pointer, const char* what, Prepare prepare) {
    const std::size_t start = in_.offset();
    const auto id = in_.take<std::uint32_t>(what);
    if (id & kNew) {
      const std::size_t place = open_object(id, start, typeid(T), what);
      auto object = std::make_shared<T>();
      prepare(*object);
      describe(*this, *object);
      objects_[place].object = object;
      pointer = std::move(object);
    } else {
      pointer = std::static_pointer_cast<T>(seen_object(id, start, typeid(T), what));
    }
  }
  template <typename T>
  void shared(std::shared_ptr<T>& pointer, const char* what) {
    shared(pointer, what, [](T&) {});
  }

  /// Starts the object with the next id and says where it goes; for looking ahead.
  std::size_t open_object(std::uint32_t id, std::size_t start, std::type_index type,
                          const char* what);

 private:
  struct Seen {
    std::type_index type;
    std::shared_ptr<void> object;  // null until it is read to its end
  };

  std::shared_ptr<void> seen_object(std::uint32_t id, std::size_t start, std::type_index type,
                                    const char* what);

  ByteReader in_;
  Versions versions_ = usual_versions();
  std::array<bool, kClassCount> version_seen_{};
  std::vector<Seen> objects_;
  std::vector<std::string> names_;
};

class WriteArchive {
 public:
  static constexpr bool kReading = false;
  template <typename T>
  using Ref = const T&;

  explicit WriteArchive(const Versions& versions);

  ByteWriter& out() noexcept { return out_; }

  void version(ClassId id);

  template <Number T>
  void number(const T& value, const char* /*what*/) {
    out_.put(value);
  }
  void text(const std::string& value, const char* what);
  template <typename T>
  void vector(const std::vector<T>& items, std::size_t /*least_bytes*/, const char* /*what*/) {
    out_.put(std::uint64_t{items.size()});
    for (const T& item : items) describe(*this, item);
  }
  void words(const WordView& words, const char* what);
  void static_type(const char* what) { constant(kStaticType, what); }
  void named_type(const std::size_t& which, std::span<const std::string_view> names,
                  const char* what);
  void constant(std::uint32_t expected, const char* /*what*/) { out_.put(expected); }

  template <typename T, typename Prepare>
  void shared(const std::shared_ptr<T>& pointer, const char* /*what*/, Prepare /*prepare*/) {
    const auto id = static_cast<std::uint32_t>(objects_.size() + 1);
    const auto [place, is_new] = objects_.try_emplace(pointer.get(), id);
    out_.put(is_new ? id | kNew : place->second);
    if (is_new) describe(*this, *pointer);
  }
  template <typename T>
  void shared(const std::shared_ptr<T>& pointer, const char* what) {
    shared(pointer, what, nullptr);
  }

 private:
  ByteWriter out_;
  Versions versions_;
  std::array<bool, kClassCount> version_written_{};
  std::unordered_map<const void*, std::uint32_t> objects_;
  std::vector<std::string_view> names_;
};

}  // namespace heliodor::formats::openfhe
