// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Native containers, read and written, and OpenFHE's files, read.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/formats/container/object_reader.h"
#include "heliodor/formats/container/object_writer.h"
#include "heliodor/formats/mapped_file.h"
#include "heliodor/formats/openfhe/codec.h"
#include "heliodor/formats/openfhe/convert.h"
#include "heliodor/formats/openfhe/exchange.h"
#include "heliodor/rlwe/noise_growth.h"
#include "heliodor/schemes/bfv/noise.h"
#include "heliodor/schemes/bgv/noise.h"
#include "python/src/bindings.h"
#include "python/src/contexts.h"
#include "python/src/exact_scale.h"

namespace heliodor::python {
namespace {

using namespace pybind11::literals;
using formats::Container;
using formats::ObjectEntry;
using formats::ObjectKind;

// ---- reading

class Reader {
 public:
  /// `key`: an OpenFHE file of evaluation keys, which alone know the special primes.
  Reader(const std::filesystem::path& path, const std::optional<std::filesystem::path>& key,
         rlwe::SecurityLevel security, bool accept_test_seeds)
      : file_(path) {
    const auto seeds = accept_test_seeds ? formats::TestSeeds::accept : formats::TestSeeds::refuse;
    if (formats::openfhe::is_openfhe(file_.bytes())) converted_ = convert(key);
    const auto bytes = converted_ ? formats::Bytes(*converted_) : file_.bytes();
    reader_.emplace(Container::view(bytes, seeds));
    parameters_.emplace(reader_->parameters(security));
  }

  const formats::ObjectReader& objects() const { return *reader_; }
  const rlwe::Parameters& parameters() const { return *parameters_; }

 private:
  base::SecretVector<std::uint8_t> convert(const std::optional<std::filesystem::path>& key) const {
    const formats::openfhe::File file = formats::openfhe::parse(file_.bytes());
    if (!key) return formats::openfhe::to_container(file);
    const formats::MappedFile key_file(*key);
    const formats::openfhe::File keys = formats::openfhe::parse(key_file.bytes());
    return formats::openfhe::to_container(file, formats::openfhe::find_eval_key(keys));
  }

  formats::MappedFile file_;
  std::optional<base::SecretVector<std::uint8_t>> converted_;
  std::optional<formats::ObjectReader> reader_;
  std::optional<rlwe::Parameters> parameters_;
};

py::dict metadata_of(const ObjectEntry& entry) {
  if (entry.metadata.empty()) return {};
  return py::module_::import("json").attr("loads")(entry.metadata);
}

// The metadata of a ciphertext of this scheme and, but for CKKS, plaintext modulus.
py::dict checked_metadata(const Reader& reader, std::size_t index, const std::string& scheme,
                          std::uint64_t t) {
  const py::dict metadata = metadata_of(reader.objects().ciphertext_entry(index));
  const auto named = metadata.attr("get")("scheme", "").cast<std::string>();
  if (named != scheme) {
    throw Error(ErrorCode::mismatch, "ciphertext " + std::to_string(index) + " is of scheme '" +
                                         named + "', the context of '" + scheme + "'");
  }
  const auto modulus = metadata.attr("get")("plaintext_modulus", 0).cast<std::uint64_t>();
  if (modulus != t) {
    throw Error(ErrorCode::mismatch, "ciphertext " + std::to_string(index) +
                                         " has t = " + std::to_string(modulus) + ", the context " +
                                         std::to_string(t));
  }
  return metadata;
}

rlwe::Ciphertext limbs_of(const Reader& reader, const AnyContext& context, std::size_t index) {
  const py::gil_scoped_release unlocked;
  return reader.objects().ciphertext(context.rlwe->parameters(), index);
}

bgv::Ciphertext read_bgv(const Reader& reader, const SlotContext<Bgv>& context, std::size_t index,
                         bool assume_fresh) {
  const py::dict metadata = checked_metadata(reader, index, context.scheme, context.t().value());
  const auto factor = metadata["plaintext_factor"].cast<std::uint64_t>();
  if (factor == 0 || factor >= context.t().value()) {
    throw Error(ErrorCode::malformed_file, "plaintext_factor " + std::to_string(factor) +
                                               " is not in [1, " +
                                               std::to_string(context.t().value()) + ")");
  }
  bgv::Ciphertext ciphertext{limbs_of(reader, context, index), factor};
  if (assume_fresh) {
    ciphertext.rlwe.bounds = rlwe::with_error({bgv::message_bound(context.parameters()), {}},
                                              rlwe::encryption_error(context.rlwe->parameters()));
  }
  return ciphertext;
}

bfv::Ciphertext read_bfv(const Reader& reader, const SlotContext<Bfv>& context, std::size_t index,
                         bool assume_fresh) {
  checked_metadata(reader, index, context.scheme, context.t().value());
  bfv::Ciphertext ciphertext = limbs_of(reader, context, index);
  if (assume_fresh) {
    const rlwe::NoiseBound error = bfv::fresh_error(context.parameters());
    ciphertext.bounds = {error, error};
  }
  return ciphertext;
}

ckks::Ciphertext read_ckks(const Reader& reader, const CkksContext& context, std::size_t index,
                           bool assume_fresh) {
  const py::dict metadata = checked_metadata(reader, index, context.scheme, 0);
  const bool exact = metadata.contains("exact_scale");
  const ckks::Scale scale = exact ? parse_scale(metadata["exact_scale"].cast<std::string>())
                                  : ckks::Scale(metadata["scale"].cast<double>());
  const py::dict counters = metadata.contains("openfhe") ? metadata["openfhe"] : metadata;
  const auto slots = counters["slots"].cast<std::size_t>();
  if (slots == 0 || (slots & (slots - 1)) != 0 || slots > context.parameters().max_slots()) {
    throw Error(ErrorCode::malformed_file, "slots " + std::to_string(slots) +
                                               " is not a power of two up to " +
                                               std::to_string(context.parameters().max_slots()));
  }
  ckks::Ciphertext ciphertext{limbs_of(reader, context, index), scale, slots};
  if (!assume_fresh) return ciphertext;
  return ckks::assume_bound(std::move(ciphertext), context.parameters().value_bound());
}

// ---- writing

// One thread at a time, though Python's are many.
class Writer {
 public:
  explicit Writer(std::shared_ptr<AnyContext> context)
      : context_(std::move(context)), writer_(context_->rlwe->parameters()) {}

