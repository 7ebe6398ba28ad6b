#include "tool/judge/verify/sanitizer_findings.h"

#include <fmt/format.h>

namespace hone::judge {
namespace {

void add_unwatched(SanitizerFindings& findings, const SanitizerRun& watch) {
  if (watch.silence.empty()) return;
  findings.unwatched +=
      fmt::format("{}{} {}", findings.unwatched.empty() ? "compute-sanitizer could not be used here: " : "; ",
                  watch.tool, watch.silence);
}

void accuse(SanitizerFindings& findings, const SanitizerRun& watch, const char* whom) {
  findings.reason = fmt::format("{}under compute-sanitizer's {}: {}", whom, watch.tool, watch.finding->sentence);
  findings.report = watch.finding->report;
}

// A tool that comes to its end with the original, and even then not with the candidate, is kept from it. What it says
// at that second try takes the first's place.
Result<bool> keeps_from_working(const RunSanitizers& watch_on, SanitizerRun& watch) {
  HONE_TRY(const auto original, watch_on(SanitizedObject::original, {watch.tool}));
  if (!original.front().silence.empty()) return false;
  HONE_TRY(const auto again, watch_on(SanitizedObject::candidate, {watch.tool}));
  watch = again.front();
  return !watch.silence.empty();
}

Result<bool> is_the_originals_too(const RunSanitizers& watch_on, const SanitizerRun& watch) {
  HONE_TRY(const auto known, watch_on(SanitizedObject::original, {watch.tool}));
  return known.front().finding && known.front().finding->kind == watch.finding->kind;
}

}  // namespace

Result<SanitizerFindings> find_in_original(const RunSanitizers& watch_on, const std::vector<std::string>& tools) {
  HONE_TRY(const auto watches, watch_on(SanitizedObject::original, tools));
  SanitizerFindings findings;
  for (const SanitizerRun& watch : watches) {
    add_unwatched(findings, watch);
    if (!watch.finding) continue;
    accuse(findings, watch, "the original, ");
    break;
  }
  return findings;
}

Result<SanitizerFindings> find_in_candidate(const RunSanitizers& watch_on, const std::vector<std::string>& tools) {
  HONE_TRY(auto watches, watch_on(SanitizedObject::candidate, tools));
  SanitizerFindings findings;
  for (SanitizerRun& watch : watches) {
    if (!watch.silence.empty() && !watch.finding) {
      HONE_TRY(const bool keeps, keeps_from_working(watch_on, watch));
      if (keeps) {
        findings.reason =
            fmt::format("compute-sanitizer's {} works with the original but not with the candidate: it {}", watch.tool,
                        watch.silence);
        break;
      }
    }
    add_unwatched(findings, watch);
    if (!watch.finding) continue;
    HONE_TRY(const bool known, is_the_originals_too(watch_on, watch));
    if (known) continue;
    accuse(findings, watch, "");
    break;
  }
  return findings;
}

}  // namespace hone::judge
