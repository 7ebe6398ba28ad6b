#include "tool/tune/tuner.h"

#include <algorithm>

#include "tool/frontend/find/kernel_finder.h"
#include "tool/lock/ledger.h"
#include "tool/lock/measured_entries.h"
#include "tool/project/kernels.h"
#include "tool/project/settings.h"
#include "tool/report/console.h"
#include "tool/tune/tuning.h"

namespace hone::tune {

Tuner::Tuner(project::TuneOptions options, os::ProcessRunner& runner, std::function<void(const std::string&)> note,
             shared::SharedStore* shared)
    : options_(std::move(options)), runner_(runner), note_(std::move(note)) {
  if (shared) offers_.emplace(*shared);
}

Result<void> Tuner::open_executor() {
  const std::lock_guard lock(opening_);
  if (executors_) return {};
  const unsigned most = judgments_at_once(options_) * std::max(options_.side_by_side, 1u);
  HONE_TRY(executors_, executor::Source::open(options_.executor, runner_, {.most_workers = most, .note = note_}));
  return {};
}

Result<std::unique_ptr<bundle::Executor>> Tuner::make_executor() {
  HONE_CHECK(open_executor());
  return executors_->make();
}

Result<report::KernelResult> Tuner::tune(const project::ProjectUnit& unit, const KernelSpec& spec,
                                         report::Progress& progress, std::stop_token stop, Slice* slice) {
  HONE_TRY(project::Settings settings, project::settle(options_, unit.settings));
  settings.jobs = std::max(settings.jobs / std::max(options_.side_by_side, 1u), 1u);  // the machine is shared
  return Tuning(
             {spec, unit, options_, settings, slice}, [this] { return make_executor(); }, runner_, progress, stop,
             offers_ ? &*offers_ : nullptr)
      .run();
}

bool is_known(const project::ProjectUnit& unit, const KernelSpec& spec) {
  if (lock::is_for_several_families(spec)) return false;
  const auto entry = lock::Ledger(spec, unit, [](const std::string&) {}).locked();
  return entry && *entry && !(*entry)->unconfirmed && !(*entry)->unfinished;
}

Result<void> tune_unit(const project::ProjectUnit& unit, const project::TuneOptions& options,
                       report::Progress& progress, shared::SharedStore* shared, std::stop_token stop) {
  HONE_TRY(const auto found, frontend::find_kernels(unit.command, project::options_for(unit, options.frontend)));
  os::PosixProcessRunner runner;
  Tuner tuner(
      options, runner, [&](const std::string& line) { progress.note(line); }, shared);
  const project::ProjectUnit whole{found.file.command, unit.settings, unit.build};
  for (const frontend::FoundKernel& kernel : found.kernels) HONE_CHECK(tuner.tune(whole, kernel.spec, progress, stop));
  return {};
}

Result<void> tune_unit(const project::ProjectUnit& unit, const std::filesystem::path& build,
                       shared::SharedStore* shared) {
  report::Console console(stderr, {.trials = false, .prefix = {}});
  project::TuneOptions options;
  options.build = build;
  options.resume = true;
  return tune_unit({unit.command, unit.settings, build}, options, console, shared);
}

}  // namespace hone::tune
