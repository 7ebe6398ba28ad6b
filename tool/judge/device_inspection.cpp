#include "tool/judge/device_inspection.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "tool/base/random.h"
#include "tool/judge/bench/failure_text.h"
#include "tool/judge/verify/sanitizer_findings.h"
#include "tool/judge/verify/sanitizer_run.h"

namespace hone::judge {
namespace {

constexpr std::size_t least_tool_memory = 1u << 30;  // of a process under a tool, which keeps books of the arguments

}  // namespace

DeviceInspection::DeviceInspection(Setup setup) : setup_(std::move(setup)) {}

Result<Inspected> DeviceInspection::look_for_errors(const InspectedKernel& kernel) {
  HONE_TRY(Inspected inspected, ask_last_tool(kernel));
  if (!inspected.finding) HONE_CHECK(look_for_races(kernel, inspected));
  return inspected;
}

Result<Inspected> DeviceInspection::ask_last_tool(const InspectedKernel& kernel) {
  const bundle::Bundle& bundle = setup_.bundle;
  const bool of_original = bundle.plan.task == bundle::Task::reference;
  Inspected inspected;
  const std::optional<std::string> program = find_compute_sanitizer();
  if (!program) {
    inspected.unwatched = "compute-sanitizer is not installed here: memory errors and races were not looked for";
    inspected.tried.note_not_tried(inspected.unwatched);
    return inspected;
  }
  const std::vector<Case> cases = kernel.verifier.sanitized().sanitized_device_cases();
  SanitizerRunOptions options{.program = *program,
                              .runner = {.program = setup_.runner,
                                         .memory_bytes = std::max(2 * kernel.argument_bytes, least_tool_memory),
                                         .device = setup_.ground.shown_to_runners()},
                              .device_uuid = setup_.ground.device().traits().uuid,
                              .processors = setup_.processors.all,
                              .timeout_seconds = 10 + 1000 * kernel.verifier.reference_seconds(cases.front().problem),
                              .seed = derive(bundle.plan.seed, 0x5a17),
                              .clock = setup_.clock};
  const RunSanitizers watch = [&](SanitizedObject whom, const std::vector<std::string>& tools) {
    options.tools = tools;
    return run_sanitizers(bundle.data, whom == SanitizedObject::original ? bundle.reference : bundle.candidate, cases,
                          options);
  };
  const std::vector<std::string> tools = options.tools;
  setup_.ground.end_untimed_work();  // the tools take turns with the timings, each by itself
  HONE_TRY(SanitizerFindings findings, of_original ? find_in_original(watch, tools) : find_in_candidate(watch, tools));
  setup_.ground.begin_untimed_work();
  inspected.unwatched = std::move(findings.unwatched);
  inspected.tried.note_check("compute-sanitizer");
  inspected.tried.note_not_tried(inspected.unwatched);
  if (!findings.reason.empty())
    inspected.finding = Finding{DiagnosticCode::memory_error, std::move(findings.reason), std::move(findings.report)};
  return inspected;
}

Result<void> DeviceInspection::look_for_races(const InspectedKernel& kernel, Inspected& inspected) {
  const bundle::Bundle& bundle = setup_.bundle;
  if (bundle.plan.task == bundle::Task::reference || bundle.race_checked_candidate.empty()) return {};
  HONE_TRY(const std::unique_ptr<Subject> pausing,
           setup_.start(bundle.race_checked_candidate, {.memory_bytes = kernel.argument_bytes}));
  const auto ready = pausing->ready();
  setup_.ground.end_start();
  if (!ready) {
    inspected.finding = Finding{DiagnosticCode::data_race, "with pauses at its barriers it " + describe(ready.error()),
                                ready.error().text};
    return {};
  }
  HONE_TRY(inspected.finding, kernel.verifier.sanitized().verify_pausing(*pausing));
  inspected.tried.note_check("warps that pause at barriers");
  return {};
}

Result<Counting> DeviceInspection::count(const InspectedKernel& kernel) {
  const CountingOptions options{.runner = setup_.runner,
                                .threads = setup_.bundle.data.threads,
                                .argument_bytes = kernel.argument_bytes,
                                .processors = setup_.processors.all,
                                .seed = derive(setup_.bundle.plan.seed, 0x9c0f)};
  return count_on_device(setup_.bundle.data, setup_.bundle.candidate, kernel.verifier, setup_.ground, options);
}

}  // namespace hone::judge
