#include "tests/mutation/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tool/os/files/files.h"

namespace hone::mutation {
namespace {

using Json = nlohmann::json;

struct Count {
  unsigned judged = 0, refused = 0, equivalent = 0;
  double seconds = 0;
  unsigned wrong() const { return judged - equivalent; }
  std::string percent() const { return wrong() == 0 ? "–" : fmt::format("{:.1f} %", 100.0 * refused / wrong()); }
};

using Counts = std::map<std::string, Count>;

void print(std::string& out, const char* what, const Counts& counts) {
  Count all;
  out += fmt::format("\n| {} | wrong | refused | share | equivalent |\n|---|---:|---:|---:|---:|\n", what);
  for (const auto& [name, count] : counts) {
    out += fmt::format("| {} | {} | {} | {} | {} |\n", name, count.wrong(), count.refused, count.percent(),
                       count.equivalent);
    all.judged += count.judged;
    all.refused += count.refused;
    all.equivalent += count.equivalent;
    all.seconds += count.seconds;
  }
  out += fmt::format("| **all** | {} | {} | {} | {} |\n", all.wrong(), all.refused, all.percent(), all.equivalent);
  out += fmt::format("\n{:.2f} s a mutant\n", all.seconds / std::max(1u, all.judged));
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text.size() > 70 ? text.substr(0, 70) + "…" : text;
}

}  // namespace

Line line_of(const Deck& deck, const Card& card, const Ending& ending) {
  return {.kernel = deck.kernel,
          .id = card.id,
          .of = card.of,
          .kind = card.mutant.kind,
          .before = card.mutant.before,
          .after = card.mutant.after,
          .outcome = ending.outcome,
          .stage = to_string(ending.verdict.stage),
          .reason = ending.verdict.reason,
          .line = card.mutant.line,
          .seconds = ending.seconds};
}

std::string serialize(const Line& line) {
  return Json{{"kernel", line.kernel}, {"id", line.id},         {"of", line.of},          {"kind", line.kind},
              {"line", line.line},     {"before", line.before}, {"after", line.after},    {"outcome", line.outcome},
              {"stage", line.stage},   {"reason", line.reason}, {"seconds", line.seconds}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<Line> read_results(const std::filesystem::path& file) {
  std::vector<Line> lines;
  std::map<std::string, std::size_t> places;  // what was judged once more counts as it ended last
  std::istringstream text(os::read_file(file).value_or(""));
  for (std::string one; std::getline(text, one);) {
    const Json json = Json::parse(one, nullptr, false);
    if (json.is_discarded()) continue;
    Line line{json.at("kernel"), json.at("id"),    json.at("of"),      json.at("kind"),
              json.at("before"), json.at("after"), json.at("outcome"), json.at("stage"),
              json.at("reason"), json.at("line"),  json.at("seconds")};
    const auto [place, fresh] = places.emplace(line.id, lines.size());
    if (fresh)
      lines.push_back(std::move(line));
    else
      lines[place->second] = std::move(line);
  }
  return lines;
}

std::map<std::string, std::string> read_equivalent(const std::filesystem::path& file) {
  std::map<std::string, std::string> reasons;
  for (const Json& one : Json::parse(os::read_file(file).value_or("[]"))) reasons[one.at("id")] = one.at("why");
  return reasons;
}

std::string summary(const std::vector<Line>& lines, const std::map<std::string, std::string>& equivalent,
                    const std::vector<std::string>& apart) {
  const std::set<std::string> aside(apart.begin(), apart.end());
  Counts by_kind, by_kernel, by_kernel_apart, outcomes;
  std::string survivors, errors;
  for (const Line& line : lines) {
    ++outcomes[line.outcome].judged;
    if (line.outcome == "error") errors += fmt::format("- {} {}: {}\n", line.kernel, line.id, line.reason);
    if (line.outcome != "refused" && line.outcome != "accepted") continue;
    const bool same = line.outcome == "accepted" && equivalent.contains(line.id);
    Counts& kernels = aside.contains(line.kernel) ? by_kernel_apart : by_kernel;
    for (Count* count : {&by_kind[line.kind], &kernels[line.kernel]}) {
      ++count->judged;
      count->refused += line.outcome == "refused";
      count->equivalent += same;
      count->seconds += line.seconds;
    }
    if (line.outcome == "accepted" && !same)
      survivors += fmt::format("- {} ({}), {} line {}, {}: `{}` → `{}`\n", line.kernel, line.of, line.id, line.line,
                               line.kind, one_line(line.before), one_line(line.after));
  }
  std::string out;
  for (const auto& [name, count] : outcomes) out += fmt::format("{} {}, ", count.judged, name);
  out += "\n";
  print(out, "kind", by_kind);
  print(out, "kernel", by_kernel);
  if (!by_kernel_apart.empty()) print(out, "kernel kept aside", by_kernel_apart);
  out += "\nSurvivors:\n" + survivors;
  if (!errors.empty()) out += "\nNot judged:\n" + errors;
  return out;
}

}  // namespace hone::mutation
