#include "tool/judge/count/counting.h"

#include <utility>

#include "tool/judge/bench/failure_text.h"
#include "tool/judge/count/callgrind.h"
#include "tool/judge/count/device_profiler.h"
#include "tool/judge/count/ncu.h"

namespace hone::judge {

Result<Counting> count_on_processor(const std::string& object, Verifier& verifier, const CountingOptions& options) {
  const std::optional<std::string> valgrind = find_valgrind();
  if (!valgrind) return Counting{.reason = "not counted: valgrind is not installed where the judge runs"};
  HONE_TRY(Runner subject, Runner::start(object, {.program = options.runner,
                                                  .threads = options.threads,
                                                  .memory_bytes = 2 * options.argument_bytes + (std::size_t{1} << 30),
                                                  .libraries = options.libraries,
                                                  .under = callgrind_command(*valgrind),
                                                  .object_has_name = true}));
  if (const auto ready = subject.ready(); !ready)
    return Counting{.reason = "not counted: under callgrind it " + describe(ready.error()),
                    .report = ready.error().text};
  HONE_TRY(const std::optional<std::string> problem, verifier.run_counted(subject));
  Counting counting{.report = subject.finish()};
  if (!problem) {
    counting.reason = "not counted: it did not get through a call under callgrind";
    return counting;
  }
  const auto file = subject.left_file(kCallgrindFile);
  counting.counts = file ? read_callgrind(*file) : std::nullopt;
  if (!counting.counts) {
    counting.reason = "not counted: callgrind left nothing";
    return counting;
  }
  counting.counts->problem = *problem;
  return Counting{.counts = std::move(counting.counts), .reason = "counted only"};
}

Result<Counting> count_on_device(const KernelData& spec, const std::string& object, Verifier& verifier, Ground& ground,
                                 const CountingOptions& options) {
  const std::optional<std::string> ncu = find_ncu();
  if (!ncu) return Counting{.reason = "not profiled: ncu is not installed where the judge runs"};
  HONE_TRY(const Case counted, verifier.counted_case());
  verifier.release_memory();
  TimingTurn alone;
  const DeviceProfilerOptions profiler{
      .program = *ncu,
      .runner = {.program = options.runner,
                 .memory_bytes = 2 * options.argument_bytes + (std::size_t{4} << 30),
                 .device = ground.shown_to_runners()},
      .processors = options.processors,
      .seed = options.seed,
      .alone =
          [&] {
            ground.end_untimed_work();
            alone = ground.take_turn(false);
          },
  };
  HONE_TRY(DeviceProfiling profiling, profile_on_device(spec, object, counted, profiler));
  if (!profiling.profile)
    return Counting{.reason = "not profiled: " + profiling.silence, .report = std::move(profiling.report)};
  return Counting{.profile = std::move(profiling.profile), .reason = "profiled only"};
}

}  // namespace hone::judge
