// tolerance, exact: how close a result must be.
#include "annotations/clauses.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "annotations/nearest_word.h"

namespace hone::annotations {
namespace {

constexpr std::array<std::string_view, 4> kTolerances = {"rtol", "atol", "ulp", "exact"};

// How many tokens ahead a path that begins so many ahead ends.
std::size_t behind_path(const Cursor& in, std::size_t at) {
  for (++at; in.ahead(at).is(".") || in.ahead(at).is("->") || in.ahead(at).is("::");) at += 2;
  return at;
}

// Are there names in front: paths with ',' between them up to a ':'? (`exact` alone is none; an output may be
// called like that.) Where the ':' was forgotten, what is no tolerance's word was meant as a name.
bool names_ahead(const Cursor& in) {
  if (!in.at("(") || in.ahead(1).kind != Token::Kind::identifier) return false;
  std::size_t behind = behind_path(in, 1);
  while (in.ahead(behind).is(",") && in.ahead(behind + 1).kind == Token::Kind::identifier)
    behind = behind_path(in, behind + 1);
  return in.ahead(behind).is(":") || (in.ahead(2).is(",") && !is_tolerance(in.ahead(1).text));
}

bool read_limit(Cursor& in, Tolerance& tolerance) {
  const auto word = in.identifier("expected rtol=, atol=, ulp= or exact");
  if (!word) return false;
  if (!is_tolerance(word->text))
    return in.fail(DiagnosticCode::unknown_word, word->location, "unknown tolerance '" + word->text + "'",
                   suggestion(word->text, kTolerances));
  const bool relative = word->text == "rtol" || word->text == "atol";
  const bool others = tolerance.exact || tolerance.ulp || (!relative && (tolerance.rtol || tolerance.atol));
  auto& slot = word->text == "rtol" ? tolerance.rtol : word->text == "atol" ? tolerance.atol : tolerance.ulp;
  if (word->text != "exact" && slot) return in.repeated(word->location, word->text, slot->location);
  if (others)
    return in.fail(DiagnosticCode::tolerance_conflict, word->location, "'" + word->text + "' beside another tolerance",
                   "expected rtol= and atol=, or ulp=, or exact");
  if (word->text == "exact") return tolerance.exact = true;
  if (!in.expect("=", "expected '=' and a value for " + word->text)) return false;
  slot = in.expression("expected a value for " + word->text);
  return slot.has_value();
}

bool add(Cursor& in, Tolerance tolerance, Directive& out) {
  for (const Tolerance& other : out.tolerances) {
    if (tolerance.names.empty() && other.names.empty())
      return in.repeated(tolerance.location, "tolerance for every output", other.location);
    for (const Name& name : tolerance.names)
      if (contains_name(other.names, name.text))
        return in.repeated(name.location, "tolerance for '" + name.text + "'", other.location);
  }
  out.tolerances.insert(tolerance.names.empty() ? out.tolerances.begin() : out.tolerances.end(), std::move(tolerance));
  return true;
}

}  // namespace

// tolerance(rtol=1e-5, atol=0), tolerance(y, z: ulp=4), tolerance(exact)
bool read_tolerance(Cursor& in, const Name& word, Directive& out) {
  Tolerance tolerance;
  tolerance.location = word.location;
  if (names_ahead(in)) {
    in.next();
    do {
      auto name = in.path("expected an output's name");
      if (!name) return false;
      if (contains_name(tolerance.names, name->text))
        return in.fail(DiagnosticCode::repeated_clause, name->location, "'" + name->text + "' twice",
                       "expected it once");
      tolerance.names.push_back(std::move(*name));
    } while (in.take(","));
    if (!in.expect(":", "expected ':' and a tolerance")) return false;
    do {
      if (!read_limit(in, tolerance)) return false;
    } while (in.take(","));
    if (!in.expect(")", "expected ',' or ')'")) return false;
  } else if (!in.list("tolerance", "tolerance(rtol=1e-5)", [&] { return read_limit(in, tolerance); })) {
    return false;
  }
  return add(in, std::move(tolerance), out);
}

bool read_exact(Cursor& in, const Name& word, Directive& out) {
  Tolerance tolerance;
  tolerance.location = word.location;
  tolerance.exact = true;
  if (in.at("(")) return in.unexpected("expected exact without arguments; for one output: tolerance(y: exact)");
  return add(in, std::move(tolerance), out);
}

bool is_tolerance(std::string_view word) {
  return std::find(kTolerances.begin(), kTolerances.end(), word) != kTolerances.end();
}

}  // namespace hone::annotations
