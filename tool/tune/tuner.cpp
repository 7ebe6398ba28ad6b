#include "tool/tune/tuner.h"

#include "tool/frontend/find/kernel_finder.h"
#include "tool/lock/ledger.h"
#include "tool/lock/measured_entries.h"
#include "tool/os/files/clock.h"
#include "tool/project/kernels.h"
#include "tool/project/settings.h"
#include "tool/report/console.h"
#include "tool/tune/tuning.h"

namespace hone::tune {

Tuner::Tuner(project::TuneOptions options, os::ProcessRunner& runner, report::Progress& progress,
             shared::SharedStore* shared)
    : options_(std::move(options)), runner_(runner), progress_(progress) {
  if (shared) offers_.emplace(*shared);
}

Result<report::KernelResult> Tuner::tune(const project::ProjectUnit& unit, const KernelSpec& spec,
                                         std::stop_token stop) {
  HONE_TRY(const project::Settings settings, project::settle(options_, unit.settings));
  return Tuning({spec, unit, options_, settings}, runner_, progress_, stop, offers_ ? &*offers_ : nullptr).run();
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
  Tuner tuner(options, runner, progress, shared);
  const project::ProjectUnit whole{found.file.command, unit.settings, unit.build};
  for (const frontend::FoundKernel& kernel : found.kernels) HONE_CHECK(tuner.tune(whole, kernel.spec, stop));
  return {};
}

Result<void> tune_unit(const project::ProjectUnit& unit, const std::filesystem::path& build,
                       shared::SharedStore* shared) {
  os::SteadyClock clock;
  report::Console console(stderr, {.live = false, .color = false, .trials = false}, clock);
  project::TuneOptions options;
  options.build = build;
  options.resume = true;
  return tune_unit({unit.command, unit.settings, build}, options, console, shared);
}

}  // namespace hone::tune