  void add_secret(const rlwe::SecretKey& key) {
    const std::scoped_lock lock(mutex_);
    writer_.add(key);
    access_ = formats::Access::owner;
  }
  template <typename Keys>
  void add(const Keys& keys) {
    const std::scoped_lock lock(mutex_);
    writer_.add(keys);
  }
  void add_bgv(const bgv::Ciphertext& ciphertext) {
    add(ciphertext.rlwe, "bgv", {{"plaintext_factor", py::int_(ciphertext.plaintext_factor)}});
  }
  void add_bfv(const bfv::Ciphertext& ciphertext) { add(ciphertext, "bfv", {}); }
  void add_ckks(const ckks::Ciphertext& ciphertext) {
    add(ciphertext.rlwe, "ckks",
        {{"scale", py::float_(ciphertext.scale.value())},
         {"exact_scale", py::str(ciphertext.scale.to_string())},
         {"slots", py::int_(ciphertext.slots)}});
  }
  void mark_test_seed(std::uint64_t test_seed) {
    const std::scoped_lock lock(mutex_);
    writer_.mark(base::TestSeed(test_seed));
  }
  void add_note(const std::string& text) {
    const std::scoped_lock lock(mutex_);
    writer_.add_note(text);
  }
  void save(const std::filesystem::path& path) {
    const std::scoped_lock lock(mutex_);
    formats::write_file(path, writer_.finish(), access_);
  }

 private:
  using Fields = std::vector<std::pair<const char*, py::object>>;

  void add(const rlwe::Ciphertext& ciphertext, const std::string& scheme, const Fields& fields) {
    if (scheme != context_->scheme) {
      throw Error(ErrorCode::mismatch,
                  "a ciphertext of " + scheme + " in a file of " + context_->scheme);
    }
    py::dict metadata("scheme"_a = scheme);
    if (const std::uint64_t t = plaintext_modulus(); t != 0) metadata["plaintext_modulus"] = t;
    for (const auto& [name, value] : fields) metadata[name] = value;
    const auto json = py::module_::import("json").attr("dumps")(metadata).cast<std::string>();
    const py::gil_scoped_release unlocked;
    const std::scoped_lock lock(mutex_);
    writer_.add(ciphertext, json);
  }
  std::uint64_t plaintext_modulus() const {
    if (const auto* bgv = dynamic_cast<const SlotContext<Bgv>*>(context_.get()))
      return bgv->t().value();
    if (const auto* bfv = dynamic_cast<const SlotContext<Bfv>*>(context_.get()))
      return bfv->t().value();
    return 0;
  }

