#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/cli/command/command.h"
#include "tool/cli/list/list_binary.h"
#include "tool/cli/list/listed_kernels.h"
#include "tool/cli/list/listed_now.h"
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

// What is linked now, where the next build changes it or nobody knows: each reason once.
void print_now(const std::vector<report::ListedKernel>& kernels) {
  std::map<std::string, std::vector<std::string>> unknown;
  for (const report::ListedKernel& kernel : kernels) {
    if (!kernel.next.empty())
      say("{}:{}: '{}' is linked as {}{}; the next build links {}\n", kernel.file, kernel.line, kernel.name,
          kernel.now.linked == "variant" ? "a variant" : "the original",
          kernel.now.why.empty() ? "" : " (" + kernel.now.why + ")", kernel.next);
    for (const report::LinkedNow& other : kernel.also)
      if (other.variants != kernel.now.variants)
        say("{}:{}: in {} '{}' is {}{}\n", kernel.file, kernel.line, other.object, kernel.name,
            other.linked == "variant" ? "a variant" : "the original", other.why.empty() ? "" : " (" + other.why + ")");
    if (kernel.now.linked.empty()) unknown[kernel.now.why].push_back("'" + kernel.name + "'");
  }
  for (const auto& [why, names] : unknown)
    say("what is linked now is not known of {}{}: {}\n",
        names.size() > 3 ? fmt::format("{} kernels, such as ", names.size()) : "",
        fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(names.size(), 3)),
                  ", "),
        why);
}

void print(const std::vector<report::ListedKernel>& kernels) {
  std::vector<std::vector<std::string>> rows{
      {"kernel", "state", "linked now", "next build", "speedup", "key", "place"}};
  const bool ways = is_in_several_ways(kernels);
  if (ways) rows.front().push_back("compiled with");
  for (const report::ListedKernel& kernel : kernels) {
    const bool figure = kernel.speedup && kernel.linked;
    rows.push_back({kernel.name, state_in_words(kernel), kernel.now.linked.empty() ? "?" : kernel.now.linked,
                    kernel.linked ? "variant" : "original", figure ? report::interval(*kernel.speedup) : "-",
                    kernel.key.substr(0, 12), fmt::format("{}:{}", kernel.file, kernel.line)});
    if (ways) rows.back().push_back(kernel.compiled_with + ", " + kernel.language);
  }
  say("{}", report::table(rows, {}));
  print_now(kernels);
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
  CLI::App app{
      "The annotated kernels of a project: where they are, what is linked for each now, and by the next build.",
      "hone list"};
  ProjectOptions project;
  std::vector<std::string> names, binaries;
  bool json = false, explain = false;
  project.add_to(app);
  app.add_option("KERNEL", names, "Only these");
  app.add_flag("--explain", explain, "What went into each request key");
  app.add_option("--binary", binaries,
                 "Ask this program, library or object which kernels are compiled in; no project is needed")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->take_all();
  app.add_flag("--json", json, "Print JSON");
  if (const auto exit = parse(app, argc, argv)) return *exit;
  if (!binaries.empty()) return list_binaries(binaries, names, json);

  int code = done;
  const auto always = [](const project::ProjectUnit&, const KernelSpec&) { return true; };
  const auto selection = select(project, names, code, always, Elsewhere::told);
  if (!selection) {
    if (json && code == no) fmt::print("{}", report::list_json({}));
    return code;
  }
  Result<void> trouble;
  std::vector<report::ListedKernel> kernels;
  LockFiles locks;
  BuiltObjects objects;
  ThisMachine machine;
  for (const project::ProjectKernel& kernel : selection->kernels) {
    kernels.push_back(listed(kernel, explain, locks, trouble));
    objects.add_now(kernel, selection->project, kernels.back());
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
