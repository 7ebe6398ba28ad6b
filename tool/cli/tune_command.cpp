#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "tool/cli/cache/cache_exchange.h"
#include "tool/cli/command/command.h"
#include "tool/cli/command/interrupt.h"
#include "tool/cli/tuned_kernels.h"
#include "tool/project/settings.h"
#include "tool/report/json.h"
#include "tool/report/text.h"
#include "tool/shared/environment_store.h"
#include "tool/tune/tuner.h"

namespace hone::cli {
namespace {

struct Arguments {
  ProjectOptions project;
  std::vector<std::string> names;
  project::TuneOptions tune;
  std::string budget, total, json;
  std::uint64_t max_tokens = 0;
  double max_cost = 0, price_input = 0, price_output = 0;
  unsigned trials = 0;
  bool allow_none = false, resume = false, no_resume = false;
};

void describe(CLI::App& app, Arguments& arguments) {
  arguments.project.add_to(app);
  app.add_option("KERNEL", arguments.names, "Only these (a name, or the end of exactly one)");
  add_model_options(app, arguments.tune);
  app.add_option("--strategy", arguments.tune.strategy,
                 "A preset (builtin; for language models auto, free, full, …) or a .json file (default: the target's)");
  app.add_option("--price-input", arguments.price_input, "Of a million tokens that the model reads, in any currency")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--price-output", arguments.price_output, "Of a million tokens that the model writes")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--trials", arguments.trials, "Candidates to judge for each kernel (default: the target's, else 45)")
      ->check(CLI::Range(1u, 1'000'000u));
  app.add_option("--budget", arguments.budget,
                 "Time for each kernel: 90s, 10m, 1h30m (default: the target's, else 10m)");
  app.add_option("--budget-total", arguments.total,
                 "Time for all kernels together, which goes where the most can still be gained: 90s, 10m, 1h30m");
  app.add_option("--max-cost", arguments.max_cost,
                 "Money to spend on each kernel, by the model's prices; the built-in proposer costs nothing")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--max-tokens", arguments.max_tokens, "Tokens to spend on each kernel, in and out together")
      ->check(CLI::PositiveNumber);
  app.add_option("--until", arguments.tune.until,
                 "End a search whose best reaches this share of what the machine's memory and arithmetic allow, where "
                 "that is known: 0.95 (default: trials and time decide)")
      ->check(CLI::Range(0.01, 10.0));
  app.add_option(
         "--least-gain", arguments.tune.least_gain,
         "End a search whose next candidate is expected to gain less than this share: 0.025 (default: trials and "
         "time decide)")
      ->check(CLI::Range(0.0001, 1.0));
  app.add_option("--seed", arguments.tune.seed, "Of the search; the same seed proposes the same candidates")
      ->check(why_no_seed)
      ->capture_default_str();
  app.add_option("--executor", arguments.tune.executor,
                 "Where candidates run: local, slurm:<partition> [options of srun], or command:<argv>")
      ->capture_default_str();
  app.add_option("--jobs,-j", arguments.tune.jobs, "Compiles at once (default: one less than there are cores)")
      ->check(CLI::Range(1u, 1024u));
  app.add_option(
         "--at-once", arguments.tune.at_once,
         "Candidates of a kernel with the executor at once (default: 1; kernels for GPUs: 4 with command:, and here "
         "two more than there are GPUs, while no other search judges on them; 4 with slurm:)")
      ->check(CLI::Range(1u, 1024u));
  app.add_option("--side-by-side", arguments.tune.side_by_side,
                 "Kernels that are searched at once, for an executor that has many machines")
      ->check(CLI::Range(1u, 1024u))
      ->capture_default_str();
  auto* resume = app.add_flag("--resume", arguments.resume,
                              "Go on where a run with the same seed ended, also where that had come to its end");
  app.add_flag("--no-resume", arguments.no_resume,
               "Start anew also where a run with the same seed was stopped, killed or out of time")
      ->excludes(resume);
  app.add_flag("--force", arguments.tune.force, "Search even for kernels whose result is known");
  app.add_flag("!--no-memory", arguments.tune.memory,
               "Neither use nor add to what searches on other kernels have learned (language models)");
  app.add_flag("--allow-none", arguments.allow_none,
               "Exit with 0 also when every original was kept: for build targets");
  app.add_option("--json", arguments.json, "Write the results to this file (-: stdout)")->type_name("FILE");
  app.footer(
      "Exit codes: 0 at least one kernel has a variant; 1 none has, or an annotation is wrong; 2 usage; 3 the "
      "environment failed;\n130 interrupted (what was found is kept).");
}

int exit_code(const std::vector<report::KernelResult>& results, bool flawed, bool stopped, bool allow_none) {
  if (stopped) return interrupted;
  auto any = [&](auto predicate) { return std::any_of(results.begin(), results.end(), predicate); };
  if (any([](const auto& result) { return result.outcome == report::Outcome::failed; })) return environment;
  if (flawed || any([](const auto& result) { return result.outcome == report::Outcome::refused; })) return no;
  if (allow_none) return done;
  // A kernel that an earlier run decided counts as decided: to ask again is not to fail.
  return any([](const auto& result) { return result.accepted || result.outcome == report::Outcome::already_tuned; })
             ? done
             : no;
}

// What is wrong with an executor elsewhere is said once, and not for each kernel.
Result<void> open_elsewhere(tune::Tuner& tuner, const std::string& executor,
                            const std::vector<project::ProjectKernel>& kernels) {
  return executor == "local" || kernels.empty() ? Result<void>() : tuner.open_executor();
}

// What this run locked, or recorded as found without a gain.
LockedKeys decided_now(const std::vector<report::KernelResult>& results,
                       const std::vector<project::ProjectKernel>& kernels) {
  using enum report::Outcome;
  LockedKeys keys;
  for (const report::KernelResult& result : results) {
    const auto is_new = {tuned, recalled, locked_again, original_kept};
    if (std::ranges::find(is_new, result.outcome) == is_new.end()) continue;
    for (const project::ProjectKernel& kernel : kernels)
      if (kernel.spec.key == result.key) keys[kernel.unit.settings.lock].insert(result.key);
  }
  return keys;
}

}  // namespace