  std::shared_ptr<AnyContext> context_;
  std::mutex mutex_;
  formats::ObjectWriter writer_;
  formats::Access access_ = formats::Access::by_umask;
};

// ---- bindings

void add_reader(py::module_& m) {
  py::class_<ObjectEntry>(m, "FileEntry", "What a file says of one object.")
      .def_property_readonly(
          "kind", [](const ObjectEntry& e) { return std::string(formats::to_string(e.kind)); },
          "'secret_key', 'public_key', 'relinearization_key', 'galois_key' or 'ciphertext'.")
      .def_property_readonly("galois_element",
                             [](const ObjectEntry& e) -> std::optional<std::uint64_t> {
                               if (e.kind != ObjectKind::galois_key) return std::nullopt;
                               return e.galois_element;
                             })
      .def_readonly("parts", &ObjectEntry::parts, "Of a ciphertext, else 0.")
      .def_readonly("limb_count", &ObjectEntry::limb_count, "Of a ciphertext, else 0.")
      .def_property_readonly("metadata", &metadata_of,
                             "Of a ciphertext: scheme, plaintext_modulus, scale ..; else empty.");
  py::class_<Reader> c(m, "FileReader",
                       "A native container or a file of OpenFHE. Opening reads only what describes "
                       "the objects.");
  c.def(py::init<const std::filesystem::path&, const std::optional<std::filesystem::path>&,
                 rlwe::SecurityLevel, bool>(),
        "path"_a, py::kw_only(), "key"_a = py::none(), "security"_a = rlwe::SecurityLevel::bits128,
        "accept_test_seeds"_a = false, Unlocked(),
        "`key`: an OpenFHE file of evaluation keys, which alone know the special primes of the "
        "other files of their set. Error 'insecure' if the parameters reach less than `security`, "
        "or the file was made from a test seed that is not accepted; Error 'malformed_file' for "
        "bytes that are not right to the last bit.")
      .def_property_readonly("parameters", &Reader::parameters,
                             py::return_value_policy::reference_internal)
      .def_property_readonly("entries",
                             [](const Reader& r) {
                               const auto entries = r.objects().entries();
                               return std::vector<ObjectEntry>(entries.begin(), entries.end());
                             })
      .def_property_readonly("notes", [](const Reader& r) { return r.objects().notes(); })
      .def_property_readonly("ciphertext_count",
                             [](const Reader& r) { return r.objects().ciphertext_count(); })
      .def(
          "secret_key", [](const Reader& r) { return r.objects().secret_key(r.parameters()); },
          Unlocked())
      .def(
          "public_key", [](const Reader& r) { return r.objects().public_key(r.parameters()); },
          Unlocked())
      .def(
          "relinearization_keys",
          [](const Reader& r) { return r.objects().relinearization_keys(r.parameters()); },
          Unlocked())
      .def(
          "galois_keys", [](const Reader& r) { return r.objects().galois_keys(r.parameters()); },
          Unlocked());
  const char* doc =
      "A ciphertext of the context's scheme. Files of OpenFHE say nothing of noise: assume_fresh "
      "vouches that the ciphertext was just encrypted, with values in the parameters' bounds.";
  c.def("ciphertext", &read_bgv, "context"_a, "index"_a = 0, py::kw_only(),
        "assume_fresh"_a = false)
      .def("ciphertext", &read_bfv, "context"_a, "index"_a = 0, py::kw_only(),
           "assume_fresh"_a = false)
      .def("ciphertext", &read_ckks, "context"_a, "index"_a = 0, py::kw_only(),
           "assume_fresh"_a = false, doc);
}

void add_writer(py::module_& m) {
  py::class_<Writer>(m, "FileWriter",
                     "Parameters, keys and ciphertexts of one context into a native container.")
      .def(py::init<std::shared_ptr<AnyContext>>(), "context"_a)
      .def("add", &Writer::add_secret, "item"_a, Unlocked())
      .def("add", &Writer::add<rlwe::PublicKey>, "item"_a, Unlocked())
      .def("add", &Writer::add<rlwe::RelinearizationKeys>, "item"_a, Unlocked())
      .def("add", &Writer::add<rlwe::GaloisKeys>, "item"_a, Unlocked())
      .def("add", &Writer::add_bgv, "item"_a)
      .def("add", &Writer::add_bfv, "item"_a)
      .def("add", &Writer::add_ckks, "item"_a,
           "A key or a ciphertext. Error 'mismatch' if it does not belong to the context.")
      .def("mark_test_seed", &Writer::mark_test_seed, "test_seed"_a, Unlocked(),
           "Says in the file that its keys come from a test seed: readers refuse it unless told "
           "not to.")
      .def("add_note", &Writer::add_note, "text"_a, Unlocked())
      .def("save", &Writer::save, "path"_a, Unlocked(),
           "Replaces the file. With a secret key in it only its owner may read it.");
}

}  // namespace

void add_files(py::module_& m) {
  add_reader(m);
  add_writer(m);
}

}  // namespace heliodor::python
