#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/base/printable.h"
#include "tool/cli/command/command.h"
#include "tool/cli/list/listed_kernels.h"
#include "tool/cli/show_prompt.h"
#include "tool/lock/ledger.h"
#include "tool/lock/locked_variants.h"
#include "tool/lock/measured_entries.h"
#include "tool/lock/other_entries.h"
#include "tool/report/diff.h"
#include "tool/report/text.h"
#include "tool/trust/standing.h"

namespace hone::cli {
namespace {

// What each change that is left gains.
void print_reduction(const lock::Record& record) {
  if (!record.reduction) {
    say("why       the record does not say what each change gains: the variant is as it was proposed\n");
    return;
  }
  const Reduction& reduction = *record.reduction;
  say("why       {}\n", reduction.kept.empty() ? "nothing of it was left out by itself and found to be slower without"
                                               : "without each of these the variant is slower");
  for (const KeptChange& kept : reduction.kept)
    say("  {}{}: {}\n", kept.change, kept.what.empty() ? "" : " (" + kept.what + ")",
        kept.gain              ? "gains " + report::interval(*kept.gain)
        : kept.without.empty() ? "nobody had the time to leave it out"
                               : kept.without);
  if (!reduction.left_out.empty())
    say("left out  {}, as fast without; {} lines in place of {}\n", fmt::join(reduction.left_out, ", "),
        reduction.lines, reduction.lines_found);
  if (!reduction.complete) say("          the time was over before everything was tried\n");
}

// Whose signature a record bears, and what that is worth here; "": none.
std::string signature_in_words(const std::string& record, const cache::Digest& key, const std::filesystem::path& lock) {
  const auto read = trust::read_signed(record);
  if (!read || !read->by) return "";
  const auto file = trust::TrustFile::read(trust::trust_file_beside(lock));
  return std::visit(trust::Each{[](const trust::Trusted& by) {
                                  return fmt::format("by {}{}, which hone.trust trusts", by.key.text(),
                                                     by.name.empty() ? "" : " (" + printable_line(by.name) + ")");
                                },
                                [](const trust::Stranger& by) {
                                  return fmt::format(
                                      "by {}, {}", by.key.text(),
                                      by.withdrawn ? "and withdrawn in hone.trust" : "which hone.trust does not trust");
                                },
                                [](const trust::Unsigned&) { return std::string(); },
                                [&](const trust::Forged& forged) {
                                  return fmt::format("not by {}, as it says: {}", read->by->text(), forged.why);
                                }},
                    trust::standing_of(*read, key, file ? *file : trust::TrustFile{}));
}

void print_evidence(const cache::LockEntry& entry, const std::optional<lock::Record>& record,
                    const std::string& signature, bool why) {
  say("speedup   {}\nevidence  {}\n", report::interval({entry.speedup, entry.speedup_low, entry.speedup_high}),
      entry.evidence);
  for (const auto& [label, text] : entry.tried) say("{:9} {}\n", label, text);
  if (!entry.signed_by.empty()) say("locked    on the word of {}\n", printable_line(entry.signed_by));
  say("variant   {}\n", *entry.variant);
  // The record may be of another search of this key, on another machine.
  if (!record || record->key != entry.key || record->variant != entry.variant) {
    if (why) say("why       there is no record of this variant here; tune again with --force to have one\n");
    return;
  }
  say("name      {}\n", record->name);
  if (!record->thought.empty()) say("thought   {}\n", record->thought);
  if (why) print_reduction(*record);
  say("found by  {} (strategy {}, seed {}) in {} trials: {} compiled, {} right, {} faster\n", record->proposer,
      record->strategy, record->seed, record->trials.total, record->trials.compiled, record->trials.right,
      record->trials.faster);
  say("measured  {} on {}\n", record->compiler, record->device);
  if (!signature.empty()) say("signed    {}\n", signature);
  const Verdict* verdict = record->counting_verdict();
  for (std::size_t i = 0; verdict && i < verdict->measurement.problems.size(); ++i) {
    const ProblemMeasurement& problem = verdict->measurement.problems[i];
    say("  {}: {}, {:.4g} ms against {:.4g} ms, {} pairs\n", problem.label, report::interval(problem.speedup),
        problem.reference_seconds * 1e3, problem.candidate_seconds * 1e3, problem.reference_samples.size());
  }
  if (verdict) say("  {}\n", report::tolerance_used(*verdict));
  say("lineage\n");
  for (const lock::Ancestor& ancestor : record->lineage)
    say("  trial {}: {} of {}: {}, {}{}\n", ancestor.trial, ancestor.operator_name,
        ancestor.parents.empty() ? "nothing" : fmt::format("{}", fmt::join(ancestor.parents, ", ")), ancestor.name,
        report::times(ancestor.speedup.median),
        ancestor.not_accepted.empty() ? "" : ", not accepted: " + ancestor.not_accepted);
}

std::string changes_in_lines(const std::vector<lock::KeyChange>& changes, const std::string& folder) {
  std::string text = "stale: since it was tuned,";
  for (const lock::KeyChange& change : changes) text += "\n  " + lock::in_words(change, folder);
  return text;
}

std::string why_none(const cache::LockFile& lock, const project::ProjectKernel& kernel) {
  const KernelSpec& spec = kernel.spec;
  if (const std::string why = lock::why_distrusted(lock, spec); !why.empty()) return "stale: " + why;
  if (lock.find(spec.key)) return "stale: the lock file does not say on which architecture it was measured";
  const lock::OtherEntries others = lock::other_entries(lock, spec, kernel.unit);
  const std::string folder = kernel.unit.settings.lock.parent_path().string();
  if (others.stale && !others.changes.empty()) return changes_in_lines(others.changes, folder);
  if (others.stale) return "stale: it was tuned for another target or before it was edited";
  if (!others.elsewhere.empty() || others.unsaid) return "untuned: it " + lock::standing(others, folder);
  return "untuned";
}

int show(const KernelSpec& spec, const cache::LockEntry& entry, const std::filesystem::path& lock_path, bool why) {
  if (!entry.variant) {
    say("searched, the original is kept ({})\n", entry.evidence);
    return done;
  }
  const auto store = lock::reading_store(lock_path, [](const std::string& line) { complain(line, done); });
  std::optional<lock::Record> record;
  std::string signature;
  if (const auto text = store.record(spec.key)) {
    if (auto parsed = lock::parse_record(*text)) record = std::move(*parsed);
    signature = signature_in_words(*text, spec.key, lock_path);
  }
  print_evidence(entry, record, signature, why);
  const auto variant = lock::variant_text(spec, *entry.variant, store);
  if (!variant) return complain(variant.error().what + "; tune again or get it from where the lock file came from", no);
  say("\n{}", report::unified_diff(spec.unit.definition, *variant, "original", "variant"));
  return done;
}

int show(const project::ProjectKernel& kernel, bool why) {
  const KernelSpec& spec = kernel.spec;
  const auto& lock_path = kernel.unit.settings.lock;
  const auto lock = cache::LockFile::read(lock_path);
  if (!lock) return complain(lock.error(), environment);
  const auto measured = lock::measured_entries(*lock, spec);
  say("{}\n{}:{}\nkey       {}\n", spec.signature, spec.file, spec.line, spec.key);
  if (measured.empty()) {
    say("{}\n", why_none(*lock, kernel));
    return no;
  }
  int code = done;
  ThisMachine machine;
  for (const std::string& with : measured_otherwise(kernel, *lock, machine))
    say("measured  {}; hone verify --renew measures it here\n", with);
  for (const auto& [family, entry] : measured) code = std::max(code, show(spec, *entry, lock_path, why));
  return code;
}

}  // namespace

int show_command(int argc, char** argv) {
  CLI::App app{
      "A kernel's original against its locked variant, with the evidence and where the variant came from; or what\n"
      "language models are told about it.",
      "hone show"};
  ProjectOptions project;
  PromptArguments prompts;
  std::vector<std::string> names;
  project.add_to(app);
  app.add_option("KERNEL", names, "The kernels to show (a name, or the end of exactly one)")->required();
  bool why = false;
  app.add_flag("--why", why, "What each change of the variant gains: how much slower it is without it");
  prompts.add_to(app);
  app.footer("Exit codes: 0 shown; 1 there is nothing locked, or recorded, for it; 2 usage; 3 the environment failed.");
  if (const auto exit = parse(app, argc, argv)) return *exit;
  prompts.prompt = app.count("--prompt") > 0;
  int code = done;
  const auto selection = select(project, names, code);
  if (!selection) return code;
  prompts.tune.build = selection->project.build;
  if (prompts.wanted()) return show_prompts(selection->kernels, prompts);
  for (const project::ProjectKernel& kernel : selection->kernels) code = std::max(code, show(kernel, why));
  return code;
}

}  // namespace hone::cli
