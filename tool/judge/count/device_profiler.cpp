#include "tool/judge/count/device_profiler.h"

#include "tool/base/random.h"
#include "tool/judge/bench/bench.h"
#include "tool/judge/bench/failure_text.h"
#include "tool/judge/count/ncu.h"
#include "tool/judge/ground/processor_ground.h"

namespace hone::judge {
namespace {

constexpr std::size_t report_file_bytes = std::size_t{256} << 20;  // ncu's own, of which its table is made

RunnerOptions under_ncu(const DeviceProfilerOptions& options) {
  RunnerOptions under = options.runner;
  under.under = ncu_command(options.program, std::string(runner_folder) + '/' + kNcuTable);
  under.readable = ncu_folders(options.program);
  under.file_bytes = report_file_bytes;
  return under;
}

// The sentence's end, where a call did not come back.
Result<std::string> call_twice(Bench& bench, Runner& subject, const DeviceProfilerOptions& options) {
  if (const auto ready = subject.ready(); !ready) return "under ncu it " + describe(ready.error());
  for (const runner::Manner manner : {runner::Manner::heap, runner::Manner::profiled}) {
    const bool counted = manner == runner::Manner::profiled;
    if (counted) options.alone();
    const auto run =
        bench.run(subject, Bench::Side::candidate, options.timeout_seconds, derive(options.seed, counted), manner);
    if (!run) return "under ncu it " + run.error().sentence;
  }
  return std::string();
}

}  // namespace

Result<DeviceProfiling> profile_on_device(const KernelData& spec, const std::string& object, const Case& c,
                                          const DeviceProfilerOptions& options) {
  HONE_TRY(Runner subject, Runner::start(object, under_ncu(options)));
  subject.run_on(options.processors);
  const os::SteadyClock clock;
  ProcessorGround ground;  // the runner makes the copies on the device
  Bench bench(spec, clock, ground);
  HONE_CHECK(bench.set_up(c));
  HONE_TRY(std::string silence, call_twice(bench, subject, options));
  DeviceProfiling profiling{.report = subject.finish()};
  const auto table = subject.left_file(kNcuTable);
  if (table) {
    profiling.report += *table;
    if (silence.empty()) profiling.profile = read_ncu(*table);
  }
  if (profiling.profile) {
    profiling.profile->problem = c.label;
    return profiling;
  }
  const bool has_words = silence.empty() || profiling.report.find("==ERROR==") != std::string::npos;
  if (has_words) silence += (silence.empty() ? "" : "; ") + why_ncu_failed(profiling.report);
  profiling.silence = std::move(silence);
  return profiling;
}

}  // namespace hone::judge
