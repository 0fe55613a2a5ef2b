// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/multiply_files.h"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/cli/internal/file_product.h"
#include "heliodor/cli/internal/progress_bar.h"
#include "heliodor/cli/internal/target_run.h"
#include "heliodor/cli/table.h"
#include "heliodor/formats/container/object_reader.h"
#include "heliodor/formats/container/object_writer.h"
#include "heliodor/formats/mapped_file.h"
#include "heliodor/formats/openfhe/codec.h"
#include "heliodor/formats/openfhe/convert.h"
#include "heliodor/formats/openfhe/exchange.h"
#include "heliodor/rlwe/keyswitch/key_limbs.h"

namespace heliodor::cli {
namespace {

using Json = nlohmann::ordered_json;
using rlwe::KeySwitchMethod;
using rlwe::KeySwitchShape;

// A container, mapped or made from an OpenFHE file.
class InputFile {
 public:
  /// `key`: the OpenFHE file of the key, which alone knows the special primes; may be null. Errors
  /// name the file.
  InputFile(const std::string& path, const formats::MappedFile* key) : file_(path) {
    try {
      if (formats::openfhe::is_openfhe(file_.bytes())) converted_ = convert(key);
      reader_.emplace(
          formats::Container::view(converted_ ? formats::Bytes(*converted_) : file_.bytes()));
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: {}", path, error.what()));
    }
  }

  const formats::ObjectReader& reader() const { return *reader_; }

 private:
  base::SecretVector<std::uint8_t> convert(const formats::MappedFile* key) const {
    std::optional<formats::openfhe::File> keys;
    if (key != nullptr && formats::openfhe::is_openfhe(key->bytes()))
      keys = formats::openfhe::parse(key->bytes());
    return formats::openfhe::to_container(formats::openfhe::parse(file_.bytes()),
                                          keys ? formats::openfhe::find_eval_key(*keys) : nullptr);
  }