int tune_command(int argc, char** argv) {
  CLI::App app{
      "Searches for faster variants of the annotated kernels. What is verified and faster goes into the store and\n"
      "hone.lock; the next build links it.",
      "hone tune"};
  Arguments arguments;
  describe(app, arguments);
  if (const auto exit = parse(app, argc, argv)) return *exit;
  if (arguments.trials) arguments.tune.trials = arguments.trials;
  if (arguments.resume) arguments.tune.resume = true;
  if (arguments.no_resume) arguments.tune.resume = false;
  if (app.count("--max-cost")) arguments.tune.most_cost = arguments.max_cost;
  if (app.count("--max-tokens")) arguments.tune.most_tokens = arguments.max_tokens;
  if (app.count("--price-input")) arguments.tune.model.price_input = arguments.price_input;
  if (app.count("--price-output")) arguments.tune.model.price_output = arguments.price_output;
  if (!arguments.budget.empty()) {
    const auto seconds = project::parse_duration(arguments.budget);
    if (!seconds) return complain(seconds.error(), usage);
    arguments.tune.budget_seconds = *seconds;
  }
  if (app.count("--budget-total")) {
    const auto seconds = project::parse_total(arguments.total);
    if (!seconds) return complain(seconds.error(), usage);
    arguments.tune.total_seconds = *seconds;
  }

  const auto shared = shared::environment_store();
  const auto sends = shared::sends_what_is_tuned();
  if (!sends) return complain(sends.error(), usage);
  if (*sends && !shared)
    return complain("HONE_CACHE_PUSH is 1 and no shared store is named; set HONE_CACHE_URL", usage);
  Interrupt interrupt;
  int code = done;
  // What is decided already is told without another look at its file.
  const auto decided = [&](const project::ProjectUnit& unit, const KernelSpec& spec) {
    return !arguments.tune.force && tune::is_known(unit, spec);
  };
  const auto selection = select(arguments.project, arguments.names, code, decided);
  if (!selection) return code;
  arguments.tune.build = selection->project.build;
  for (const project::ProjectKernel& kernel : selection->kernels) {
    if (const auto good = project::check(arguments.tune, kernel.unit.settings); !good)
      return complain(good.error(), usage);
    if (const auto placed = project::check_lock_place(kernel.unit); !placed) return complain(placed.error(), usage);
  }

  os::PosixProcessRunner runner;
  std::vector<report::KernelResult> results;
  {
    Watch watch(selection->kernels, arguments.tune, interrupt);
    tune::Tuner tuner(
        arguments.tune, runner, [&watch](const std::string& line) { watch.note(line); }, shared.get());
    if (const auto opened = open_elsewhere(tuner, arguments.tune.executor, selection->kernels); !opened)
      return complain(opened.error(), environment);
    results = tune_kernels(selection->kernels, arguments.tune, tuner, watch, interrupt);
  }
  if (*sends && !interrupt.happened()) push_tuned(decided_now(results, selection->kernels), *shared);
  if (arguments.json != "-") fmt::print("{}", report::summary(results));
  if (!arguments.json.empty() && !write_answer(arguments.json, report::tune_json(results))) return environment;
  return exit_code(results, selection->flawed, interrupt.happened(), arguments.allow_none);
}

}  // namespace hone::cli
