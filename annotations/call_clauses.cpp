// launch, instantiate, threads, stream, workload, name: what is called and how.
#include "annotations/clauses.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "annotations/nearest_word.h"

namespace hone::annotations {
namespace {

constexpr std::array<std::string_view, 3> kLaunchParts = {"grid", "block", "shared"};

bool read_part(Cursor& in, Launch& launch) {
  const auto word = in.identifier("expected grid(…), block(…) or shared(…)");
  if (!word) return false;
  if (!is_launch_part(word->text))
    return in.fail(DiagnosticCode::unknown_word, word->location, "unknown launch part '" + word->text + "'",
                   suggestion(word->text, kLaunchParts));
  const bool again = word->text == "grid"    ? !launch.grid.empty()
                     : word->text == "block" ? !launch.block.empty()
                                             : launch.shared.has_value();
  if (again) return in.fail(DiagnosticCode::repeated_clause, word->location, "second " + word->text, "expected one");
  std::vector<Expression> values;
  if (!in.expect("(", "expected '(' after '" + word->text + "'") || !read_arguments(in, values)) return false;
  const std::size_t most = word->text == "shared" ? 1 : 3;
  if (values.size() > most)
    return in.fail(DiagnosticCode::argument_count, values[most].location,
                   word->text + " with " + counted(values.size()),
                   most == 1 ? "expected a number of bytes" : "expected one to three dimensions");
  if (!in.expect(")", "expected ',' or ')'")) return false;
  if (word->text == "shared")
    launch.shared = std::move(values.front());
  else
    (word->text == "grid" ? launch.grid : launch.block) = std::move(values);
  return true;
}

template <class Value, class Read>
bool read_once(Cursor& in, const Name& word, std::optional<Value>& slot, const std::string& example, Read read) {
  if (slot) return in.repeated(word.location, "'" + word.text + "' clause", slot->location);
  if (!in.expect("(", "expected '(' after '" + word.text + "', as in " + example)) return false;
  if (in.at(")"))
    return in.fail(DiagnosticCode::empty_clause, in.now().location, "empty '" + word.text + "' clause",
                   "expected " + example);
  slot = read();
  return slot && in.expect(")", "expected ')': " + word.text + " takes one");
}

}  // namespace

// launch(grid(gx, gy), block(256), shared(bytes))
bool read_launch(Cursor& in, const Name& word, Directive& out) {
  if (out.launch) return in.repeated(word.location, "'launch' clause", out.launch->location);
  Launch launch{word.location, {}, {}, {}};
  const std::string example = "launch(grid((n + 255) / 256), block(256))";
  if (!in.list("launch", example, [&] { return read_part(in, launch); })) return false;
  if (launch.grid.empty() || launch.block.empty())
    return in.fail(DiagnosticCode::launch_incomplete, word.location,
                   std::string("launch without ") + (launch.grid.empty() ? "grid" : "block"), "expected " + example);
  out.launch = std::move(launch);
  return true;
}

// instantiate(T=float, N=4)
bool read_instantiate(Cursor& in, const Name& word, Directive& out) {
  Instantiate instance{word.location, {}};
  const bool read = in.list("instantiate", "instantiate(T=float)", [&] {
    auto argument = in.assignment("expected a template parameter and its argument, as in T=float");
    return argument && add_assignment(in, std::move(*argument), instance.arguments);
  });
  if (read) out.instantiations.push_back(std::move(instance));
  return read;
}

bool read_threads(Cursor& in, const Name& word, Directive& out) {
  return read_once(in, word, out.threads, "threads(4)", [&] { return in.expression("expected a number of threads"); });
}

bool read_stream(Cursor& in, const Name& word, Directive& out) {
  return read_once(in, word, out.stream, "stream(s)", [&] { return in.identifier("expected a parameter's name"); });
}

bool read_workload(Cursor& in, const Name& word, Directive& out) {
  return read_once(in, word, out.workload, "workload(make_case)",
                   [&] { return in.qualified("expected a function's name"); });
}

bool read_name(Cursor& in, const Name& word, Directive& out) {
  return read_once(in, word, out.name, "name(blur-3x3)", [&] { return in.label(); });
}

bool is_launch_part(std::string_view word) {
  return std::find(kLaunchParts.begin(), kLaunchParts.end(), word) != kLaunchParts.end();
}

}  // namespace hone::annotations
