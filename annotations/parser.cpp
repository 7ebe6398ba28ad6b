#include "annotations/parser.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "annotations/cursor.h"
#include "annotations/spliced_text.h"
#include "annotations/suggestion.h"
#include "annotations/tokens.h"

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
constexpr std::array<std::string_view, 4> kTolerances = {"rtol", "atol", "ulp", "exact"};
constexpr std::array<std::string_view, 3> kLaunchParts = {"grid", "block", "shared"};

std::string counted(std::size_t arguments) {
  return std::to_string(arguments) + (arguments == 1 ? " argument" : " arguments");
}

template <class Range>
bool contains(const Range& range, std::string_view word) {
  return std::find(range.begin(), range.end(), word) != range.end();
}

class DirectiveParser {
 public:
  explicit DirectiveParser(const std::vector<Token>& tokens) : in_(tokens) {}

  std::variant<Directive, ParseError> run() {
    if (!in_.error() && directive_word())
      while (clause()) {
      }
    if (in_.error()) return *in_.error();
    return std::move(out_);
  }

 private:
  using Clause = bool (DirectiveParser::*)(const Name& word);
  struct Rule {
    std::string_view name;
    Clause parse;
  };
  static constexpr std::size_t kRules = 14;
  static const std::array<Rule, kRules>& rules();

  bool directive_word() {
    static constexpr std::array<std::string_view, 1> kDirectives = {"kernel"};
    if (in_.at_end()) return in_.fail(in_.now().location, "#pragma hone says nothing", "expected kernel");
    const auto word = in_.identifier("expected kernel");
    if (!word) return false;
    out_.location = word->location;
    return word->text == "kernel" ||
           in_.fail(word->location, "unknown directive '" + word->text + "'", suggestion(word->text, kDirectives));
  }

  // One clause; false at the end and on an error.
  bool clause() {
    const bool comma = in_.take(",");
    if (in_.at_end()) return comma && in_.unexpected("expected a clause behind ','");
    const auto word = in_.identifier("expected a clause");
    if (!word) return false;
    const auto rule = std::find_if(rules().begin(), rules().end(), [&](const Rule& r) { return r.name == word->text; });
    return rule == rules().end() ? unknown_clause(*word) : (this->*rule->parse)(*word);
  }

  bool unknown_clause(const Name& word) {
    std::string hint;
    if (contains(kTolerances, word.text)) hint = "did you mean 'tolerance(" + word.text + "=…)'?";
    if (contains(kLaunchParts, word.text)) hint = "did you mean 'launch(" + word.text + "(…))'?";
    if (contains(kDistributions, word.text)) hint = "did you mean 'init(x: " + word.text + "…)'?";
    std::array<std::string_view, kRules> names;
    std::transform(rules().begin(), rules().end(), names.begin(), [](const Rule& r) { return r.name; });
    return in_.fail(word.location, "unknown clause '" + word.text + "'",
                    hint.empty() ? suggestion(word.text, names) : hint);
  }

  bool repeated(Location here, const std::string& what, Location first) {
    return in_.fail(here, "second " + what, "expected one; the first is at " + describe(first));
  }

  // in(x[0:n], A[0:m][0:k], y[n])
  bool sections(const Name& word) {
    const Role role = word.text == "in" ? Role::in : word.text == "out" ? Role::out : Role::inout;
    return in_.list(word.text, word.text + "(x[0:n])", [&] { return section(role); });
  }

  bool section(Role role) {
    const auto name = in_.identifier("expected a parameter's name, as in x[0:n]");
    if (!name) return false;
    for (const Section& other : out_.sections)
      if (other.name.text == name->text)
        return repeated(name->location, "section of '" + name->text + "'", other.name.location);
    if (!in_.at("["))
      return in_.unexpected("expected the extent of '" + name->text + "', as in " + name->text + "[0:n]");
    Section section{role, *name, {}};
    while (in_.take("[")) {
      auto dimension = this->dimension();
      if (!dimension) return false;
      section.dimensions.push_back(std::move(*dimension));
    }
    out_.sections.push_back(std::move(section));
    return true;
  }

  std::optional<Dimension> dimension() {
    Dimension dimension;
    if (!in_.at(":")) {
      auto first = in_.expression("expected start:length, or a length");
      if (!first) return std::nullopt;
      if (in_.at("]"))
        dimension.length = std::move(*first);
      else
        dimension.start = std::move(*first);
    }
    if (dimension.length.text.empty()) {
      if (!in_.expect(":", "expected ':' and a length, or ']'")) return std::nullopt;
      auto length = in_.expression("expected a length");
      if (!length) return std::nullopt;
      dimension.length = std::move(*length);
    }
    if (!in_.expect("]", "expected ']': an extent is start:length or a length")) return std::nullopt;
    return dimension;
  }

