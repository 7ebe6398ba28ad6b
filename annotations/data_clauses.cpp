// problem, init, fixed, requires: on what data a kernel is called.
#include "annotations/clauses.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "annotations/nearest_word.h"

namespace hone::annotations {
namespace {

struct DistributionRule {
  std::string_view name;
  Distribution distribution;
  std::vector<std::size_t> counts;  // of arguments that are allowed
  std::string_view usage;
};

const std::vector<DistributionRule>& distribution_rules() {
  static const std::vector<DistributionRule> rules = {
      {"uniform", Distribution::uniform, {0, 2}, "uniform(low, high)"},
      {"normal", Distribution::normal, {0, 2}, "normal(mean, deviation)"},
      {"index", Distribution::index, {1, 2}, "index(low, high), high excluded"},
      {"sorted", Distribution::sorted, {0, 2}, "sorted or sorted(low, high)"},
      {"permutation", Distribution::permutation, {0}, "permutation"},
      {"constant", Distribution::constant, {1}, "constant(value)"},
      {"zeros", Distribution::zeros, {0}, "zeros"},
  };
  return rules;
}

constexpr std::array<std::string_view, 8> kDistributions = {"uniform",     "normal",   "index", "sorted",
                                                            "permutation", "constant", "zeros", "file"};

bool read_value(Cursor& in, Problem& problem) {
  auto value = in.value_of_path("expected a scalar parameter and its value, as in n=1024");
  if (!value) return false;
  if (value->name.text != "weight") return add_assignment(in, std::move(*value), problem.values);
  if (problem.weight) return in.repeated(value->name.location, "weight", problem.weight->location);
  problem.weight = std::move(value->value);
  return true;
}

// normal is normal(0, 1), index(n) is index(0, n): one meaning, one spelling.
void write_defaults_out(Init& init, Location location) {
  if (init.distribution == Distribution::normal && init.arguments.empty())
    init.arguments = {{"0", location}, {"1", location}};
  if (init.distribution == Distribution::index && init.arguments.size() == 1)
    init.arguments.insert(init.arguments.begin(), {"0", location});
}

bool contains_count(const std::vector<std::size_t>& counts, std::size_t count) {
  return std::find(counts.begin(), counts.end(), count) != counts.end();
}

bool read_file(Cursor& in, Init& init) {
  if (!in.expect("(", "expected a path, as in file(\"x.npy\")")) return false;
  auto path = in.quoted("expected a path as a string, as in file(\"x.npy\")");
  if (!path) return false;
  init.path = std::move(*path);
  return in.expect(")", "expected ')': a file is one path");
}

bool read_distribution(Cursor& in, const Name& word, Init& init) {
  const auto& all = distribution_rules();
  const auto rule = std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.name == word.text; });
  if (rule == all.end())
    return in.fail(DiagnosticCode::unknown_word, word.location, "unknown distribution '" + word.text + "'",
                   suggestion(word.text, kDistributions));
  init.distribution = rule->distribution;
  if (in.take("(")) {
    if (!in.at(")") && !read_arguments(in, init.arguments)) return false;
    if (!in.expect(")", "expected ',' or ')'")) return false;
  }
  if (!contains_count(rule->counts, init.arguments.size()))
    return in.fail(DiagnosticCode::argument_count, word.location, word.text + " with " + counted(init.arguments.size()),
                   "expected " + std::string(rule->usage));
  write_defaults_out(init, word.location);
  return true;
}

bool read_one(Cursor& in, Directive& out) {
  const auto name = in.path("expected a parameter's name, as in x: uniform(-1, 1)");
  if (!name) return false;
  for (const Init& other : out.inits)
    if (other.name.text == name->text)
      return in.repeated(name->location, "init of '" + name->text + "'", other.name.location);
  if (!in.expect(":", "expected ':' and a distribution for '" + name->text + "'")) return false;
  const auto word = in.identifier("expected a distribution, as in uniform(-1, 1)");
  if (!word) return false;
  Init init{*name, Distribution::file, {}, {}};
  if (!(word->text == "file" ? read_file(in, init) : read_distribution(in, *word, init))) return false;
  out.inits.push_back(std::move(init));
  return true;
}

}  // namespace

// problem(n=1<<20, k=64, weight=2)
bool read_problem(Cursor& in, const Name& word, Directive& out) {
  Problem problem{word.location, {}, {}};
  const bool read = in.list("problem", "problem(n=1024)", [&] { return read_value(in, problem); });
  if (!read) return false;
  if (problem.values.empty())
    return in.fail(DiagnosticCode::problem_without_values, word.location, "a problem without values",
                   "expected the value of a parameter beside weight, as in problem(n=1024, weight=2)");
  out.problems.push_back(std::move(problem));
  return true;
}

// init(x: uniform(-1,1), y: zeros)
bool read_init(Cursor& in, const Name&, Directive& out) {
  return in.list("init", "init(x: uniform(-1, 1))", [&] { return read_one(in, out); });
}

// fixed(alpha, beta)
bool read_fixed(Cursor& in, const Name&, Directive& out) {
  return in.list("fixed", "fixed(alpha)", [&] {
    auto name = in.path("expected a scalar parameter's name, as in fixed(alpha)");
    if (!name) return false;
    for (const Name& other : out.fixed)
      if (other.text == name->text) return in.repeated(name->location, "fixed of '" + name->text + "'", other.location);
    out.fixed.push_back(std::move(*name));
    return true;
  });
}

// requires(lda >= n, first <= last)
bool read_requires(Cursor& in, const Name&, Directive& out) {
  return in.list("requires", "requires(lda >= n)", [&] {
    auto condition = in.expression("expected a condition, as in requires(lda >= n)");
    return condition && (out.conditions.push_back(std::move(*condition)), true);
  });
}

bool is_distribution(std::string_view word) {
  return std::find(kDistributions.begin(), kDistributions.end(), word) != kDistributions.end();
}

}  // namespace hone::annotations
