// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/multiply_files.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/cli/table.h"
#include "heliodor/formats/container/object_reader.h"
#include "heliodor/formats/container/object_writer.h"
#include "heliodor/formats/mapped_file.h"
#include "heliodor/formats/openfhe/codec.h"
#include "heliodor/formats/openfhe/convert.h"
#include "heliodor/formats/openfhe/exchange.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/keyswitch/key_limbs.h"
#include "heliodor/rlwe/noise_growth.h"

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

struct Factor {
  rlwe::Ciphertext ciphertext;
  Json metadata;
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

// One limb count, two parts, one scheme whose product is the tensor product.
void check_pairs(const std::vector<Pair>& pairs) {
  const Factor& model = pairs.front().a;
  const std::string scheme = model.metadata.value("scheme", "");
  if (scheme != "bgv" && scheme != "ckks") {
    throw Error(ErrorCode::unsupported,
                fmt::format("evalmult of scheme \"{}\": only bgv and ckks", scheme));
  }
  for (const Pair& pair : pairs) {
    for (const Factor* factor : {&pair.a, &pair.b}) {
      const rlwe::Ciphertext& c = factor->ciphertext;
      if (c.parts() != 2 || c.limb_count() != model.ciphertext.limb_count() ||
          factor->metadata.value("scheme", "") != scheme) {
        throw Error(ErrorCode::mismatch,
                    fmt::format("ciphertexts of {} and {} parts, {} and {} limbs, scheme {} and {}",
                                2, c.parts(), model.ciphertext.limb_count(), c.limb_count(), scheme,
                                factor->metadata.value("scheme", "")));
      }
    }
  }
}

// Scale and plaintext factor multiply; so do OpenFHE's counters of them.
Json product_metadata(const Json& a, const Json& b, std::uint64_t t) {
  const auto modular = [&](const Json& x, const Json& y) {
    const auto product = ring::Uint128{x.get<std::uint64_t>()} * y.get<std::uint64_t>();
    return static_cast<std::uint64_t>(product % t);
  };
  Json result = a;
  if (a.contains("scale")) result["scale"] = a["scale"].get<double>() * b.at("scale").get<double>();
  if (a.contains("plaintext_factor"))
    result["plaintext_factor"] = modular(a["plaintext_factor"], b.at("plaintext_factor"));
  if (!a.contains("openfhe") || !b.contains("openfhe")) return result;
  const Json& x = a["openfhe"];
  const Json& y = b["openfhe"];
  result["openfhe"]["noise_scale_degree"] = x.at("noise_scale_degree").get<std::uint32_t>() +
                                            y.at("noise_scale_degree").get<std::uint32_t>();
  result["openfhe"]["scaling_factor"] =
      x.at("scaling_factor").get<double>() * y.at("scaling_factor").get<double>();
  if (a.contains("plaintext_factor"))
    result["openfhe"]["scaling_factor_int"] = result["plaintext_factor"];
  return result;
}

struct Products {
  std::vector<rlwe::Ciphertext> ciphertexts;
  program::RunReport report;
};

Products multiply(const program::Target& target, const program::LimbProgram& program,
                  const std::vector<Pair>& pairs, const rlwe::LimbSpans& key) {
  const auto plan = target.plan(program);
  Products products;
  std::vector<program::Binding> batch;
  for (const Pair& pair : pairs) {
    const rlwe::LimbMatrix& model = pair.a.ciphertext.limbs;
    products.ciphertexts.push_back({rlwe::LimbMatrix(2, model.limb_count(), model.degree()), {}});
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    program::Binding binding;
    for (const Factor* factor : {&pairs[k].a, &pairs[k].b}) {
      const rlwe::LimbMatrix& limbs = factor->ciphertext.limbs;
      for (std::size_t i = 0; i < 2 * limbs.limb_count(); ++i)
        binding.operands.push_back(limbs.limb(i / limbs.limb_count(), i % limbs.limb_count()));
    }
    rlwe::LimbMatrix& limbs = products.ciphertexts[k].limbs;
    for (std::size_t i = 0; i < 2 * limbs.limb_count(); ++i)
      binding.outputs.push_back(limbs.limb(i / limbs.limb_count(), i % limbs.limb_count()));
    batch.push_back(std::move(binding));
  }
  products.report = plan->run(batch, {key, {}});
  // A target that measures time measures page faults and cold tables at first.
  if (!products.report.cost.cycles) products.report = plan->run(batch, {key, {}});
  return products;
}

// Of the products, before they are made. Files of other libraries claim no bounds: theirs are
// infinite and nothing is known. Throws Error{noise_overflow} where a known one reaches Q/2.
std::vector<rlwe::Bounds> product_bounds(const rlwe::Parameters& parameters,
                                         const rlwe::Gadget& gadget,
                                         const std::vector<Pair>& pairs) {
  std::vector<rlwe::Bounds> bounds;
  for (const Pair& pair : pairs) {
    const std::size_t limbs = pair.a.ciphertext.limb_count();
    bounds.push_back(
        rlwe::with_error(rlwe::product_bounds(pair.a.ciphertext.bounds, pair.b.ciphertext.bounds),
                         rlwe::key_switch_error(parameters, gadget, limbs)));
    const rlwe::NoiseBound phase = bounds.back().phase, limit = parameters.phase_limit(limbs);
    if (std::isinf(phase.log2()) || phase < limit) continue;
    throw Error(ErrorCode::noise_overflow,
                fmt::format("the phase of product {} may be 2^{:.2f}, not below Q/2 = 2^{:.2f}",
                            bounds.size() - 1, phase.log2(), limit.log2()));
  }
  return bounds;
}

void write_products(const MultiplyFilesOptions& options, const formats::ObjectReader& source,
                    const rlwe::Parameters& parameters, const std::vector<Pair>& pairs,
                    const Products& products) {
  formats::ObjectWriter out(parameters);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    out.add(products.ciphertexts[k],
            product_metadata(pairs[k].a.metadata, pairs[k].b.metadata, parameters.error_scale())
                .dump());
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
  const program::LimbProgram program = rlwe::multiply_program(parameters, shape, limbs, 0);
  const std::vector<rlwe::Bounds> bounds = product_bounds(parameters, key.gadget, pairs);
  const rlwe::LimbSpans key_limbs = rlwe::key_limbs(key, limbs);
  Products products = multiply(target, program, pairs, key_limbs);
  std::vector<Row> rows;
  std::string equal = "-";
  if (products.report.fault) context.result = ExitCode::wrong_result;
  if (verifier != nullptr) {
    const Products expected = multiply(*verifier, program, pairs, key_limbs);
    bool same = !expected.report.fault && !products.report.fault;
    for (std::size_t k = 0; same && k < pairs.size(); ++k)
      same = expected.ciphertexts[k].limbs == products.ciphertexts[k].limbs;
    equal = same ? "yes" : "NO";
    if (!same) context.result = ExitCode::wrong_result;
    rows.push_back(row_of(*verifier, expected, "-"));
  }
  rows.push_back(row_of(target, products, equal));
  if (context.result == ExitCode::right && !options.out.empty()) {
    for (std::size_t k = 0; k < pairs.size(); ++k) products.ciphertexts[k].bounds = bounds[k];
    const InputFile first(options.in.front(), &key_bytes);
    write_products(options, first.reader(), parameters, pairs, products);
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