  // problem(n=1<<20, k=64, weight=2)
  bool problem(const Name& word) {
    Problem problem{word.location, {}, {}};
    const bool read = in_.list("problem", "problem(n=1024)", [&] { return problem_value(problem); });
    if (!read) return false;
    if (problem.values.empty())
      return in_.fail(word.location, "a problem without values",
                      "expected the value of a parameter beside weight, as in problem(n=1024, weight=2)");
    out_.problems.push_back(std::move(problem));
    return true;
  }

  bool problem_value(Problem& problem) {
    auto value = in_.assignment("expected a scalar parameter and its value, as in n=1024");
    if (!value) return false;
    if (value->name.text != "weight") return add(problem.values, std::move(*value));
    if (problem.weight) return repeated(value->name.location, "weight", problem.weight->location);
    problem.weight = std::move(value->value);
    return true;
  }

  bool add(std::vector<Assignment>& values, Assignment value) {
    for (const Assignment& other : values)
      if (other.name.text == value.name.text)
        return repeated(value.name.location, "value for '" + value.name.text + "'", other.name.location);
    values.push_back(std::move(value));
    return true;
  }

  // init(x: uniform(-1,1), y: zeros)
  bool init(const Name&) {
    return in_.list("init", "init(x: uniform(-1, 1))", [&] { return init_one(); });
  }

  bool init_one() {
    const auto name = in_.identifier("expected a parameter's name, as in x: uniform(-1, 1)");
    if (!name) return false;
    for (const Init& other : out_.inits)
      if (other.name.text == name->text)
        return repeated(name->location, "init of '" + name->text + "'", other.name.location);
    if (!in_.expect(":", "expected ':' and a distribution for '" + name->text + "'")) return false;
    const auto word = in_.identifier("expected a distribution, as in uniform(-1, 1)");
    if (!word) return false;
    Init init{*name, Distribution::file, {}, {}};
    if (!(word->text == "file" ? file(init) : distribution(*word, init))) return false;
    out_.inits.push_back(std::move(init));
    return true;
  }

  bool file(Init& init) {
    if (!in_.expect("(", "expected a path, as in file(\"x.npy\")")) return false;
    auto path = in_.quoted("expected a path as a string, as in file(\"x.npy\")");
    if (!path) return false;
    init.path = std::move(*path);
    return in_.expect(")", "expected ')': a file is one path");
  }

