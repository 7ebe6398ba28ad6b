#include "tool/tune/profiler.h"

#include <algorithm>

#include "tool/tune/count_text.h"
#include "tool/tune/device_feedback.h"
#include "tool/tune/feedback.h"
#include "tool/tune/roofline.h"

namespace hone::tune {
namespace {

std::string section(const char* title, const std::string& lines) {
  return lines.empty() ? "" : std::string(title) + '\n' + lines;
}

}  // namespace

std::string Profiler::original(const Measurement& measurement) const {
  return describe(spec_.unit.definition, achieved(facts_, measurement, false));
}

std::string Profiler::operator()(const Candidate& candidate, const Verdict& verdict) const {
  return describe(candidate.source, achieved(facts_, verdict.measurement));
}

// A processor's alone: what a device executes nobody counts.
Result<std::optional<ExecutionCounts>> Profiler::count(const std::string& source) const {
  return spec_.cuda ? std::optional<ExecutionCounts>() : judge_.count(source, stop_);
}

std::string Profiler::describe(const std::string& source, const std::string& achieved) const {
  std::string text = section("Against the machine (operations are those that the original writes down):", achieved);
  if (const auto counts = count(source); counts && *counts)
    text += section("What a call executes, as callgrind counts it (AVX-512 left out):", executed(**counts, source));
  const auto explained = judge_.explain(source, stop_);
  if (!explained || !*explained) return text;
  const auto& [remarks, assembly, functions] = **explained;
  if (spec_.cuda) {
    text += section("What its kernels take:", device_resources(functions));
    return text + section("Their machine code, counted as it stands:", instruction_mix(assembly));
  }
  text += section("The compiler on its loops:", vectorisation_remarks(remarks, source));
  text += section("Its innermost loops as compiled:", innermost_loops(assembly, spec_.mangled_name, source));
  return text;
}

bool shows_profiles(const search::Strategy& strategy) {
  return std::ranges::any_of(search::operators_of(strategy), [](const search::OperatorChoice* choice) {
    return std::ranges::find(choice->ingredients, search::Ingredient::profile) != choice->ingredients.end();
  });
}

}  // namespace hone::tune
