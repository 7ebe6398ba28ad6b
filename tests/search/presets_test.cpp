// Each preset beside the published description of the system it is named after: operators, parents, population, and
// what enters the prompt. What differs on purpose stands in docs/search.md.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/fake_model.h"
#include "tool/search/population.h"

namespace hone::search {
namespace {

using fake::program;
using fake::right;
using fake::wrong;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;
using enum Ingredient;

class Trying {
 public:
  explicit Trying(const std::string& name, Start start = {})
      : search_(make_model_search(*preset(name), std::move(start), 1)) {}

  Request ask() {
    auto request = search_->ask();
    EXPECT_TRUE(request);
    return request.value_or(Request{});
  }
  unsigned tell(const Request& request, const Verdict& verdict, const std::string& thought = "") {
    return search_->tell(request, program("program " + std::to_string(++told_), thought), verdict);
  }
  // Asks and tells one candidate, with advice that is given on the way.
  Request step(const Verdict& verdict, const std::string& advice = "{}") {
    Request request = ask();
    while (request.kind == RequestKind::advice) {
      search_->tell_advice(request, advice, true);
      request = ask();
    }
    last_ = tell(request, verdict, "thought " + std::to_string(told_));
    return request;
  }
  unsigned last() const { return last_; }
  Search& search() { return *search_; }

