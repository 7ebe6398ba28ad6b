#include "tool/cli/list/listed_kernels.h"

#include <fmt/format.h>

#include "tool/capture/captures.h"
#include "tool/cli/command/command.h"
#include "tool/frontend/parse/compiled_with.h"
#include "tool/frontend/unit/variant_launch.h"
#include "tool/lock/ledger.h"
#include "tool/lock/locked_variants.h"
#include "tool/lock/machine_rule.h"
#include "tool/lock/measured_entries.h"
#include "tool/lock/other_entries.h"

namespace hone::cli {
namespace {

// An entry that does not hold, an edited kernel, or one that is tuned for other compilers.
void say_why_untuned(const cache::LockFile& lock, const project::ProjectKernel& kernel, report::ListedKernel& entry) {
  const KernelSpec& spec = kernel.spec;
  const lock::OtherEntries others = lock::other_entries(lock, spec, kernel.unit);
  entry.trouble = lock::why_distrusted(lock, spec);
  if (lock.find(spec.key) || others.stale || others.unsaid) entry.state = "stale";
  entry.elsewhere = others.elsewhere;
  entry.fit = cache::to_string(others.fit);
  const std::string folder = kernel.unit.settings.lock.parent_path().string();
  for (const lock::KeyChange& change : others.changes)
    entry.changes.push_back({change.what, lock::in_words(change, folder), change.file, change.line});
  if (entry.state == "stale") entry.stale = lock::in_short(others.changes, folder);
  if (entry.trouble.empty() && !others.stale && (others.unsaid || !others.elsewhere.empty()))
    entry.trouble = "it " + lock::standing(others, folder);
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

}  // namespace

report::ListedKernel listed(const project::ProjectKernel& kernel, bool explain, LockFiles& locks,
                            Result<void>& trouble) {
  const KernelSpec& spec = kernel.spec;
  const auto& lock_path = kernel.unit.settings.lock;
  report::ListedKernel entry{
      spec.name, spec.file, spec.line, spec.key, "untuned", false, {}, kernel.unit.settings.target, {}, {}};
  entry.compiled_with = frontend::compiled_with(kernel.unit.command);
  entry.language = spec.language;
  if (explain) entry.explanation = spec.key_dump + captured_in_words(spec, lock_path);
  const Result<cache::LockFile>& lock = locks.at(lock_path);
  if (!lock) {
    trouble = tl::unexpected(lock.error());
    return entry;
  }
  const auto store = lock::reading_store(lock_path, [](const std::string& line) { complain(line, done); });
  lock::MachineRule rule(kernel.unit);
  for (const auto& [family, found] : lock::measured_entries(*lock, spec)) {
    entry.state = "tuned";
    entry.fit = cache::to_string(cache::TargetFit::exact);
    entry.unconfirmed |= found->unconfirmed;
    entry.unfinished |= found->unfinished;
    if (!found->measured_on.empty()) entry.measured_on.push_back(found->measured_on);
    bool linked = false;
    if (found->variant) {
      const auto variant = lock::variant_text(spec, *found->variant, store);
      const std::string why = variant ? frontend::why_not_here(spec, *variant) : variant.error().what;
      if (!why.empty()) entry.trouble = why;
      if (!variant && store.blob(*found->variant)) entry.state = "stale";  // another kernel's
      const std::string slower = rule.why_not(*found);
      if (!slower.empty()) entry.held_back = slower;
      linked = why.empty() && slower.empty();
    }
    // One figure stands for all: of what is linked, the newest family's.
    if (linked || !entry.linked) entry.speedup = Speedup{found->speedup, found->speedup_low, found->speedup_high};
    if (linked) entry.variants.push_back(*found->variant);
    entry.linked = entry.linked || linked;
  }
  if (const auto broken = rule.take_trouble()) complain(*broken, done);
  if (entry.state == "untuned") say_why_untuned(*lock, kernel, entry);
  return entry;
}

std::vector<std::string> measured_otherwise(const project::ProjectKernel& kernel, const cache::LockFile& lock,
                                            ThisMachine& machine) {
  std::vector<std::string> found;
  const auto store = lock::reading_store(kernel.unit.settings.lock, [](const std::string&) {});
  for (const auto& [family, entry] : lock::measured_entries(lock, kernel.spec)) {
    if (!entry->variant) continue;
    const auto text = store.record(entry->key);
    auto record = text ? lock::parse_record(*text) : Result<lock::Record>(failure("none"));
    const auto others =
        lock::other_evidence(*entry, record ? std::optional(std::move(*record)) : std::nullopt, machine.around(kernel));
    found.insert(found.end(), others.begin(), others.end());
  }
  return found;
}

}  // namespace hone::cli