  formats::MappedFile file_;
  std::optional<base::SecretVector<std::uint8_t>> converted_;
  std::optional<formats::ObjectReader> reader_;
};

struct Pair {
  Factor a, b;
};

std::vector<Pair> read_pairs(const MultiplyFilesOptions& options,
                             const formats::MappedFile& key_file,
                             const rlwe::Parameters& parameters) {
  if (options.in.size() % 2 != 0) {
    throw Error(ErrorCode::mismatch,
                fmt::format("{} files do not make pairs: give --in an even number of times",
                            options.in.size()));
  }
  const auto factor = [&](const formats::ObjectReader& in, std::size_t i) {
    return Factor{in.ciphertext(parameters, i), Json::parse(in.ciphertext_entry(i).metadata)};
  };
  std::vector<Pair> pairs;
  for (std::size_t k = 0; k < options.in.size(); k += 2) {
    const InputFile first(options.in[k], &key_file), second(options.in[k + 1], &key_file);
    const std::size_t count = first.reader().ciphertext_count();
    if (count != second.reader().ciphertext_count() || count == 0) {
      throw Error(ErrorCode::mismatch,
                  fmt::format("{} holds {} ciphertexts, {} holds {}", options.in[k], count,
                              options.in[k + 1], second.reader().ciphertext_count()));
    }
    for (std::size_t i = 0; i < count; ++i)
      pairs.push_back({factor(first.reader(), i), factor(second.reader(), i)});
  }
  return pairs;
}

// What decides which product it is.
std::string meaning(const Factor& factor) {
  std::string text = factor.metadata.value("scheme", "");
  if (factor.metadata.contains("plaintext_modulus"))
    text += " modulo " + factor.metadata["plaintext_modulus"].dump();
  return text;
}

// One limb count, two parts, one scheme and plaintext modulus.
void check_pairs(const std::vector<Pair>& pairs) {
  const Factor& model = pairs.front().a;
  for (const Pair& pair : pairs) {
    for (const Factor* factor : {&pair.a, &pair.b}) {
      const rlwe::Ciphertext& c = factor->ciphertext;
      if (c.parts() != 2 || c.limb_count() != model.ciphertext.limb_count() ||
          meaning(*factor) != meaning(model)) {
        throw Error(ErrorCode::mismatch,
                    fmt::format("ciphertexts of {} and {} parts, {} and {} limbs, {} and {}", 2,
                                c.parts(), model.ciphertext.limb_count(), c.limb_count(),
                                meaning(model), meaning(*factor)));
      }
    }
  }
}

struct Products {
  std::vector<rlwe::Ciphertext> ciphertexts;
  program::RunReport report;
};

program::Binding bind(const Pair& pair, rlwe::LimbMatrix& product) {
  program::Binding binding;
  for (const Factor* factor : {&pair.a, &pair.b}) {
    const rlwe::LimbMatrix& limbs = factor->ciphertext.limbs;
    for (std::size_t i = 0; i < 2 * limbs.limb_count(); ++i)
      binding.operands.push_back(limbs.limb(i / limbs.limb_count(), i % limbs.limb_count()));
  }
  for (std::size_t i = 0; i < 2 * product.limb_count(); ++i)
    binding.outputs.push_back(product.limb(i / product.limb_count(), i % product.limb_count()));
  return binding;
}

// Advances progress by the seconds that are expected.
Products multiply(const program::Target& target, const program::LimbProgram& program,
                  const std::vector<Pair>& pairs, const rlwe::LimbSpans& key,
                  ProgressBar& progress) {
  const auto plan = target.plan(program);
  Products products;
  std::vector<program::Binding> batch;
  for (const Pair& pair : pairs) {
    const rlwe::LimbMatrix& model = pair.a.ciphertext.limbs;
    products.ciphertexts.push_back({rlwe::LimbMatrix(2, model.limb_count(), model.degree()), {}});
  }
  for (std::size_t k = 0; k < pairs.size(); ++k)
    batch.push_back(bind(pairs[k], products.ciphertexts[k].limbs));
  const auto keys = plan->load({key, {}});
  products.report = plan->run(batch, *keys);
  // A target that measures time measures page faults and cold tables at first.
  if (!products.report.cost.cycles) products.report = plan->run(batch, *keys);
  progress.advance(expected_seconds(target, program));
  return products;
}

void write_products(const MultiplyFilesOptions& options, const formats::ObjectReader& source,
                    const rlwe::Parameters& parameters, const FileProduct& product,
                    const std::vector<Pair>& pairs, const Products& products) {
  formats::ObjectWriter out(parameters);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    out.add(products.ciphertexts[k],
            product.metadata(pairs[k].a.metadata, pairs[k].b.metadata).dump());
  }
  if (const auto owner = source.openfhe_owner())
    out.add_openfhe_owner(owner->key_tag, owner->context_file);
  formats::write_file(options.out, out.finish());
}

struct Row {
  std::string target;
  double seconds;  // per product
  std::optional<std::uint64_t> cycles;
  std::string equal;
};

Row row_of(const program::Target& target, const Products& products, std::string equal) {
  const auto count = static_cast<double>(products.ciphertexts.size());
  return {target.name(), products.report.cost.seconds / count, products.report.cost.cycles,
          products.report.fault ? "fault" : std::move(equal)};
}

void report(const MultiplyFilesOptions& options, const rlwe::Parameters& parameters,
            const std::vector<Pair>& pairs, const std::vector<Row>& rows, Context& context) {
  const std::string scheme = pairs.front().a.metadata.value("scheme", "");
  const std::size_t limbs = pairs.front().a.ciphertext.limb_count();
  if (options.json) {
    Json json = {{"command", "run"},
                 {"program", "evalmult"},
                 {"scheme", scheme},
                 {"products", pairs.size()},
                 {"degree", parameters.degree()},
                 {"limbs", limbs},
                 {"log_qp", parameters.log_qp()},
                 {"security", rlwe::to_string(parameters.security())},
                 {"targets", Json::array()}};
    for (const Row& row : rows) {
      Json entry = {{"name", row.target}, {"ms", row.seconds * 1e3}, {"equal", row.equal}};
      if (row.cycles) entry["cycles"] = *row.cycles;
      json["targets"].push_back(std::move(entry));
    }
    context.out << json.dump(2) << '\n';
    return;
  }
  const bool toy = parameters.security() == rlwe::SecurityLevel::none;
  context.out << fmt::format(
      "{} relinearized product{} of {}, N = {}, {} limbs, log2(QP) = {:.1f}. Security: {}{}.\n\n",
      pairs.size(), pairs.size() == 1 ? "" : "s", scheme, parameters.degree(), limbs,
      parameters.log_qp(), rlwe::to_string(parameters.security()),
      toy ? " - NOTHING IS SECRET" : "");
  Table table({"target", "time per product", "products/s", "cycles", "equal"});
  for (const Row& row : rows) {
    table.add_row({row.target, fmt::format("{:.3f} ms", row.seconds * 1e3),
                   fmt::format("{:.1f}", 1 / row.seconds),
                   row.cycles ? fmt::format("{}", *row.cycles) : "-", row.equal});
  }
  table.write(context.out);
  if (!options.out.empty()) context.out << fmt::format("\nwritten to {}\n", options.out);
}

void multiply_pairs(const MultiplyFilesOptions& options, const program::Target& target,
                    const program::Target* verifier, Context& context) {
  const formats::MappedFile key_bytes(options.key);
  const InputFile key_file(options.key, nullptr);
  const rlwe::Parameters parameters = key_file.reader().parameters(options.security);
  const rlwe::EvaluationKey key =
      std::move(key_file.reader().relinearization_keys(parameters).keys.front());
  const std::vector<Pair> pairs = read_pairs(options, key_bytes, parameters);
  check_pairs(pairs);

  const std::size_t limbs = pairs.front().a.ciphertext.limb_count();
  const KeySwitchShape shape{
      key.gadget.special_count == 0 ? KeySwitchMethod::bv : KeySwitchMethod::hybrid, key.gadget};
  const auto product = make_file_product(parameters, pairs.front().a.metadata);
  const program::LimbProgram program = product->program(shape, limbs);
  std::vector<rlwe::Bounds> bounds;
  for (const Pair& pair : pairs) bounds.push_back(product->bounds(key.gadget, pair.a, pair.b));
  const rlwe::LimbSpans key_limbs = rlwe::key_limbs(key, limbs);
  double seconds = expected_seconds(target, program);
  if (verifier != nullptr) seconds += expected_seconds(*verifier, program);
  ProgressBar progress(context.terminal, "evalmult", seconds);
  Products products = multiply(target, program, pairs, key_limbs, progress);
  std::vector<Row> rows;
  std::string equal = "-";
  if (products.report.fault) context.result = ExitCode::wrong_result;
  if (verifier != nullptr) {
    const Products expected = multiply(*verifier, program, pairs, key_limbs, progress);
    bool same = !expected.report.fault && !products.report.fault;
    for (std::size_t k = 0; same && k < pairs.size(); ++k)
      same = expected.ciphertexts[k].limbs == products.ciphertexts[k].limbs;
    equal = same ? "yes" : "NO";
    if (!same) context.result = ExitCode::wrong_result;
    rows.push_back(row_of(*verifier, expected, "-"));
  }
  progress.finish();
  rows.push_back(row_of(target, products, equal));
  if (context.result == ExitCode::right && !options.out.empty()) {
    for (std::size_t k = 0; k < pairs.size(); ++k) products.ciphertexts[k].bounds = bounds[k];
    const InputFile first(options.in.front(), &key_bytes);
    write_products(options, first.reader(), parameters, *product, pairs, products);
  }
  report(options, parameters, pairs, rows, context);
}

}  // namespace

void multiply_files(const MultiplyFilesOptions& options, const program::Target& target,
                    const program::Target* verifier, Context& context) {
  try {
    multiply_pairs(options, target, verifier, context);
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::malformed_file,
                fmt::format("metadata of a ciphertext: {}", error.what()));
  }
}

}  // namespace heliodor::cli
