#include "annotations/parser.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "annotations/clauses.h"
#include "annotations/cursor.h"
#include "annotations/nearest_word.h"
#include "annotations/tokens.h"

namespace hone::annotations {
namespace {

struct Clause {
  std::string_view name;
  ClauseReader read;
};

constexpr std::array<Clause, 16> kClauses = {{{"in", read_sections},
                                              {"out", read_sections},
                                              {"inout", read_sections},
                                              {"problem", read_problem},
                                              {"init", read_init},
                                              {"tolerance", read_tolerance},
                                              {"exact", read_exact},
                                              {"launch", read_launch},
                                              {"instantiate", read_instantiate},
                                              {"alias", read_alias},
                                              {"threads", read_threads},
                                              {"stream", read_stream},
                                              {"workload", read_workload},
                                              {"fixed", read_fixed},
                                              {"requires", read_requires},
                                              {"name", read_name}}};

bool read_directive_word(Cursor& in, Directive& out) {
  constexpr std::array<std::string_view, 1> kDirectives = {"kernel"};
  if (in.at_end())
    return in.fail(DiagnosticCode::unknown_directive, in.now().location, "#pragma hone says nothing",
                   "expected kernel");
  const auto word = in.identifier("expected kernel");
  if (!word) return false;
  out.location = word->location;
  return word->text == "kernel" ||
         in.fail(DiagnosticCode::unknown_directive, word->location, "unknown directive '" + word->text + "'",
                 suggestion(word->text, kDirectives));
}

bool fail_at_unknown(Cursor& in, const Name& word) {
  std::array<std::string_view, kClauses.size()> names;
  std::transform(kClauses.begin(), kClauses.end(), names.begin(), [](const Clause& c) { return c.name; });
  std::string hint = suggestion(word.text, names);
  if (is_tolerance(word.text)) hint = "did you mean 'tolerance(" + word.text + "=…)'?";
  if (is_launch_part(word.text)) hint = "did you mean 'launch(" + word.text + "(…))'?";
  if (is_distribution(word.text)) hint = "did you mean 'init(x: " + word.text + "…)'?";
  return in.fail(DiagnosticCode::unknown_clause, word.location, "unknown clause '" + word.text + "'", hint);
}

// False at the end and on an error.
bool read_clause(Cursor& in, Directive& out) {
  const bool comma = in.take(",");
  if (in.at_end()) return comma && in.unexpected("expected a clause behind ','");
  const auto word = in.identifier("expected a clause");
  if (!word) return false;
  const auto clause =
      std::find_if(kClauses.begin(), kClauses.end(), [&](const Clause& c) { return c.name == word->text; });
  return clause == kClauses.end() ? fail_at_unknown(in, *word) : clause->read(in, *word, out);
}

}  // namespace

std::variant<Directive, ParseError> parse(std::string_view text, Location origin) {
  const auto tokens = tokenize(text, origin);
  if (const auto* error = std::get_if<ParseError>(&tokens)) return *error;

  Cursor in(std::get<Tokens>(tokens).list);
  Directive directive;
  if (!in.error() && read_directive_word(in, directive))
    while (read_clause(in, directive)) {
    }
  if (in.error()) return *in.error();
  // It is read again where it was written down in its canonical form, which is a few times as long at most.
  if (text.size() > kMaxDirectiveBytes / 8 && canonical(directive).size() > kMaxDirectiveBytes)
    return ParseError{DiagnosticCode::directive_too_large, directive.location,
                      "the directive is longer than 64 KiB with its defaults written out", "expected a shorter one"};
  return directive;
}

}  // namespace hone::annotations
