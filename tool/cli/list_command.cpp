#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "tool/capture/captures.h"
#include "tool/cli/command.h"
#include "tool/frontend/parse/compiled_with.h"
#include "tool/frontend/unit/variant_launch.h"
#include "tool/lock/ledger.h"
#include "tool/lock/locked_variants.h"
#include "tool/lock/measured_entries.h"
#include "tool/lock/other_entries.h"
#include "tool/report/json.h"
#include "tool/report/text.h"

namespace hone::cli {
namespace {

// Lock files, each read once.
class LockFiles {
 public:
  const Result<cache::LockFile>& at(const std::filesystem::path& path) {
    const auto known = files_.find(path);
    return known != files_.end() ? known->second : files_.emplace(path, cache::LockFile::read(path)).first->second;
  }

 private:
  std::map<std::filesystem::path, Result<cache::LockFile>> files_;
};

// An entry that does not hold, an edited kernel, or one that is tuned for other compilers.
void say_why_untuned(const cache::LockFile& lock, const project::ProjectKernel& kernel, report::ListedKernel& entry) {
  const KernelSpec& spec = kernel.spec;
  const lock::OtherEntries others = lock::other_entries(lock, spec, kernel.unit);
  entry.trouble = lock::why_distrusted(lock, spec);
  if (lock.find(spec.key) || others.stale || others.unsaid) entry.state = "stale";
  entry.elsewhere = others.elsewhere;
  if (entry.trouble.empty() && (others.unsaid || !others.elsewhere.empty()))
    entry.trouble = "it " + lock::standing(others);
}

// What a search would use in place of clauses that are left out. It is no part of the key.
std::string captured_in_words(const KernelSpec& spec, const std::filesystem::path& lock) {
  const capture::CapturedKernel kernel = capture::read_captures(capture::folder_beside(lock), spec.mangled_name);
  std::string text;
  for (const capture::CapturedProblem& problem : kernel.problems)
    text += fmt::format("captured, not in the key: {}, {:.1f}% of the time, {} calls, {} inputs\n",
                        capture::label_of(problem), 100 * capture::share_of(kernel, problem), problem.calls,
                        problem.inputs.size());
  return text;
}

report::ListedKernel listed(const project::ProjectKernel& kernel, bool explain, LockFiles& locks,
                            Result<void>& trouble) {
  const KernelSpec& spec = kernel.spec;
  const auto& lock_path = kernel.unit.settings.lock;
  report::ListedKernel entry{
      spec.name, spec.file, spec.line, spec.key, "untuned", false, {}, kernel.unit.settings.target, {}, {}};
  entry.compiled_with = frontend::compiled_with(kernel.unit.command);
  if (explain) entry.explanation = spec.key_dump + captured_in_words(spec, lock_path);
  const Result<cache::LockFile>& lock = locks.at(lock_path);
  if (!lock) {
    trouble = tl::unexpected(lock.error());
    return entry;
  }
  const auto store = lock::reading_store(lock_path, [](const std::string& line) { complain(line, done); });
  for (const auto& [family, found] : lock::measured_entries(*lock, spec)) {
    entry.state = "tuned";
    entry.unconfirmed |= found->unconfirmed;
    entry.unfinished |= found->unfinished;
    if (!found->measured_on.empty()) entry.measured_on.push_back(found->measured_on);
    bool linked = false;
    if (found->variant) {
      const auto variant = lock::variant_text(spec, *found->variant, store);
      const std::string why = variant ? frontend::why_not_here(spec, *variant) : variant.error().what;
      if (!why.empty()) entry.trouble = why;
      if (!variant && store.blob(*found->variant)) entry.state = "stale";  // another kernel's
      linked = why.empty();
    }
    // One figure stands for all: of what is linked, the newest family's.
    if (linked || !entry.linked) entry.speedup = Speedup{found->speedup, found->speedup_low, found->speedup_high};
    entry.linked = entry.linked || linked;
  }
  if (entry.state == "untuned") say_why_untuned(*lock, kernel, entry);
  return entry;
}

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
    if (kernel.unconfirmed)
      say("{}:{}: '{}' is locked as the search measured it; build hone-tune, which measures it afresh\n", kernel.file,
          kernel.line, kernel.name);
  for (const report::ListedKernel& kernel : kernels)
    if (kernel.unfinished)
      say("{}:{}: the search for '{}' ended early; build hone-tune, which goes on\n", kernel.file, kernel.line,
          kernel.name);
  for (const report::ListedKernel& kernel : kernels)
    if (!kernel.explanation.empty()) say("\nkey {} of {}:\n{}", kernel.key, kernel.name, kernel.explanation);
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
  for (const project::ProjectKernel& kernel : selection->kernels)
    kernels.push_back(listed(kernel, explain, locks, trouble));
  if (json) {
    fmt::print("{}", report::list_json(kernels));
  } else {
    print(kernels);
  }
  if (!trouble) return complain(trouble.error(), environment);
  return selection->flawed ? no : done;
}

}  // namespace hone::cli