  bool distribution(const Name& word, Init& init) {
    const auto& all = distribution_rules();
    const auto rule = std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.name == word.text; });
    if (rule == all.end())
      return in_.fail(word.location, "unknown distribution '" + word.text + "'", suggestion(word.text, kDistributions));
    init.distribution = rule->distribution;
    if (in_.take("(")) {
      if (!in_.at(")") && !arguments(init.arguments)) return false;
      if (!in_.expect(")", "expected ',' or ')'")) return false;
    }
    if (!contains_count(rule->counts, init.arguments.size()))
      return in_.fail(word.location, word.text + " with " + counted(init.arguments.size()),
                      "expected " + std::string(rule->usage));
    write_defaults_out(init, word.location);
    return true;
  }

  // normal is normal(0, 1), index(n) is index(0, n): one meaning, one spelling.
  static void write_defaults_out(Init& init, Location location) {
    if (init.distribution == Distribution::normal && init.arguments.empty())
      init.arguments = {{"0", location}, {"1", location}};
    if (init.distribution == Distribution::index && init.arguments.size() == 1)
      init.arguments.insert(init.arguments.begin(), {"0", location});
  }

  static bool contains_count(const std::vector<std::size_t>& counts, std::size_t count) {
    return std::find(counts.begin(), counts.end(), count) != counts.end();
  }

  bool arguments(std::vector<Expression>& to) {
    do {
      auto argument = in_.expression("expected an expression");
      if (!argument) return false;
      to.push_back(std::move(*argument));
    } while (in_.take(","));
    return true;
  }

  // tolerance(rtol=1e-5, atol=0), tolerance(y, z: ulp=4), tolerance(exact)
  bool tolerance(const Name& word) {
    Tolerance tolerance;
    tolerance.location = word.location;
    if (tolerance_names_ahead()) {
      in_.next();
      do {
        auto name = in_.identifier("expected an output's name");
        if (!name) return false;
        if (contains_name(tolerance.names, name->text))
          return in_.fail(name->location, "'" + name->text + "' twice", "expected it once");
        tolerance.names.push_back(std::move(*name));
      } while (in_.take(","));
      if (!in_.expect(":", "expected ':' and a tolerance")) return false;
      do {
        if (!tolerance_part(tolerance)) return false;
      } while (in_.take(","));
      if (!in_.expect(")", "expected ',' or ')'")) return false;
    } else if (!in_.list("tolerance", "tolerance(rtol=1e-5)", [&] { return tolerance_part(tolerance); })) {
      return false;
    }
    return add(std::move(tolerance));
  }

  // Are there names in front: an identifier, then ',' or ':'? (`exact` alone is none.)
  bool tolerance_names_ahead() const {
    if (!in_.at("(") || in_.ahead(1).kind != Token::Kind::identifier) return false;
    if (in_.ahead(2).is(":")) return true;
    return in_.ahead(2).is(",") && !contains(kTolerances, in_.ahead(1).text);
  }

  static bool contains_name(const std::vector<Name>& names, std::string_view text) {
    return std::any_of(names.begin(), names.end(), [&](const Name& n) { return n.text == text; });
  }

  bool tolerance_part(Tolerance& tolerance) {
    const auto word = in_.identifier("expected rtol=, atol=, ulp= or exact");
    if (!word) return false;
    if (!contains(kTolerances, word->text))
      return in_.fail(word->location, "unknown tolerance '" + word->text + "'", suggestion(word->text, kTolerances));
    const bool relative = word->text == "rtol" || word->text == "atol";
    const bool others = tolerance.exact || tolerance.ulp || (!relative && (tolerance.rtol || tolerance.atol));
    auto& slot = word->text == "rtol" ? tolerance.rtol : word->text == "atol" ? tolerance.atol : tolerance.ulp;
    if (word->text != "exact" && slot) return repeated(word->location, word->text, slot->location);
    if (others)
      return in_.fail(word->location, "'" + word->text + "' beside another tolerance",
                      "expected rtol= and atol=, or ulp=, or exact");
    if (word->text == "exact") return tolerance.exact = true;
    if (!in_.expect("=", "expected '=' and a value for " + word->text)) return false;
    slot = in_.expression("expected a value for " + word->text);
    return slot.has_value();
  }

  bool add(Tolerance tolerance) {
    for (const Tolerance& other : out_.tolerances) {
      if (tolerance.names.empty() && other.names.empty())
        return repeated(tolerance.location, "tolerance for every output", other.location);
      for (const Name& name : tolerance.names)
        if (contains_name(other.names, name.text))
          return repeated(name.location, "tolerance for '" + name.text + "'", other.location);
    }
    out_.tolerances.push_back(std::move(tolerance));
    return true;
  }

  bool exact(const Name& word) {
    Tolerance tolerance;
    tolerance.location = word.location;
    tolerance.exact = true;
    if (in_.at("(")) return in_.unexpected("expected exact without arguments; for one output: tolerance(y: exact)");
    return add(std::move(tolerance));
  }

  // launch(grid(gx, gy), block(256), shared(bytes))
  bool launch(const Name& word) {
    if (out_.launch) return repeated(word.location, "'launch' clause", out_.launch->location);
    Launch launch{word.location, {}, {}, {}};
    const std::string example = "launch(grid((n + 255) / 256), block(256))";
    if (!in_.list("launch", example, [&] { return launch_part(launch); })) return false;
    if (launch.grid.empty() || launch.block.empty())
      return in_.fail(word.location, std::string("launch without ") + (launch.grid.empty() ? "grid" : "block"),
                      "expected " + example);
    out_.launch = std::move(launch);
    return true;
  }

  bool launch_part(Launch& launch) {
    const auto word = in_.identifier("expected grid(…), block(…) or shared(…)");
    if (!word) return false;
    if (!contains(kLaunchParts, word->text))
      return in_.fail(word->location, "unknown launch part '" + word->text + "'", suggestion(word->text, kLaunchParts));
    const bool again = word->text == "grid"    ? !launch.grid.empty()
                       : word->text == "block" ? !launch.block.empty()
                                               : launch.shared.has_value();
    if (again) return in_.fail(word->location, "second " + word->text, "expected one");
    std::vector<Expression> values;
    if (!in_.expect("(", "expected '(' after '" + word->text + "'") || !arguments(values)) return false;
    const std::size_t most = word->text == "shared" ? 1 : 3;
    if (values.size() > most)
      return in_.fail(values[most].location, word->text + " with " + counted(values.size()),
                      most == 1 ? "expected a number of bytes" : "expected one to three dimensions");
    if (!in_.expect(")", "expected ',' or ')'")) return false;
    if (word->text == "shared")
      launch.shared = std::move(values.front());
    else
      (word->text == "grid" ? launch.grid : launch.block) = std::move(values);
    return true;
  }

  // instantiate(T=float, N=4)
  bool instantiate(const Name& word) {
    Instantiate instance{word.location, {}};
    const bool read = in_.list("instantiate", "instantiate(T=float)", [&] {
      auto argument = in_.assignment("expected a template parameter and its argument, as in T=float");
      return argument && add(instance.arguments, std::move(*argument));
    });
    if (read) out_.instantiations.push_back(std::move(instance));
    return read;
  }

  // alias(x, y)
  bool alias(const Name& word) {
    Alias alias;
    const bool read = in_.list("alias", "alias(x, y)", [&] {
      auto name = in_.identifier("expected a parameter's name");
      return name && alias_free(alias, *name) && (alias.names.push_back(std::move(*name)), true);
    });
    if (!read) return false;
    if (alias.names.size() < 2)
      return in_.fail(word.location, "alias of one parameter",
                      "expected two or more that may overlap, as in alias(x, y)");
    out_.aliases.push_back(std::move(alias));
    return true;
  }

  bool alias_free(const Alias& alias, const Name& name) {
    if (contains_name(alias.names, name.text))
      return in_.fail(name.location, "'" + name.text + "' twice", "expected it once");
    for (const Alias& other : out_.aliases)
      if (contains_name(other.names, name.text))
        return in_.fail(name.location, "'" + name.text + "' is in an alias clause already",
                        "expected one clause with all that may overlap");
    return true;
  }

  bool threads(const Name& word) {
    return once(word, out_.threads, "threads(4)", [&] { return in_.expression("expected a number of threads"); });
  }
  bool stream(const Name& word) {
    return once(word, out_.stream, "stream(s)", [&] { return in_.identifier("expected a parameter's name"); });
  }
  bool workload(const Name& word) {
    return once(word, out_.workload, "workload(make_case)",
                [&] { return in_.qualified("expected a function's name"); });
  }
  bool name(const Name& word) {
    return once(word, out_.name, "name(blur-3x3)", [&] { return in_.label(); });
  }

  template <class Value, class Read>
  bool once(const Name& word, std::optional<Value>& slot, const std::string& example, Read read) {
    if (slot) return repeated(word.location, "'" + word.text + "' clause", slot->location);
    if (!in_.expect("(", "expected '(' after '" + word.text + "', as in " + example)) return false;
    if (in_.at(")")) return in_.fail(in_.now().location, "empty '" + word.text + "' clause", "expected " + example);
    slot = read();
    return slot && in_.expect(")", "expected ')': " + word.text + " takes one");
  }

  Cursor in_;
  Directive out_;
};

const std::array<DirectiveParser::Rule, DirectiveParser::kRules>& DirectiveParser::rules() {
  using P = DirectiveParser;
  static constexpr std::array<Rule, kRules> table = {{{"in", &P::sections},
                                                      {"out", &P::sections},
                                                      {"inout", &P::sections},
                                                      {"problem", &P::problem},
                                                      {"init", &P::init},
                                                      {"tolerance", &P::tolerance},
                                                      {"exact", &P::exact},
                                                      {"launch", &P::launch},
                                                      {"instantiate", &P::instantiate},
                                                      {"alias", &P::alias},
                                                      {"threads", &P::threads},
                                                      {"stream", &P::stream},
                                                      {"workload", &P::workload},
                                                      {"name", &P::name}}};
  return table;
}

}  // namespace

std::variant<Directive, ParseError> parse(std::string_view text, Location origin) {
  const auto spliced = splice(text, origin);
  if (const auto* error = std::get_if<ParseError>(&spliced)) return *error;
  const auto tokens = tokenize(std::get<SplicedText>(spliced));
  if (const auto* error = std::get_if<ParseError>(&tokens)) return *error;
  return DirectiveParser(std::get<std::vector<Token>>(tokens)).run();
}

}  // namespace hone::annotations
