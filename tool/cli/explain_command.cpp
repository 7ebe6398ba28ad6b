#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "annotations/nearest_word.h"
#include "tool/cli/command/command.h"
#include "tool/diagnostics/explanation.h"

namespace hone::cli {
namespace {

using Ordered = nlohmann::ordered_json;

Ordered row_of(const Explanation& one, std::string_view group) {
  return {{"code", one.name},       {"group", group},     {"title", one.title},
          {"meaning", one.meaning}, {"wrong", one.wrong}, {"right", one.right}};
}

std::string all_as_json() {
  Ordered codes = Ordered::array();
  for (const ExplanationGroup& group : explanation_groups())
    for (const Explanation& one : group.rows) codes.push_back(row_of(one, group.title));
  return Ordered{{"codes", codes}}.dump(2) + "\n";
}

// The completions of shells read the codes out of this.
std::string list_of_codes() {
  std::size_t width = 0;
  for (const ExplanationGroup& group : explanation_groups())
    for (const Explanation& one : group.rows) width = std::max(width, one.name.size());
  std::string text;
  for (const ExplanationGroup& group : explanation_groups()) {
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", group.title);
    for (const Explanation& one : group.rows)
      text += fmt::format("  {:<{}}  {}\n", one.name, width, as_plain_text(one.title));
  }
  return text + "\nhone explain CODE says more of one.\n";
}

int unknown_code(const std::string& code) {
  std::vector<std::string_view> names;
  for (const ExplanationGroup& group : explanation_groups())
    for (const Explanation& one : group.rows) names.push_back(one.name);
  std::string_view name = code;
  if (name.starts_with("hone-")) name.remove_prefix(5);
  const std::string_view nearest = annotations::nearest(name, names);
  return complain(fmt::format("there is no diagnostic '{}'; {}", code,
                              nearest.empty() ? "hone explain lists all" : fmt::format("did you mean '{}'?", nearest)),
                  no);
}

}  // namespace

int explain_command(int argc, char** argv) {
  CLI::App app{
      "What a diagnostic means, why Hone refuses, and what to do: of the code that stands behind each message\n"
      "in brackets, as in [hone-extent-missing].",
      "hone explain"};
  std::string code;
  bool as_json = false, page = false;
  app.add_option("CODE", code, "The code, with or without hone- in front; without one all are listed");
  app.add_flag("--json", as_json, "Print JSON");
  app.add_flag("--page", page, "Print all as Markdown: docs/diagnostics.md")->excludes("--json");
  app.footer("Exit codes: 0 explained; 1 there is no such code; 2 usage.");
  if (const auto exit = parse(app, argc, argv)) return *exit;

  if (page) return fmt::print("{}", explanations_page()), done;
  if (code.empty()) return fmt::print("{}", as_json ? all_as_json() : list_of_codes()), done;
  const Explanation* one = explanation(code_called(code));
  if (!one) return unknown_code(code);
  const auto group = std::ranges::find_if(explanation_groups(), [&](const ExplanationGroup& group) {
    return std::ranges::any_of(group.rows, [&](const Explanation& row) { return row.code == one->code; });
  });
  fmt::print("{}", as_json ? row_of(*one, group->title).dump(2) + "\n" : explained(*one));
  return done;
}

}  // namespace hone::cli
