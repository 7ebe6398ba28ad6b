#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "tool/cli/command.h"
#include "tool/cli/listed_kernels.h"
#include "tool/report/json.h"
#include "tool/report/text.h"

namespace hone::cli {
namespace {

std::string state_in_words(const report::ListedKernel& kernel) {
  if (kernel.state == "untuned" && !kernel.elsewhere.empty()) return "tuned elsewhere";
  if (kernel.state != "tuned") return kernel.state;
  return std::string("tuned") + (kernel.unconfirmed ? ", unconfirmed" : "") + (kernel.unfinished ? ", unfinished" : "");
}

// Is a kernel compiled in several ways, as in a build of several configurations?
bool is_in_several_ways(const std::vector<report::ListedKernel>& kernels) {
  std::set<std::tuple<std::string, std::string, unsigned>> places;
  return std::ranges::any_of(kernels, [&](const report::ListedKernel& kernel) {
    return !places.emplace(kernel.name, kernel.file, kernel.line).second;
  });
}

void explain(const report::ListedKernel& kernel) {
  if (!kernel.changes.empty()) say("\nsince {} was tuned (its target fits: {}):\n", kernel.name, kernel.fit);
  for (const report::ListedChange& change : kernel.changes) say("  {}\n", change.text);
  say("\nkey {} of {}:\n{}", kernel.key, kernel.name, kernel.explanation);
}

void print(const std::vector<report::ListedKernel>& kernels) {
  std::vector<std::vector<std::string>> rows{{"kernel", "state", "linked", "speedup", "key", "place"}};
  const bool ways = is_in_several_ways(kernels);
  if (ways) rows.front().push_back("compiled with");
  for (const report::ListedKernel& kernel : kernels) {
    const bool figure = kernel.speedup && kernel.linked;
    rows.push_back({kernel.name, state_in_words(kernel), kernel.linked ? "variant" : "original",
                    figure ? report::interval(*kernel.speedup) : "-", kernel.key.substr(0, 12),
                    fmt::format("{}:{}", kernel.file, kernel.line)});
    if (ways) rows.back().push_back(kernel.compiled_with);
  }
  say("{}", report::table(rows, {}));
  for (const report::ListedKernel& kernel : kernels)
    if (!kernel.trouble.empty())
      say("{}:{}: the original of '{}' is linked: {}; build hone-tune, or restore hone.lock and hone/\n", kernel.file,
          kernel.line, kernel.name, kernel.trouble);
  for (const report::ListedKernel& kernel : kernels)
    if (!kernel.held_back.empty())
      say("{}:{}: the original of '{}' is linked{}: it {}\n", kernel.file, kernel.line, kernel.name,
          kernel.linked ? " for one family of devices" : "", kernel.held_back);
  for (const report::ListedKernel& kernel : kernels)
    if (!kernel.stale.empty())
      say("{}:{}: '{}' is stale: {}; build hone-tune, which verifies the earlier variant first\n", kernel.file,
          kernel.line, kernel.name, kernel.stale);
  for (const report::ListedKernel& kernel : kernels)
    if (kernel.unconfirmed)
      say("{}:{}: '{}' is locked as the search measured it; build hone-tune, which measures it afresh\n", kernel.file,
          kernel.line, kernel.name);
  for (const report::ListedKernel& kernel : kernels)
    if (kernel.unfinished)
      say("{}:{}: the search for '{}' ended early; build hone-tune, which goes on\n", kernel.file, kernel.line,
          kernel.name);
  for (const report::ListedKernel& kernel : kernels)
    for (const std::string& with : kernel.other_evidence)
      say("{}:{}: '{}' was measured {}; hone verify --renew measures it here\n", kernel.file, kernel.line, kernel.name,
          with);
  for (const report::ListedKernel& kernel : kernels)
    if (!kernel.explanation.empty()) explain(kernel);
}

}  // namespace

int list_command(int argc, char** argv) {
  CLI::App app{"The annotated kernels of a project: where they are, and what the next compile links for each.",
               "hone list"};
  ProjectOptions project;
  std::vector<std::string> names;
  bool json = false, explain = false;
  project.add_to(app);
  app.add_option("KERNEL", names, "Only these");
  app.add_flag("--explain", explain, "What went into each request key");
  app.add_flag("--json", json, "Print JSON");
  if (const auto exit = parse(app, argc, argv)) return *exit;

  int code = done;
  const auto always = [](const project::ProjectUnit&, const KernelSpec&) { return true; };
  const auto selection = select(project, names, code, always);
  if (!selection) {
    if (json && code == no) fmt::print("{}", report::list_json({}));
    return code;
  }
  Result<void> trouble;
  std::vector<report::ListedKernel> kernels;
  LockFiles locks;
  ThisMachine machine;
  for (const project::ProjectKernel& kernel : selection->kernels) {
    kernels.push_back(listed(kernel, explain, locks, trouble));
    if (const auto& lock = locks.at(kernel.unit.settings.lock))
      kernels.back().other_evidence = measured_otherwise(kernel, *lock, machine);
  }
  if (json) {
    fmt::print("{}", report::list_json(kernels));
  } else {
    print(kernels);
  }
  if (!trouble) return complain(trouble.error(), environment);
  return selection->flawed ? no : done;
}

}  // namespace hone::cli
