#include "tool/search/prompt/compose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "task.h"
#include "tool/search/prompt/render.h"

namespace hone::search {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Request asking(std::string operator_name, std::vector<Ingredient> ingredients) {
  Request request;
  request.operator_name = std::move(operator_name);
  request.ingredients = std::move(ingredients);
  request.best = 2;
  request.shown = {1, 2};
  request.insights = {1, 3};
  request.errors = {3};
  request.profile_of = 0;
  request.target = 8;
  return request;
}

Brief brief_of(const Request& request, Materials materials = {}) {
  return compose(request, four_trials(), blur_facts(), materials);
}

TEST(Compose, AddsOnlyListedIngredients) {
  const Brief brief = brief_of(asking("init", {Ingredient::task}));
  EXPECT_EQ(brief.facts.definition, blur_facts().definition);
  EXPECT_EQ(brief.facts.hardware.vector_bits, 0u);
  EXPECT_EQ(brief.facts.profile, "");
  EXPECT_FALSE(brief.best);
  EXPECT_FALSE(brief.target);
  EXPECT_FALSE(brief.plans);
  EXPECT_THAT(brief.history, IsEmpty());
  EXPECT_THAT(brief.contrast, IsEmpty());
  EXPECT_THAT(brief.insights, IsEmpty());
  EXPECT_THAT(brief.failures, IsEmpty());
  EXPECT_THAT(brief.knowledge, IsEmpty());
}

TEST(Compose, LooksUpTrialsOfRequest) {
  const Brief brief =
      brief_of(asking("init", {Ingredient::task, Ingredient::profile, Ingredient::history, Ingredient::insights,
                               Ingredient::errors, Ingredient::plan, Ingredient::target}));
  ASSERT_EQ(brief.history.size(), 2u);
  EXPECT_EQ(brief.history[0].name, "rows");
  EXPECT_THAT(brief.history[1].standing, HasSubstr("3.00x as fast as the original (2.97x to 3.03x)"));
  EXPECT_EQ(brief.history_order, "slowest first");
  EXPECT_THAT(brief.insights,
              ElementsAre(Insight{"rows", "1.50x", "thought of rows"},
                          Insight{"shifts", "failed: dst[17] is wrong on w=1 h=7", "thought of shifts"}));
  ASSERT_EQ(brief.failures.size(), 1u);
  EXPECT_EQ(brief.failures[0].errors, "got 0.5, expected 0.25");
  EXPECT_EQ(brief.failures[0].source, "");
  EXPECT_EQ(brief.facts.profile, blur_facts().profile);
  EXPECT_TRUE(brief.plans);
  EXPECT_EQ(brief.target, 8u);
  EXPECT_DOUBLE_EQ(brief.target_speedup, 3 * 0.8);
}

TEST(Compose, ShowsOnlyCodeOfBestWithoutInsights) {
  const Brief free = brief_of(asking("init", {Ingredient::task, Ingredient::best}));
  ASSERT_TRUE(free.best);
  EXPECT_THAT(free.best->source, HasSubstr("code of tiles"));
  EXPECT_EQ(free.best->thought, "");
  EXPECT_EQ(free.best->name, "");
  const Brief insight = brief_of(asking("init", {Ingredient::task, Ingredient::best, Ingredient::insights}));
  ASSERT_TRUE(insight.best);
  EXPECT_EQ(insight.best->thought, "thought of tiles");
}

TEST(Compose, ShowsEachTrialOnce) {
  Request request = asking("crossover", {Ingredient::task, Ingredient::best, Ingredient::history, Ingredient::errors});
  request.parents = {1, 2};
  const Brief brief = brief_of(request);
  ASSERT_EQ(brief.parents.size(), 2u);
  EXPECT_FALSE(brief.best);
  EXPECT_THAT(brief.history, IsEmpty());
}

TEST(Compose, GivesRepairExactErrorsAndCode) {
  Request request = asking("repair", {Ingredient::task, Ingredient::errors});
  request.parents = {3};
  request.repair_of = 3;
  const Brief brief = brief_of(request);
  ASSERT_EQ(brief.parents.size(), 1u);
  EXPECT_FALSE(brief.parents[0].right);
  EXPECT_THAT(brief.parents[0].source, HasSubstr("code of shifts"));
  EXPECT_EQ(brief.parents[0].verdict, "dst[17] is wrong on w=1 h=7");
  EXPECT_EQ(brief.parents[0].errors, "got 0.5, expected 0.25");
  EXPECT_THAT(brief.failures, IsEmpty());
  EXPECT_FALSE(brief.tunables);
}

TEST(Compose, TellsRepairWhyReplyWasUnreadable) {
  std::vector<Trial> trials = four_trials();
  trials[3].candidate.source.clear();
  trials[3].verdict.reason = "there is no code in the reply";
  Request request = asking("repair", {Ingredient::task});
  request.parents = {3};
  const Brief brief = compose(request, trials, blur_facts(), {});
  EXPECT_THAT(brief.parents, IsEmpty());
  EXPECT_EQ(brief.unreadable, "there is no code in the reply");
}

TEST(Compose, ScoresContrastedVariants) {
  const Brief brief = brief_of(asking("contrastive", {Ingredient::task, Ingredient::contrastive}));
  ASSERT_EQ(brief.contrast.size(), 2u);
  EXPECT_EQ(brief.contrast[0].score, "5/10");
  EXPECT_EQ(brief.contrast[1].score, "10/10");
  EXPECT_THAT(brief.history, IsEmpty());
}

TEST(Compose, IgnoresLaterTrials) {
  const Request request =
      asking("init", {Ingredient::task, Ingredient::best, Ingredient::contrastive, Ingredient::target});
  std::vector<Trial> more = four_trials();
  more.push_back(right_trial(4, "newer", 9));
  const Brief before = brief_of(request);
  const Brief after = compose(request, more, blur_facts(), {});
  EXPECT_EQ(before.best, after.best);
  EXPECT_EQ(before.contrast, after.contrast);
  EXPECT_EQ(before.target_speedup, after.target_speedup);
}

TEST(Compose, PicksChosenProposalOfAdvice) {
  Request request = asking("implement", {Ingredient::task});
  request.advice = R"([{"name": "a", "idea": "tile"}, {"name": "b", "idea": "unroll"}])";
  request.choice = 1;
  EXPECT_EQ(brief_of(request).advice, "idea: unroll\nname: b");
  request.choice.reset();
  EXPECT_THAT(brief_of(request).advice, HasSubstr("tile"));
}

TEST(Compose, SeparatesChosenTechniqueFromMemory) {
  Request request = asking("apply-technique", {Ingredient::task, Ingredient::memory});
  request.techniques = {{{"memory", {}}, "fuse the sweeps", 1.5, 1.4, 0.6, 4, 1, "needs two sweeps"},
                        {{"memory", {}}, "stream the stores", 1.3, 1.2, 0.5, 2, 0, ""}};
  const Brief brief = brief_of(request);
  EXPECT_EQ(brief.advice, "fuse the sweeps (expected: 1.50x)\nneeds two sweeps");
  ASSERT_EQ(brief.memory.size(), 1u);
  EXPECT_EQ(brief.memory[0].technique, "stream the stores");
}

TEST(Compose, RetrievesNotesByKernelAndAdvice) {
  Materials materials;
  materials.notes = builtin_notes();
  Request request = asking("init", {Ingredient::task, Ingredient::knowledge, Ingredient::profile});
  const auto titles = [&] {
    std::vector<std::string> found;
    for (const KnowledgeItem& item : brief_of(request, materials).knowledge) found.push_back(item.title);
    return found;
  };
  EXPECT_THAT(titles(), testing::Contains("Do borders apart from the inside"));
  EXPECT_EQ(titles().size(), 3u);
  request.advice = R"({"bottleneck": "gathers through the index array"})";
  EXPECT_THAT(titles(), testing::Contains("Avoid gathers"));
}

TEST(Compose, WordsBriefForKernelOfDevice) {
  Request request = asking("init", {Ingredient::task});
  request.brief = "Blocking: tile for {{#gpu}}shared memory{{/gpu}}{{^gpu}}caches{{/gpu}}.";
  EXPECT_EQ(brief_of(request).focus, "Blocking: tile for caches.");
  TaskFacts facts = blur_facts();
  facts.hardware.gpu = "some GPU";
  EXPECT_EQ(compose(request, four_trials(), facts, {}).focus, "Blocking: tile for shared memory.");
  request.brief = "{{#open";
  EXPECT_EQ(brief_of(request).focus, "{{#open");
}

TEST(Compose, PutsProjectExamplesBeforeNoteExamples) {
  Materials materials;
  materials.notes = builtin_notes();
  materials.pairs = {{"sharpen", "key", "c++17", "slow();", "fast();", "", 3.1}};
  const Brief brief = brief_of(asking("init", {Ingredient::task, Ingredient::examples}), materials);
  ASSERT_EQ(brief.examples.size(), 2u);
  EXPECT_EQ(brief.examples[0].title, "sharpen");
  EXPECT_THAT(brief.examples[1].slow, Not(IsEmpty()));
}

// Pairs of so many bytes, half of them the winner's.
std::vector<VerifiedPair> pairs_of(std::initializer_list<std::size_t> sizes) {
  std::vector<VerifiedPair> pairs;
  for (const std::size_t bytes : sizes) {
    const std::string half(bytes / 2, 'x');
    pairs.push_back({fmt::format("k{}", pairs.size()), "key", "c++17", half, half, "", 2});
  }
  return pairs;
}

std::string titles_of(const Brief& brief) {
  std::string titles;
  for (const Example& example : brief.examples) titles += example.title + " ";
  titles += "|";
  for (const Winner& winner : brief.archive) titles += " " + winner.title;
  return titles;
}

TEST(Compose, ShowsNextPairsAsWinnersWithoutTheirOriginals) {
  Materials materials;
  materials.pairs = pairs_of({10, 10, 10, 10, 10, 10});
  const auto both = {Ingredient::task, Ingredient::examples, Ingredient::archive};
  EXPECT_EQ(titles_of(brief_of(asking("init", both), materials)), "k0 k1 | k2 k3 k4");
  EXPECT_EQ(titles_of(brief_of(asking("init", {Ingredient::archive}), materials)), "| k0 k1 k2");
  EXPECT_EQ(titles_of(brief_of(asking("init", {Ingredient::task}), materials)), "|");
}

TEST(Compose, BoundsWhatPairsTakeOfThePage) {
  Materials materials;
  materials.most_pair_code = 1000;
  materials.pairs = pairs_of({600, 600, 300, 600, 100});
  const Brief brief = brief_of(asking("init", {Ingredient::examples, Ingredient::archive}), materials);
  EXPECT_EQ(titles_of(brief), "k0 k2 | k4") << "what does not fit makes way for what does";
}

TEST(Compose, OpinionShowsCandidateAndTaskAlone) {
  const Candidate candidate{.source = "void blur() { fast(); }\n", .name = "rows at once"};
  const auto prompt = render(brief_of_opinion(candidate, blur_facts()));
  ASSERT_TRUE(prompt) << prompt.error().message();
  const std::string text = as_text(*prompt);
  EXPECT_THAT(text, HasSubstr("# The version at hand: rows at once\n"));
  EXPECT_THAT(text, HasSubstr("void blur() { fast(); }"));
  EXPECT_THAT(text, HasSubstr("src: read, w*h floats"));
  EXPECT_THAT(text, Not(HasSubstr("missed: not vectorized")));
}

TEST(Compose, ShortensErrors) {
  const std::string log =
      "In file included from a.h:1,\n<candidate>:3:5: error: 'x' was not declared\n    3 |     x = 1;\n      |     ^\n"
      "<candidate>:3:5: note: suggested alternative\n<candidate>:3:5: error: 'x' was not declared\n";
  EXPECT_EQ(shortened_errors(log), "<candidate>:3:5: error: 'x' was not declared\n    3 |     x = 1;");
  EXPECT_LE(shortened_errors(std::string(100000, 'e') + "\n" + std::string(5000, 'f')).size(), 1700u);
}

}  // namespace
}  // namespace hone::search
