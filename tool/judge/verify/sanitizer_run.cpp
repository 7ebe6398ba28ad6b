#include "tool/judge/verify/sanitizer_run.h"

#include <future>

#include "tool/base/random.h"
#include "tool/judge/bench/bench.h"
#include "tool/judge/ground/processor_ground.h"
#include "tool/judge/machine/turn_lock.h"

namespace hone::judge {
namespace {

// A report that is full may lack what the tool had to say, behind what the object printed.
std::optional<ComputeSanitizerFinding> finding_in(const std::string& report) {
  if (auto found = first_finding(report)) return found;
  constexpr std::size_t page = 4096;  // a write across the end stops at one
  if (report.size() < report_bytes - page) return std::nullopt;
  constexpr const char* flood = "prints more than the tool's report can hold";
  return ComputeSanitizerFinding{flood, flood, report.substr(0, 1000)};
}

Result<SanitizerRun> run_tool(const KernelData& spec, const std::string& object, const std::vector<Case>& cases,
                              const SanitizerRunOptions& options, const std::string& tool) {
  const double start = options.clock.seconds();
  std::optional<TurnLock> held;
  const auto share = [&](const std::string& lock) {
    held.reset();
    if (!options.device_uuid.empty()) held = TurnLock::acquire(lock, TurnLock::Mode::shared);
  };
  share(starts_on(options.device_uuid));
  RunnerOptions under = options.runner;
  under.under = compute_sanitizer_command(options.program, tool);
  HONE_TRY(Runner subject, Runner::start(object, under));
  subject.run_on(options.processors);
  (void)subject.ready();   // what it could not load, it says again when it is called
  ProcessorGround ground;  // the runner makes the copies on the device
  Bench bench(spec, options.clock, ground);
  const double until = options.clock.seconds() + options.budget_seconds;
  for (std::size_t i = 0; i < cases.size() && (i == 0 || options.clock.seconds() < until); ++i) {
    share(options.device_uuid);
    HONE_CHECK(bench.set_up(cases[i]));
    if (!bench.run(subject, Bench::Side::candidate, options.timeout_seconds, derive(options.seed, i),
                   runner::Manner::heap))
      break;
  }
  share(starts_on(options.device_uuid));
  const std::string report = subject.finish();
  return SanitizerRun{.tool = tool,
                      .finding = finding_in(report),
                      .silence = compute_sanitizer_ran(report) ? "" : "says " + report.substr(0, 300),
                      .seconds = options.clock.seconds() - start};
}

}  // namespace

Result<std::vector<SanitizerRun>> run_sanitizers(const KernelData& spec, const std::string& object,
                                                 const std::vector<Case>& cases, const SanitizerRunOptions& options) {
  std::vector<std::future<Result<SanitizerRun>>> running;
  for (const std::string& tool : options.tools)
    running.push_back(std::async(std::launch::async, [&] { return run_tool(spec, object, cases, options, tool); }));
  std::vector<SanitizerRun> watches;
  for (auto& run : running) {
    HONE_TRY(watches.emplace_back(), run.get());
  }
  // On a machine that does much else a tool may fail to start its threads, or to find the process that it started.
  for (SanitizerRun& watch : watches)
    if (!watch.silence.empty() && !watch.finding && watch.seconds < options.timeout_seconds) {
      HONE_TRY(watch, run_tool(spec, object, cases, options, watch.tool));
    }
  return watches;
}

}  // namespace hone::judge
