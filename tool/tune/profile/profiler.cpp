#include "tool/tune/profile/profiler.h"

#include <algorithm>

#include <fmt/format.h>

#include "tool/tune/facts/roofline.h"
#include "tool/tune/profile/compiler_feedback.h"
#include "tool/tune/profile/count_text.h"
#include "tool/tune/profile/device_profile_text.h"
#include "tool/tune/profile/machine_code_feedback.h"

namespace hone::tune {
namespace {

std::string section(const std::string& title, const std::string& lines) {
  return lines.empty() ? "" : title + '\n' + lines;
}

}  // namespace

Profile Profiler::original(const Measurement& measurement) const {
  return describe(spec_.unit.definition, achieved(facts_, measurement, false), true);
}

std::string Profiler::original_as_compiled() const {
  Profile profile;
  describe_on_device(profile, spec_.unit.definition);
  return profile.text;
}

std::string Profiler::operator()(const Candidate& candidate, const Verdict& verdict) const {
  const bool nearly_fastest = nearly_fastest_->take(verdict.measurement.speedup.median);
  return describe(candidate.source, achieved(facts_, verdict.measurement), nearly_fastest).text;
}

Profile Profiler::describe(const std::string& source, const std::string& achieved, bool nearly_fastest) const {
  Profile profile;
  profile.text = section("Against the machine (operations are those that the original writes down):", achieved);
  if (spec_.cuda && nearly_fastest) count_on_device(profile, source);
  if (spec_.cuda)
    describe_on_device(profile, source);
  else
    describe_on_processor(profile, source);
  return profile;
}

void Profiler::describe_on_processor(Profile& profile, const std::string& source) const {
  if (const auto counts = evaluator_.count(source, stop_); counts && *counts)
    profile.text +=
        section("What a call executes, as callgrind counts it (AVX-512 left out):", executed(**counts, source));
  const auto explained = evaluator_.explain(source, stop_);
  if (!explained || !*explained) return;
  const auto& [remarks, assembly, functions] = **explained;
  profile.text += section("The compiler on its loops:", vectorization_remarks(remarks, source));
  profile.text += section("Its innermost loops as compiled:", innermost_loops(assembly, spec_.mangled_name, source));
}

void Profiler::count_on_device(Profile& profile, const std::string& source) const {
  if (const auto answer = evaluator_.profile(source, stop_); answer && *answer) {
    profile.counted = (*answer)->profile;
    if (profile.counted)
      profile.text += section(fmt::format("What a call does on the device, by ncu's counters ({}; each kernel alone, "
                                          "from an empty cache):",
                                          profile.counted->problem),
                              counted_on_device(*profile.counted));
    else
      profile.uncounted = (*answer)->reason;
  }
}

void Profiler::describe_on_device(Profile& profile, const std::string& source) const {
  const auto explained = evaluator_.explain(source, stop_);
  if (!explained || !*explained) return;
  profile.text += section("What its kernels take:", device_resources((*explained)->functions));
  profile.text += section("Their machine code, counted as it stands:", instruction_mix((*explained)->assembly));
}

bool shows_profiles(const search::Strategy& strategy) {
  return std::ranges::any_of(search::operators_of(strategy), [](const search::OperatorChoice* choice) {
    return std::ranges::find(choice->ingredients, search::Ingredient::profile) != choice->ingredients.end();
  });
}

}  // namespace hone::tune