 private:
  std::unique_ptr<Search> search_;
  unsigned told_ = 0;
  unsigned last_ = 0;
};

TEST(FreePreset, AlwaysShowsTaskAndBestCode) {
  Trying run("free");
  for (const double speedup : {1.5, 3.0, 2.0, 1.2}) {
    const Request request = run.step(right(speedup));
    EXPECT_EQ(request.operator_name, "init");
    EXPECT_THAT(request.parents, IsEmpty());
    EXPECT_THAT(request.ingredients, ElementsAre(task, hardware, best));
    EXPECT_THAT(request.insights, IsEmpty());
  }
  EXPECT_EQ(run.ask().best, 2u) << "one survives: the best";
}

TEST(InsightPreset, AddsProfileOfBestAndThreeThoughts) {
  Trying run("insight");
  for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(run.step(right(1.1 + i)).operator_name, "init");
  const Request request = run.ask();
  EXPECT_THAT(request.ingredients, ElementsAre(task, hardware, profile, best, insights));
  EXPECT_EQ(request.profile_of, request.best);
  EXPECT_THAT(request.insights, SizeIs(3));
  EXPECT_THAT(request.insights, Not(Contains(request.best))) << "its thought is shown with it";
}

TEST(FullPreset, CrossesAndMutatesAfterTwoValidStarts) {
  Trying run("full");
  const Request first = run.ask();
  EXPECT_EQ(first.operator_name, "init");
  run.tell(first, right(2));  // the original counts as the other
  std::map<std::string, unsigned> asked;
  for (unsigned i = 0; i < 10; ++i) {
    const Request request = run.step(right(1 + i));
    ++asked[request.operator_name];
    EXPECT_THAT(request.parents, SizeIs(request.operator_name == "crossover" ? 2 : 1));
    EXPECT_THAT(request.ingredients, IsSupersetOf({task, hardware, best, insights}));
  }
  EXPECT_THAT(asked, ElementsAre(std::pair("crossover", 5u), std::pair("mutation", 5u)));
  EXPECT_EQ(preset("full")->size, 5u) << "the five best survive";
  EXPECT_EQ(preset("full")->selection, Selection::rank);
}

TEST(EvoEngineerPresets, RepairFailedTrialNext) {
  for (const char* name : {"free", "insight", "full"}) {
    Trying run(name);
    const Request request = run.ask();
    const unsigned failed = run.tell(request, wrong(Stage::compile, "line 2: no such thing"));
    EXPECT_EQ(run.ask().repair_of, failed) << name;
  }
}

TEST(SolutionPreset, CyclesThroughFiveOperators) {
  Trying run("solution");
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(run.step(right(1.1 + i)).operator_name, "i1");
  std::vector<std::string> names;
  for (unsigned i = 0; i < 8; ++i) {
    const Request request = run.step(right(1.1 + i));
    names.push_back(request.operator_name);
    EXPECT_THAT(request.parents, SizeIs(request.operator_name[0] == 'e' ? 2 : 1));
  }
  EXPECT_THAT(names, ElementsAre("e1", "e2", "m1", "m2", "e1", "e2", "m1", "m2"));
  EXPECT_EQ(preset("solution")->population, "elite");
  EXPECT_EQ(preset("solution")->size, 5u);
}

TEST(FunSearchPreset, ShowsTwoProgramsOfOneIslandSlowerFirst) {
  Trying run("funsearch");
  std::set<unsigned> islands;
  for (unsigned i = 0; i < 60; ++i) {
    const Request request = run.step(right(1 + 0.05 * ((i * 7) % 31)));
    EXPECT_EQ(request.operator_name, "next-version");
    islands.insert(request.island);
    if (request.parents.size() < 2) continue;  // an island that has the original alone
    EXPECT_LE(fitness(run.search().trials()[request.parents[0]].verdict),
              fitness(run.search().trials()[request.parents[1]].verdict));
  }
  EXPECT_THAT(islands, SizeIs(5));
  EXPECT_EQ(preset("funsearch")->population, "islands");
  EXPECT_EQ(preset("funsearch")->exchange, Exchange::reset) << "the worse half (parts_test.cpp)";
}

TEST(AiCudaEngineerPreset, ShowsTopFiveAndImplementsEachProposal) {
  Trying run("ai-cuda-engineer");
  EXPECT_EQ(run.step(right(1.5)).operator_name, "init");
  for (unsigned i = 0; i < 6; ++i) run.step(right(2 + i));
  const Request propose = run.ask();
  EXPECT_EQ(propose.operator_name, "propose");
  EXPECT_EQ(propose.proposals, 5u);
  EXPECT_THAT(propose.parents, ElementsAre(7)) << "the best";
  EXPECT_THAT(propose.shown, ElementsAre(3, 4, 5, 6)) << "with the parent, five, slow to fast";
  EXPECT_THAT(propose.ingredients, IsSupersetOf({profile, history, knowledge, examples}));
  run.search().tell_advice(propose, R"([{"name":"a"},{"name":"b"},{"name":"c"}])", true);
  for (unsigned i = 0; i < 3; ++i) {
    const Request request = run.step(right(2));
    EXPECT_EQ(request.operator_name, "implement");
    EXPECT_EQ(request.choice, i);
    EXPECT_EQ(request.parents, propose.parents);
  }
  EXPECT_EQ(run.ask().operator_name, "propose");
}

TEST(JudgePreset, AlternatesJudgeAndCoderOnCurrentProgram) {
  Trying run("judge");
  const Request init = run.ask(), other = run.ask();
  EXPECT_EQ(init.operator_name, "init");
  EXPECT_THAT(init.ingredients, ElementsAre(task, hardware));
  EXPECT_NE(init.island, other.island) << "chains side by side";
  EXPECT_EQ(run.search().ask(), std::nullopt) << "one step at a time on each";
  const unsigned current = run.tell(init, right(0.8));
  const Request judge = run.ask();
  EXPECT_EQ(judge.operator_name, "judge");
  EXPECT_THAT(judge.parents, ElementsAre(current)) << "the last program, be it slow";
  EXPECT_EQ(judge.profile_of, current) << "CudaForge profiles the best one here";
  EXPECT_THAT(judge.shown, IsEmpty()) << "no history";
  run.search().tell_advice(judge, R"({"bottleneck":"latency"})", true);
  const Request coder = run.ask();
  EXPECT_EQ(coder.operator_name, "coder");
  EXPECT_EQ(coder.advice, R"({"bottleneck":"latency"})");
  EXPECT_THAT(coder.parents, ElementsAre(current));
  const unsigned broken = run.tell(coder, wrong(Stage::verify));
  const Request repair = run.ask();
  EXPECT_EQ(repair.operator_name, "judge");
  EXPECT_EQ(repair.repair_of, broken) << "not runnable: the judge says what to fix";
  EXPECT_EQ(repair.profile_of, std::nullopt);
}

TEST(JudgePreset, StartsAfreshAfterTenRounds) {
  Trying run("judge");
  const Request other = run.ask();  // stays open, so that one chain does all
  std::vector<std::string> names;
  for (unsigned i = 0; i < 11; ++i) names.push_back(run.step(right(1)).operator_name);
  EXPECT_EQ(names.front(), "init");
  EXPECT_THAT(std::vector(names.begin() + 1, names.begin() + 10), testing::Each("coder"));
  EXPECT_EQ(names.back(), "init") << "then it starts afresh";
}

TEST(FeaturesPreset, SeedsNextDepthWithFastest) {
  Trying run("features");
  std::vector<Request> depth;
  for (unsigned i = 0; i < 5; ++i) depth.push_back(run.ask());
  EXPECT_EQ(run.search().ask(), std::nullopt) << "a depth ends before the next begins";
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(depth[i].operator_name, "init");
    run.tell(depth[i], i == 2 ? right(3) : i == 3 ? right(2) : wrong(Stage::verify, std::to_string(i)));
  }
  const Request next = run.ask();
  EXPECT_EQ(next.operator_name, "mutation");
  EXPECT_THAT(next.parents, ElementsAre(3));
  EXPECT_THAT(next.errors, ElementsAre(1, 2, 5)) << "errors and history go back";
  EXPECT_THAT(next.shown, Not(IsEmpty()));
}

TEST(FeaturesPreset, RepairsWhenDepthFailed) {
  Trying run("features");
  for (unsigned i = 0; i < 5; ++i) run.step(wrong(Stage::verify, std::to_string(i)));
  for (unsigned i = 0; i < 5; ++i) {
    const Request request = run.step(i == 4 ? right(2) : wrong(Stage::compile));
    EXPECT_EQ(request.operator_name, "repair");
    EXPECT_EQ(request.repair_of, i + 1);
    EXPECT_THAT(request.ingredients, IsSupersetOf({history, errors}));
  }
  EXPECT_THAT(run.ask().parents, ElementsAre(10));
}

TEST(ContrastivePreset, ShowsScoredVariantsSlowestFirst) {
  Trying run("contrastive");
  for (unsigned i = 0; i < 2; ++i) EXPECT_EQ(run.step(right(3 - i)).operator_name, "init");
  for (unsigned i = 0; i < 4; ++i) run.step(right(1.3 + i));
  const Request request = run.ask();
  EXPECT_EQ(request.operator_name, "contrastive");
  EXPECT_THAT(request.ingredients, Contains(contrastive));
  ASSERT_THAT(request.shown, SizeIs(4));
  std::vector<unsigned> scores;
  for (const unsigned shown : request.shown) scores.push_back(score_of(run.search().trials(), shown));
  EXPECT_TRUE(std::is_sorted(scores.begin(), scores.end()));
  EXPECT_LT(scores.front(), scores.back());
  EXPECT_EQ(scores.back(), 10u);
}

TEST(ContrastivePreset, SpreadsShownVariantsOverSpeeds) {
  Trying run("contrastive");
  for (const double speedup : {1.5, 3.0, 3.01, 3.02, 3.03, 3.04, 3.05, 6.0}) run.step(right(speedup));
  for (unsigned i = 0; i < 10; ++i) {
    const Request request = run.step(right(3 + 0.001 * i));
    EXPECT_THAT(request.shown, SizeIs(4));
    EXPECT_THAT(request.shown, IsSupersetOf({0u, 1u, 8u})) << "the original, the slow one, one of many, the fastest";
  }
}

TEST(MemoryPreset, AppliesTechniqueAndLearnsGain) {
  Trying run("memory");
  const Request ask = run.ask();
  EXPECT_EQ(ask.operator_name, "techniques") << "the memory is empty: the model fills it";
  run.search().tell_advice(ask, R"([{"technique":"tile","predicted":3.0}])", true);
  const Request apply = run.ask();
  EXPECT_EQ(apply.operator_name, "apply-technique");
  ASSERT_THAT(apply.techniques, SizeIs(1));
  EXPECT_EQ(apply.predicted_gain, 3.0);
  run.tell(apply, right(1.2));
  ASSERT_THAT(run.search().memory().entries(), SizeIs(1));
  EXPECT_NEAR(run.search().memory().entries()[0].actual, 1.2, 1e-9);
  const Request post_mortem = run.ask();
  EXPECT_EQ(post_mortem.operator_name, "post-mortem") << "less than half of what was predicted";
  run.search().tell_advice(post_mortem, "the data fit already", true);
  EXPECT_EQ(run.search().memory().entries()[0].note, "the data fit already");
}

TEST(MemoryPreset, DoesNotAskForKnownTechniques) {
  Start start;
  start.state = {"memory", {{"locality", 1}}};
  for (const char* known : {"a", "b", "c", "d", "e"}) start.memory.expect(start.state, known, 1.5);
  Trying run("memory", start);
  EXPECT_EQ(run.ask().operator_name, "apply-technique");
}

TEST(MacroMicroPreset, ImplementsExactlyThePlannedAction) {
  Trying run("macro-micro");
  const Request plan = run.ask();
  EXPECT_EQ(plan.operator_name, "plan");
  run.search().tell_advice(plan, R"({"action":"tile","region":"inner loops"})", true);
  const Request micro = run.ask();
  EXPECT_EQ(micro.operator_name, "micro-step");
  EXPECT_EQ(micro.parents, plan.parents);
  EXPECT_THAT(micro.advice, testing::HasSubstr("tile"));
  EXPECT_THAT(micro.ingredients, Contains(examples));
}

TEST(MacroMicroPreset, ShowsLineageToPlanner) {
  Trying run("macro-micro");
  for (const double speedup : {1.5, 2.0, 2.5}) run.step(right(speedup), R"({"action":"tile","region":"i"})");
  bool lineage = false;
  for (unsigned i = 0; i < 10; ++i) {
    const Request plan = run.ask();
    ASSERT_EQ(plan.operator_name, "plan");
    ASSERT_THAT(plan.parents, SizeIs(1));
    const auto& trials = run.search().trials();
    const auto& ancestors = trials[plan.parents[0]].candidate.parents;
    if (!ancestors.empty() && ancestors[0] != 0)
      lineage = lineage || std::ranges::find(plan.shown, ancestors[0]) != plan.shown.end();
    run.search().tell_advice(plan, R"({"action":"unroll","region":"j"})", true);
    run.tell(run.ask(), right(2.6 + 0.1 * i));
  }
  EXPECT_TRUE(lineage);
}

TEST(GraphPreset, UsesOneOperatorWithFourHistories) {
  Trying run("graph");
  bool inherit = false, compare = false, combine = false, clean = false;
  for (unsigned i = 0; i < 80; ++i) {
    const Request request = run.step(right(1 + 0.1 * (i % 13)));
    EXPECT_EQ(request.operator_name, "universal");
    const auto& trials = run.search().trials();
    clean = clean || request.parents.empty();
    combine = combine || request.parents.size() == 2;
    if (request.parents.size() != 1) continue;
    for (const unsigned shown : request.shown) {
      compare = compare || trials[shown].candidate.parents == request.parents;
      inherit = inherit || trials[request.parents[0]].candidate.parents == std::vector{shown};
    }
  }
  EXPECT_TRUE(inherit && compare && combine && clean);
}

TEST(ColdStartPreset, BriefsStartsDifferentlyThenUsesIslands) {
  Trying run("cold-start");
  std::set<std::string> briefs;
  for (unsigned i = 0; i < 8; ++i) {
    const Request request = run.ask();
    EXPECT_EQ(request.operator_name, "init");
    briefs.insert(request.brief);
    const char* techniques[] = {"_mm256", "std::thread", "plain", "prefetch"};
    run.search().tell(request, program(techniques[i % 4]), right(1.2 + 0.1 * i));
  }
  EXPECT_THAT(briefs, SizeIs(8));
  std::set<unsigned> islands;
  for (unsigned i = 0; i < 30; ++i) {
    const Request request = run.step(right(1));
    EXPECT_TRUE(request.operator_name == "mutation" || request.operator_name == "crossover");
    islands.insert(request.island);
  }
  EXPECT_THAT(islands, SizeIs(3));
}

TEST(ColdStartPreset, ReusesBriefOfUnansweredStart) {
  Trying run("cold-start");
  const Request first = run.ask(), unanswered = run.ask();
  run.search().fail(unanswered);
  EXPECT_EQ(run.ask().brief, unanswered.brief);
  EXPECT_NE(first.brief, unanswered.brief);
}

TEST(ExamplesPreset, ShowsPairsAndAsksForFullScore) {
  Trying run("examples");
  const Request request = run.ask();
  EXPECT_EQ(request.operator_name, "mutation");
  EXPECT_THAT(request.ingredients, ElementsAre(task, hardware, examples, target));
  EXPECT_EQ(request.target, 10u);
  run.tell(request, right(1.5));
  for (const double speedup : {2.5, 2.0, 1.2}) run.step(right(speedup));
  EXPECT_THAT(run.ask().parents, ElementsAre(2)) << "the best";
}

TEST(AutoPreset, StartsFromSeedsAndTriesEveryArm) {
  Start start;
  start.seeds = {{program("the built-in proposer's"), right(2)}};
  Trying run("auto", start);
  EXPECT_EQ(run.ask().best, 1u);
  std::set<std::string> arms;
  for (unsigned i = 0; i < 60; ++i) arms.insert(run.step(right(1 + 0.1 * (i % 9))).arm);
  EXPECT_EQ(arms.size(), preset("auto")->operators.size());
}

TEST(AutoPreset, PrefersArmThatGains) {
  Trying run("auto");
  std::map<std::string, unsigned> asked;
  double speedup = 1;
  for (unsigned i = 0; i < 80; ++i) {
    Request request = run.ask();
    while (request.kind == RequestKind::advice) {
      run.search().charge(request, 1000);
      run.search().tell_advice(request, "{}", true);
      request = run.ask();
    }
    run.search().charge(request, 1000);
    ++asked[request.arm];
    run.tell(request, request.arm == "crossover" ? right(speedup *= 1.2) : right(1));
  }
  for (const auto& [arm, times] : asked)
    if (arm != "crossover") {
      EXPECT_GT(asked["crossover"], times) << arm;
    }
}

TEST(AutoPreset, PrefersCheaperOfEquallyGoodArms) {
  Trying run("auto");
  std::map<std::string, unsigned> asked;
  double speedup = 1;
  for (unsigned i = 0; i < 90; ++i) {
    Request request = run.ask();
    while (request.kind == RequestKind::advice) {
      run.search().charge(request, 3000);
      run.search().tell_advice(request, "{}", true);
      request = run.ask();
    }
    ++asked[request.arm];
    const bool gains = request.arm == "crossover" || request.arm == "mutation/profile";
    run.search().charge(request, request.arm == "crossover" ? 600 : 3000);
    run.tell(request, gains ? right(speedup *= 1.1) : right(1));
  }
  EXPECT_GT(asked["crossover"], asked["mutation/profile"]);
}

TEST(AutoPreset, HasArmsWithDistinctOperatorsAndIngredients) {
  std::map<std::string, std::set<std::vector<Ingredient>>> shown;
  const Strategy strategy = *preset("auto");
  for (const OperatorChoice& arm : strategy.operators)
    EXPECT_TRUE(shown[arm.name].insert(arm.ingredients).second) << "twice the same: " << arm.label();
  EXPECT_GE(shown.size(), 5u);
  EXPECT_THAT(shown.at("init"), SizeIs(2));
  EXPECT_THAT(shown.at("mutation"), SizeIs(2));
  EXPECT_TRUE(preset("auto")->seeded);
  EXPECT_EQ(preset("auto")->schedule, Schedule::bandit);
}

TEST(AutoPreset, RepairsFailedTrialNext) {
  Trying run("auto");
  const Request request = run.ask();
  const unsigned failed = run.tell(request, wrong(Stage::compile));
  EXPECT_EQ(run.ask().repair_of, failed);
}

}  // namespace
}  // namespace hone::search
