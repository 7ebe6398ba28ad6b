// What each preset's prompts hold, section by section, beside the published descriptions: requests of a whole search,
// composed and rendered.
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task.h"
#include "tests/search/fake_model.h"
#include "tool/search/prompt/compose.h"
#include "tool/search/prompt/render.h"

namespace hone::search {
namespace {

using Sections = std::map<std::string, std::string>;  // by operator

// What stands in a prompt, in the order of this list.
std::string sections_of(const std::string& prompt) {
  const std::pair<const char*, const char*> marks[] = {
      {"task", "# The function"},
      {"machine", "# The machine"},
      {"original's profile", "# Measured on the original"},
      {"notes", "# Notes that may apply"},
      {"memory", "# What worked on other kernels"},
      {"pairs", "# Examples of such rewrites"},
      {"winners", "# What won on other kernels"},
      {"history", "# Tried so far"},
      {"scored versions", "# Versions of the function and their scores"},
      {"thoughts", "# What was learned"},
      {"best", "# The best so far"},
      {"errors", "# Mistakes not to repeat"},
      {"two parents", "# Parent 2"},
      {"two versions", "# Version v1"},
      {"parent", "# The version at hand"},
      {"profile", "Measured on it:"},
      {"brief", "Direction for this version:"},
      {"aim", "Aim for a score of 10/10"},
      {"verdict", "Verdict: "},
      {"prediction", "\npredicted: "},
  };
  std::vector<std::string_view> found;
  for (const auto& [name, mark] : marks)
    if (prompt.find(mark) != std::string::npos) found.emplace_back(name);
  return fmt::format("{}", fmt::join(found, ", "));
}

// The richest prompt of each operator in a search where every fourth candidate fails.
Sections sections(const std::string& name) {
  TaskFacts facts = blur_facts();
  Materials materials;
  materials.notes = builtin_notes();
  for (const char* kernel : {"sharpen", "edges", "median", "emboss"})
    materials.pairs.push_back({kernel, kernel, "c++17", "slow();", "fast();", "rows at once", 2});
  Start start;
  start.state = state_of(facts, facts.profile);
  const auto search = make_model_search(*preset(name), start, 1);
  fake::Model model(1);
  Sections richest;
  for (unsigned told = 0; told < 70;) {
    const auto request = search->ask();
    if (!request) break;
    const auto prompt = render(compose(*request, search->trials(), facts, materials));
    EXPECT_TRUE(prompt) << prompt.error().message();
    const std::string found = sections_of(as_text(*prompt));
    std::string& most = richest[request->operator_name];
    if (found.size() > most.size()) most = found;
    if (request->kind == RequestKind::advice) {
      search->tell_advice(*request, model.advise(*request, search->trials()), true);
      continue;
    }
    ++told;
    const std::string text = fmt::format("void blur() {{ /* {} */ }}", told);
    const Verdict verdict = told % 4 == 3 ? fake::wrong(Stage::verify, fmt::format("dst[{}] is wrong", told))
                                          : fake::right(1 + 0.1 * (told * 7 % 23));
    const unsigned trial = search->tell(*request, fake::program(text, fmt::format("thought {}", told)), verdict);
    if (verdict.right) materials.profiles[trial] = "loop vectorised";
  }
  return richest;
}

TEST(PresetPrompts, FreeHoldsTaskAndBestCode) {
  EXPECT_EQ(sections("free"),
            (Sections{{"init", "task, machine, best"}, {"repair", "task, machine, parent, verdict"}}));
}

TEST(PresetPrompts, InsightHoldsBestWithProfileAndThoughts) {
  EXPECT_EQ(sections("insight").at("init"), "task, machine, thoughts, best, profile");
}

TEST(PresetPrompts, FullHoldsParentsThoughtsAndErrors) {
  const Sections full = sections("full");
  EXPECT_EQ(full.at("crossover"), "task, machine, thoughts, best, errors, two parents, profile, verdict");
  EXPECT_EQ(full.at("mutation"), "task, machine, thoughts, best, errors, parent, profile, verdict");
}

TEST(PresetPrompts, SolutionHoldsTaskAndParents) {
  const Sections eoh = sections("solution");
  EXPECT_EQ(eoh.at("i1"), "task, machine");
  EXPECT_EQ(eoh.at("e1"), "task, machine, two parents");
  EXPECT_EQ(eoh.at("m1"), "task, machine, parent");
}

TEST(PresetPrompts, FunSearchHoldsTwoVersions) {
  EXPECT_EQ(sections("funsearch").at("next-version"), "task, machine, two versions");
}

TEST(PresetPrompts, AiCudaEngineerHoldsHistoryProfileAndRetrievedPairs) {
  const Sections engineer = sections("ai-cuda-engineer");
  EXPECT_EQ(engineer.at("propose"), "task, machine, notes, pairs, history, errors, parent, profile, verdict");
  EXPECT_EQ(engineer.at("implement"), "task, machine, notes, winners, parent");
}

TEST(PresetPrompts, JudgeHoldsProfileAndCoderHoldsVerdict) {
  const Sections judge = sections("judge");
  EXPECT_EQ(judge.at("init"), "task, machine");
  EXPECT_EQ(judge.at("coder"), "task, machine, parent, verdict") << "the verdict where it failed";
  EXPECT_EQ(judge.at("judge"), "task, machine, parent, profile");
}

TEST(PresetPrompts, FeaturesHoldsHistoryAndErrors) {
  EXPECT_EQ(sections("features").at("mutation"), "task, machine, history, errors, parent, verdict");
}

TEST(PresetPrompts, ContrastiveHoldsScoredVersionsAndPrediction) {
  EXPECT_EQ(sections("contrastive").at("contrastive"), "task, machine, scored versions, errors, verdict, prediction");
}

TEST(PresetPrompts, MemoryHoldsProfileAndPrediction) {
  const Sections memory = sections("memory");
  EXPECT_EQ(memory.at("apply-technique"), "task, machine, errors, parent, profile, verdict, prediction");
  EXPECT_EQ(memory.at("techniques"), "task, machine, original's profile, notes, parent");
}

TEST(PresetPrompts, MacroMicroHoldsHistoryForPlanAndPairsForStep) {
  const Sections mtmc = sections("macro-micro");
  EXPECT_EQ(mtmc.at("plan"), "task, machine, notes, history, errors, parent, profile, verdict");
  EXPECT_EQ(mtmc.at("micro-step"), "task, machine, pairs, parent");
}

TEST(PresetPrompts, GraphHoldsNotesAndHistory) {
  EXPECT_EQ(sections("graph").at("universal"),
            "task, machine, notes, winners, history, errors, parent, profile, verdict");
}

TEST(PresetPrompts, ColdStartHoldsBriefForStarts) {
  const Sections cold = sections("cold-start");
  EXPECT_EQ(cold.at("init"), "task, machine, notes, brief");
  EXPECT_EQ(cold.at("mutation"), "task, machine, errors, parent, profile, verdict");
}

TEST(PresetPrompts, ExamplesHoldsPairsAndTarget) {
  EXPECT_EQ(sections("examples").at("mutation"), "task, machine, pairs, parent, aim");
}

TEST(PresetPrompts, AutoHoldsDifferentSectionsPerArm) {
  const Sections auto_ = sections("auto");
  EXPECT_EQ(auto_.at("contrastive"), "task, machine, scored versions, errors, verdict");
  EXPECT_EQ(auto_.at("tune-constants"), "task, machine, parent, profile");
}

}  // namespace
}  // namespace hone::search
