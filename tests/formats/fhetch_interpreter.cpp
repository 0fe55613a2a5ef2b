// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/formats/fhetch_interpreter.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <stdexcept>

namespace heliodor::vectors {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t q) {
  return static_cast<std::uint64_t>(Wide{a} * b % q);
}

std::uint64_t power(std::uint64_t a, std::uint64_t exponent, std::uint64_t q) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, a = times(a, a, q)) {
    if (exponent % 2 == 1) result = times(result, a, q);
  }
  return result;
}

class Interpreter {
 public:
  Interpreter(std::uint64_t degree, const InputWords& inputs) : n_(degree), inputs_(inputs) {}

  std::map<std::string, Words> run(const std::string& trace) {
    std::istringstream lines(trace);
    for (std::string line; std::getline(lines, line);) run_line(line);
    results_.insert(memory_.begin(), memory_.end());
    return results_;
  }

 private:
  using Tokens = std::vector<std::string>;

  void run_line(const std::string& line) {
    const std::string text = line.substr(0, line.find('#'));
    std::string spaced = line.starts_with("# heliodor") ? line.substr(10) : text;
    std::ranges::replace(spaced, ',', ' ');
    std::istringstream stream(spaced);
    Tokens tokens;
    for (std::string token; stream >> token;) tokens.push_back(token);
    if (tokens.empty() || tokens[0] == "halt" || tokens[0] == "modulus_count") return;
    if (line.starts_with("#")) return declare(tokens, line);
    if (tokens[0].starts_with("m[")) {
      moduli_.push_back(std::stoull(tokens[1], nullptr, 16));
    } else {
      execute(tokens);
    }
  }

  void declare(const Tokens& tokens, const std::string& line) {
    const std::size_t quote = line.find('"');
    if (quote == std::string::npos) return;
    const std::string name = line.substr(quote + 1, line.rfind('"') - quote - 1);
    if (tokens[0] == "input") memory_[tokens[1]] = inputs_(name);
    if (tokens[0] == "output") results_[name] = memory_.at(tokens[1]);
  }

  const Words& read(const std::string& name) {
    if (!memory_.contains(name)) memory_[name] = inputs_(name);
    return memory_[name];
  }

  static std::uint64_t argument(const Tokens& tokens, const std::string& name) {
    for (const std::string& token : tokens) {
      if (token.starts_with(name + "="))
        return std::stoull(token.substr(name.size() + 1), nullptr, 0);
    }
    throw std::runtime_error(name + " is missing in " + tokens[0]);
  }

  std::size_t bit_reversed(std::size_t i) const {
    std::size_t result = 0;
    for (std::size_t bit = 1; bit < n_; bit *= 2, i /= 2) result = 2 * result + i % 2;
    return result;
  }

  std::uint64_t root(const Tokens& tokens, std::uint64_t q) const {
    if (tokens.back().starts_with("omega=")) return argument(tokens, "omega");
    std::uint64_t candidate = 2;
    while (power(candidate, n_, q) != q - 1) ++candidate;
    return candidate;
  }

  template <typename Word>
  Words words(Word word) const {
    Words result(n_);
    for (std::size_t i = 0; i < n_; ++i) result[i] = word(i);
    return result;
  }

  void execute(const Tokens& tokens) {
    const std::string& op = tokens[0];
    const std::uint64_t q = moduli_.at(argument(tokens, "m"));
    if (op == "sr_mulps" && tokens[3] == "0") {
      memory_[tokens[1]] = Words(n_, 0);
      return;
    }
    const Words a = read(tokens[2]);
    memory_[tokens[1]] = op.starts_with("sr_automorph") ? permuted(tokens, a, q)
                         : op.ends_with("ntt")          ? transformed(tokens, a, q)
                         : op.ends_with("ps")           ? scaled(tokens, a, q)
                                                        : combined(tokens, a, q);
  }

  Words combined(const Tokens& tokens, const Words& a, std::uint64_t q) {
    const std::string& op = tokens[0];
    if (op == "sr_negp") return words([&](std::size_t i) { return (q - a[i]) % q; });
    const Words b = read(tokens[3]);
    if (op == "sr_addp") return words([&](std::size_t i) { return (a[i] + b[i]) % q; });
    if (op == "sr_subp") return words([&](std::size_t i) { return (a[i] + (q - b[i])) % q; });
    if (op == "sr_mulp") return words([&](std::size_t i) { return times(a[i], b[i], q); });
    throw std::runtime_error(op + " is unknown");
  }

  Words scaled(const Tokens& tokens, const Words& a, std::uint64_t q) const {
    const std::string& op = tokens[0];
    const std::uint64_t s = std::stoull(tokens[3], nullptr, 0);
    if (op == "sr_addps" && s == 0) return a;
    if (op == "sr_addps") return words([&](std::size_t i) { return (a[i] + s % q) % q; });
    if (op == "sr_subps") return words([&](std::size_t i) { return (a[i] + (q - s % q)) % q; });
    if (op == "sr_mulps") return words([&](std::size_t i) { return times(a[i], s % q, q); });
    throw std::runtime_error(op + " is unknown");
  }

  /// The definition, in N^2 steps: y_i = sum_j a_j psi^((2 bitrev(i) + 1) j).
  Words transformed(const Tokens& tokens, const Words& a, std::uint64_t q) const {
    const std::uint64_t psi = root(tokens, q);
    const bool forward = tokens[0] == "sr_ntt";
    const std::uint64_t scale = forward ? 1 : power(n_, q - 2, q);
    return words([&](std::size_t out) {
      Wide sum = 0;
      for (std::size_t in = 0; in < n_; ++in) {
        const std::size_t slot = forward ? out : in;
        const std::size_t coefficient = forward ? in : out;
        const std::uint64_t exponent = (2 * bit_reversed(slot) + 1) * coefficient % (2 * n_);
        sum += times(a[in], power(psi, forward ? exponent : 2 * n_ - exponent, q), q);
      }
      return times(static_cast<std::uint64_t>(sum % q), scale, q);
    });
  }

  Words permuted(const Tokens& tokens, const Words& a, std::uint64_t q) const {
    const std::uint64_t k = argument(tokens, "k");
    Words result(n_);
    for (std::uint64_t j = 0; j < n_; ++j) {
      if (tokens[0] == "sr_automorph_eval") {
        result[bit_reversed(j)] = a[bit_reversed(((2 * j + 1) * k % (2 * n_)) / 2)];
      } else {  // X^j goes to X^(jk), and X^N is -1
        const std::uint64_t exponent = j * k % (2 * n_);
        result[exponent % n_] = exponent < n_ ? a[j] : (q - a[j]) % q;
      }
    }
    return result;
  }

  std::uint64_t n_;
  const InputWords& inputs_;
  std::vector<std::uint64_t> moduli_;
  std::map<std::string, Words> memory_;
  std::map<std::string, Words> results_;
};

}  // namespace

std::map<std::string, Words> interpret_fhetch(const std::string& trace, std::uint64_t degree,
                                              const InputWords& inputs) {
  return Interpreter(degree, inputs).run(trace);
}

}  // namespace heliodor::vectors
