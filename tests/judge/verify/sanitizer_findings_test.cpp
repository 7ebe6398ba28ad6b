// What compute-sanitizer says of a candidate, weighed against what it says of the original.
#include "tool/judge/verify/sanitizer_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>

namespace hone::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

const ComputeSanitizerFinding race{"Race reported", "Race reported in step, x.cu:3", "the report"};

SanitizerRun clean(const std::string& tool) {
  return {.tool = tool};
}
SanitizerRun finds(const std::string& tool, ComputeSanitizerFinding finding = race) {
  return {.tool = tool, .finding = std::move(finding)};
}
SanitizerRun silent(const std::string& tool) {
  return {.tool = tool, .silence = "says nothing"};
}

// Tools whose answers are laid down: one of each list at a time, the last for ever.
struct Tools {
  std::map<std::string, std::deque<SanitizerRun>> of_original, of_candidate;
  unsigned runs = 0;

  RunSanitizers watch() {
    return [this](SanitizedObject whom, const std::vector<std::string>& tools) -> Result<std::vector<SanitizerRun>> {
      std::vector<SanitizerRun> watches;
      for (const std::string& tool : tools) {
        auto& answers = (whom == SanitizedObject::original ? of_original : of_candidate)[tool];
        watches.push_back(answers.empty() ? clean(tool) : answers.front());
        if (answers.size() > 1) answers.pop_front();
        ++runs;
      }
      return watches;
    };
  }
};

const std::vector<std::string> both{"memcheck", "racecheck"};

TEST(SanitizerFindings, AreEmptyWhenNoToolReports) {
  Tools tools;
  const auto findings = find_in_candidate(tools.watch(), both).value();
  EXPECT_THAT(findings.reason, IsEmpty());
  EXPECT_THAT(findings.unwatched, IsEmpty());
  EXPECT_EQ(tools.runs, 2u) << "nobody asks about the original";
}

TEST(SanitizerFindings, RejectCandidateForItsOwnFinding) {
  Tools tools{.of_candidate = {{"racecheck", {finds("racecheck")}}}};
  const auto findings = find_in_candidate(tools.watch(), both).value();
  EXPECT_EQ(findings.reason, "under compute-sanitizer's racecheck: Race reported in step, x.cu:3");
  EXPECT_EQ(findings.report, "the report");
}

TEST(SanitizerFindings, IgnoreWhatOriginalDoesToo) {
  Tools tools{.of_original = {{"racecheck", {finds("racecheck")}}},
              .of_candidate = {{"racecheck", {finds("racecheck")}}}};
  EXPECT_THAT(find_in_candidate(tools.watch(), both).value().reason, IsEmpty());
}

TEST(SanitizerFindings, RejectOtherKindThanOriginals) {
  Tools tools{.of_original = {{"memcheck", {finds("memcheck", {"Invalid read", "Invalid read", ""})}}},
              .of_candidate = {{"memcheck", {finds("memcheck", {"Invalid write", "Invalid write", ""})}}}};
  EXPECT_THAT(find_in_candidate(tools.watch(), both).value().reason, HasSubstr("Invalid write"));
}

TEST(SanitizerFindings, RejectCandidateThatSilencesTool) {
  Tools tools{.of_candidate = {{"memcheck", {silent("memcheck")}}}};
  EXPECT_THAT(find_in_candidate(tools.watch(), both).value().reason,
              AllOf(HasSubstr("compute-sanitizer's memcheck works with the original but not with the candidate"),
                    HasSubstr("says nothing")));
}

TEST(SanitizerFindings, AcceptToolThatSucceedsOnRetry) {
  Tools tools{.of_candidate = {{"memcheck", {silent("memcheck"), clean("memcheck")}}}};
  const auto findings = find_in_candidate(tools.watch(), both).value();
  EXPECT_THAT(findings.reason, IsEmpty());
  EXPECT_THAT(findings.unwatched, IsEmpty());
}

TEST(SanitizerFindings, CountFindingsOfRetry) {
  Tools tools{.of_candidate = {{"racecheck", {silent("racecheck"), finds("racecheck")}}}};
  EXPECT_THAT(find_in_candidate(tools.watch(), both).value().reason, HasSubstr("Race reported"));
}

TEST(SanitizerFindings, ReportToolThatFailsOnOriginalToo) {
  Tools tools{.of_original = {{"memcheck", {silent("memcheck")}}},
              .of_candidate = {{"memcheck", {silent("memcheck")}}}};
  const auto findings = find_in_candidate(tools.watch(), both).value();
  EXPECT_THAT(findings.reason, IsEmpty());
  EXPECT_EQ(findings.unwatched, "compute-sanitizer could not be used here: memcheck says nothing");
}

TEST(SanitizerFindings, NameOriginalForItsOwnFindings) {
  Tools tools{.of_original = {{"memcheck", {silent("memcheck")}}, {"racecheck", {finds("racecheck")}}}};
  const auto findings = find_in_original(tools.watch(), both).value();
  EXPECT_THAT(findings.reason, HasSubstr("the original, under compute-sanitizer's racecheck"));
  EXPECT_THAT(findings.unwatched, HasSubstr("memcheck"));
}

}  // namespace
}  // namespace hone::judge
