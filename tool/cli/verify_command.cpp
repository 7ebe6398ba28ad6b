#include <fmt/format.h>

#include "tool/cli/command/command.h"
#include "tool/cli/command/interrupt.h"
#include "tool/executor/make_executor.h"
#include "tool/lock/file_fit.h"
#include "tool/lock/judged_on.h"
#include "tool/lock/ledger.h"
#include "tool/lock/locked_variants.h"
#include "tool/lock/measured_entries.h"
#include "tool/lock/other_entries.h"
#include "tool/project/kernels.h"
#include "tool/report/json.h"
#include "tool/report/text.h"
#include "tool/tune/trial/evaluator.h"

namespace hone::cli {
namespace {

Verdict not_judged(std::string why) {
  Verdict verdict;
  verdict.reason = std::move(why);
  return verdict;
}

struct Verified {
  Verdict verdict;
  std::optional<cache::LockEntry> entry;  // whose variant it is; nullopt: no variant could be judged
  std::string compiler;
  Verified(Verdict v) : verdict(std::move(v)) {}
  Verified(Verdict v, cache::LockEntry e, std::string c)
      : verdict(std::move(v)), entry(std::move(e)), compiler(std::move(c)) {}
};

// Judged like a candidate that nobody has seen before, compiled for the device as that candidate was. nullopt: nothing
// is locked for it.
Result<std::optional<Verified>> verify(const project::ProjectKernel& kernel, bundle::Executor& executor, bool here,
                                       os::ProcessRunner& runner, std::stop_token stop) {
  const auto& lock_path = kernel.unit.settings.lock;
  HONE_TRY(const auto lock, cache::LockFile::read(lock_path));
  if (const std::string why = lock::why_distrusted(lock, kernel.spec);
      !why.empty() && lock::measured_entries(lock, kernel.spec).empty())
    return Verified(not_judged(why));
  const bool choose = lock::is_for_several_architectures(kernel.spec);
  std::string device = choose ? lock::device_architecture(kernel.spec, here) : "";
  const bool said_later = choose && !here;  // by whoever judges the original
  if (const cache::LockEntry* any = lock::entry_for(lock, kernel.spec, device); !any || (!said_later && !any->variant))
    return std::nullopt;
  HONE_TRY(const auto judge, tune::Evaluator::open(kernel.spec, project::linked(kernel.unit),
                                                   project::options_for(kernel.unit, {}), runner, executor, stop));
  if (said_later) {
    HONE_TRY(const Verdict original, judge->reference(stop));
    device = original.architecture;
  }
  const cache::LockEntry* entry = lock::entry_for(lock, kernel.spec, device);
  if (!entry || !entry->variant) return std::nullopt;
  const auto store = lock::reading_store(lock_path, [](const std::string& line) { complain(line, done); });
  const auto variant = lock::variant_text(kernel.spec, *entry->variant, store);
  if (!variant) return Verified(not_judged(variant.error().what));
  if (auto refused = judge->gate(*variant)) return Verified(std::move(*refused));
  if (auto refused = lock::refused_in_file(kernel.unit, kernel.spec, *variant, {}))
    return Verified(std::move(*refused));
  judge->compile_candidates_for(device);
  HONE_TRY(Verdict verdict, judge->judge(*variant, stop, bundle::Depth::held_out));
  return Verified(std::move(verdict), *entry, judge->compiler());
}

// Writes what was measured into the lock file. False: that could not be, and `said` says why.
Result<bool> renew(const project::ProjectKernel& kernel, const Verified& verified, const std::string& where,
                   std::string& said) {
  if (!verified.entry || !verified.verdict.right || !verified.verdict.faster) {
    said = !verified.verdict.right ? "it is not right" : "it is not measurably faster here";
    return false;
  }
  const lock::Ledger ledger(kernel.spec, kernel.unit, [](const std::string& line) { complain(line, done); });
  HONE_TRY(const bool renewed,
           ledger.renew(*verified.entry, {verified.verdict, verified.compiler,
                                          lock::device_name(kernel.spec, where == "local"), where}));
  if (!renewed) said = "the lock file has changed meanwhile";
  return renewed;
}

// What is locked for other builds.
std::string what_else_is_locked(const project::ProjectKernel& kernel) {
  const auto lock = cache::LockFile::read(kernel.unit.settings.lock);
  if (!lock || lock->find(kernel.spec.key)) return "";
  const lock::OtherEntries others = lock::other_entries(*lock, kernel.spec, kernel.unit);
  const bool of_others = !others.stale && (!others.elsewhere.empty() || others.unsaid);
  return of_others ? ": it " + lock::standing(others, kernel.unit.settings.lock.parent_path().string()) : "";
}

bool stands(const Verdict& verdict) {
  return verdict.right && verdict.measurement.speedup.high >= 1;
}

}  // namespace

int verify_command(int argc, char** argv) {
  CLI::App app{
      "Verifies and times the locked variants here and now, on fresh inputs. Changes nothing, but with --renew.",
      "hone verify"};
  ProjectOptions project;
  std::vector<std::string> names;
  std::string where = "local";
  bool json = false, renewing = false;
  project.add_to(app);
  app.add_option("KERNEL", names, "Only these (a name, or the end of exactly one)");
  app.add_option("--executor", where, "Where they run: local, slurm:<partition>, or command:<argv>")
      ->capture_default_str();
  app.add_flag("--renew", renewing,
               "Write what was measured here into the lock file, of those that are right and faster");
  app.add_flag("--json", json, "Print JSON");
  app.footer(
      "Exit codes: 0 all locked variants are right and none is slower than its original (with --renew: and each was\n"
      "renewed); 1 otherwise, or nothing is locked; 2 usage; 3 the environment failed; 130 interrupted.");
  if (const auto exit = parse(app, argc, argv)) return *exit;

  Interrupt interrupt;
  int code = done;
  const auto selection = select(project, names, code);
  if (!selection) return code;
  os::PosixProcessRunner runner;
  const auto executors = executor::Source::open(where, runner);
  if (!executors) return complain(executors.error(), environment);

  code = selection->flawed ? no : done;
  bool broken = false;
  std::vector<report::VerifiedKernel> verified;
  for (const project::ProjectKernel& kernel : selection->kernels) {
    const auto executor = executors->make();  // each kernel keeps to a kind of machine of its own
    const auto verdict = verify(kernel, *executor, where == "local", runner, interrupt.token());
    if (interrupt.happened()) return interrupted;
    if (!verdict) {
      complain(verdict.error(), environment);
      broken = true;
    } else if (*verdict) {
      const Verdict& judged = (*verdict)->verdict;
      if (!json) say("{}: {}\n", kernel.spec.name, report::describe(judged));
      if (!json && !judged.detail.empty()) say("{}\n", judged.detail);
      if (!stands(judged)) code = no;
      std::string why_not;
      const auto renewed = renewing ? renew(kernel, **verdict, where, why_not) : Result<bool>(false);
      if (!renewed) complain(renewed.error(), environment);
      broken = broken || !renewed;
      if (renewing && renewed && !*renewed) code = no;
      if (!json && !why_not.empty()) say("{}: not renewed, its entry stays: {}\n", kernel.spec.name, why_not);
      if (!json && renewed && *renewed) say("{}: renewed\n", kernel.spec.name);
      const auto& entry = (*verdict)->entry;
      verified.push_back({kernel.spec.name, project::file_in_lock(kernel.spec.file, kernel.unit.settings.lock),
                          kernel.spec.line, kernel.spec.key, judged, entry ? *entry->variant : cache::Digest(),
                          renewed.value_or(false)});
    } else if (!json) {
      say("{}: no variant is locked{}\n", kernel.spec.name, what_else_is_locked(kernel));
    }
    std::fflush(stdout);
  }
  if (json) fmt::print("{}", report::verify_json(verified));
  if (broken) return environment;
  return verified.empty() ? no : code;
}

}  // namespace hone::cli
