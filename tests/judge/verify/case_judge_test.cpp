// Single cases on fakes: who is blamed, what is dropped, and what each kind of judge finds.
#include "tool/judge/verify/case_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tests/judge/fake_ground.h"
#include "tests/judge/fake_subject.h"
#include "tool/judge/verify/case_maker.h"
#include "tool/judge/verify/case_runs.h"
#include "tool/judge/verify/pattern_judge.h"
#include "tool/judge/verify/sanitized_judge.h"
#include "tool/judge/verify/special_judge.h"

namespace hone::judge {
namespace {
using testing::HasSubstr;
using testing::StartsWith;

FakeKernel crashing_from(int size) {
  return [size](const FakeCall& call) -> RunnerAnswer<double> {
    if (call.n >= size) return tl::unexpected(RunnerFailure{.fault = {.signal = SIGSEGV}});
    return right(call);
  };
}
// Right but for what `wrong` says of an input.
template <class Wrong>
FakeKernel adding_one_where(Wrong wrong) {
  return [wrong](const FakeCall& call) {
    const auto took = right(call);
    for (int i = 0; i < call.n; ++i)
      if (wrong(call, i)) call.y[i] += 1;
    return took;
  };
}

struct Runs {
  explicit Runs(FakeKernel candidate, FakeKernel original = right)
      : reference(clock, {200}, std::move(original)), second(clock, {200}, std::move(candidate)) {}

  Case of_size(int n) {
    const auto c = runs.maker().make(0, {{.parameter = 2, .value = n}}, plan.memory_bytes);
    EXPECT_TRUE(c && *c);
    return **c;
  }
  static std::string reason(const Found& found) {
    EXPECT_TRUE(found) << found.error().message();
    return found && *found ? (*found)->reason : "";
  }

  FakeClock clock;
  FakeGround ground;
  const KernelSpec spec = fake_spec(1);
  const bundle::Plan plan{.seed = 7, .memory_bytes = 1u << 30};
  FakeSubject reference, second;
  CaseRuns runs{{.kernel = spec,
                 .spec = spec,
                 .plan = plan,
                 .reference = reference,
                 .second = second,
                 .clock = clock,
                 .ground = ground}};
};

TEST(CaseJudge, CountsCaseThatOriginalRefusesAsDropped) {
  Runs of(right, crashing_from(100));
  EXPECT_EQ(Runs::reason(CaseJudge(of.runs).judge(of.of_size(150), {})), "");
  EXPECT_TRUE(of.runs.last_dropped());
  EXPECT_EQ(of.runs.dropped(), 1u);
}

TEST(CaseJudge, RestartsOriginalOncePerDroppedCase) {
  Runs of(right, crashing_from(3));
  const Case few = of.of_size(8);  // so few that other data are drawn first, for the scale
  EXPECT_EQ(Runs::reason(CaseJudge(of.runs).judge(few, {})), "");
  EXPECT_EQ(of.reference.restarts(), 1u);
  EXPECT_EQ(Runs::reason(CaseJudge(of.runs).glance(few, {})), "");
  EXPECT_EQ(of.reference.restarts(), 2u);
  EXPECT_EQ(of.runs.dropped(), 2u);
}

TEST(CaseJudge, FindsWhatTakesInputsForThoseOfEarlierCall) {
  const auto memory = std::make_shared<std::vector<float>>();
  Runs of([memory](const FakeCall& call) {
    if (call.number == 0) memory->assign(call.x, call.x + call.n);
    FakeCall earlier = call;
    earlier.x = memory->data();
    return right(earlier);
  });
  EXPECT_THAT(Runs::reason(CaseJudge(of.runs).judge_changed(of.of_size(50), Bench::Change::few)),
              StartsWith("remembers an earlier call whose inputs were others: y["));
}

// Of a thousand elements, three that change are hardly ever the largest; of half of them the ends stay.
TEST(CaseJudge, FindsWhatKnowsInputsByTheirEnds) {
  struct Memory {
    float first = 0, last = 0, most = 0;
    bool filled = false;
  };
  const auto largest = [](const FakeCall& call) { return call.n > 0 ? *std::max_element(call.x, call.x + call.n) : 0; };
  const auto answer = [](const FakeCall& call, float most) -> RunnerAnswer<double> {
    std::fill_n(call.y, call.n, most);
    return 1e-5;
  };
  const auto memory = std::make_shared<Memory>();
  const auto remembering = [=](const FakeCall& call) {
    if (call.number == 0) *memory = {};
    const float first = call.n > 0 ? call.x[0] : 0, last = call.n > 0 ? call.x[call.n - 1] : 0;
    if (!memory->filled || memory->first != first || memory->last != last) *memory = {first, last, largest(call), true};
    return answer(call, memory->most);
  };
  Runs of(remembering, [=](const FakeCall& call) { return answer(call, largest(call)); });
  bool found = false;
  for (int n = 0; n < 8 && !found; ++n)
    found = Runs::reason(CaseJudge(of.runs).judge_changed(of.of_size(1000), Bench::Change::half))
                .starts_with("remembers an earlier call whose inputs were others: y[");
  EXPECT_TRUE(found);
}

TEST(CaseJudge, MeasuresErrorInTolerances) {
  Runs of([](const FakeCall& call) {
    const auto took = right(call);
    if (call.n > 0) call.y[0] *= 1.0000005f;
    return took;
  });
  const auto errors = CaseJudge(of.runs).errors(of.of_size(100));
  ASSERT_TRUE(errors && *errors);
  EXPECT_GT((*errors)->candidate, 0);
  EXPECT_LT((*errors)->candidate, 1);
  EXPECT_FALSE((*errors)->original);
}

TEST(CaseRuns, GivesScalesOfFewElementsAlone) {
  Runs of(right);
  const auto few = of.runs.scales(of.of_size(8)), many = of.runs.scales(of.of_size(100));
  ASSERT_TRUE(few && *few && many && *many);
  EXPECT_TRUE((*many)->empty());
  ASSERT_EQ((*few)->size(), 4u);  // of x, y, n and the return value
  ASSERT_EQ((**few)[1].size(), 1u);
  EXPECT_NEAR((**few)[1][0], 2 / std::sqrt(3.0), 0.5);  // twice the rms of what is uniform between -1 and 1
}

TEST(CaseRuns, KeepsBestTimeOfDeclaredProblem) {
  unsigned calls = 0;
  Runs of(right, [&](const FakeCall& call) { return double_each(call, ++calls == 2 ? 1e-5 : 3e-5); });
  const Case declared = make_case(of.spec, of.reference, 0, 1, {}, 1u << 30).value();
  CaseJudge judge(of.runs);
  for (int n = 0; n < 3; ++n) ASSERT_TRUE(judge.time_reference(declared));
  EXPECT_NEAR(of.runs.reference_seconds(0), 1e-5, 1e-9);
}

TEST(CaseMaker, FindsWhichScalarsAreSizes) {
  Runs of(right);
  const Case declared = make_case(of.spec, of.reference, 0, 1, {}, 1u << 30).value();
  const auto sizes = of.runs.maker().sizes(declared);
  ASSERT_TRUE(sizes);
  EXPECT_EQ(*sizes, (Sizes{false, false, true}));
}

TEST(CaseMaker, MakesNoCaseAndRestartsOriginalIfItsHarnessFails) {
  Runs of(right);
  of.reference.harness_fails_for = 5;
  const auto c = of.runs.maker().make(0, {{.parameter = 2, .value = 5}}, 1u << 30);
  ASSERT_TRUE(c);
  EXPECT_FALSE(*c);
  EXPECT_EQ(of.reference.restarts(), 1u);
}

TEST(CaseJudge, FindsDeviceMemoryThatEachCallKeeps) {
  for (const runner::Balance keeps : {runner::Balance{.device_bytes = 1u << 20}, {.pooled_bytes = 512}}) {
    Runs of(right);
    of.ground.fake_traits.counts_every_byte = false;
    of.second.keeps = keeps;
    EXPECT_THAT(Runs::reason(CaseJudge(of.runs).judge_growth(of.of_size(50))),
                HasSubstr("more of the device's memory with each call"));
    of.reference.keeps = keeps;
    EXPECT_EQ(Runs::reason(CaseJudge(of.runs).judge_growth(of.of_size(50))), "");
  }
}

TEST(CaseJudge, TakesMemoryThatOthersTakeOnDeviceForTheirs) {
  Runs of(right);
  of.ground.fake_traits.counts_every_byte = false;
  of.second.others_hold = [](unsigned call) { return std::uint64_t{call} * call << 20; };
  EXPECT_EQ(Runs::reason(CaseJudge(of.runs).judge_growth(of.of_size(50))), "");
}

TEST(CaseJudge, CountsOnDeviceNoMemoryOfProcess) {
  Runs of(right);
  of.ground.fake_traits.counts_every_byte = false;
  of.second.keeps = {.heap_bytes = 4096};
  EXPECT_EQ(Runs::reason(CaseJudge(of.runs).judge_growth(of.of_size(50))), "");
}

TEST(CaseJudge, FindsDeviceLimitsThatCallChanges) {
  Runs of(right);
  of.second.keeps = {.changed = runner::changed_device};
  EXPECT_THAT(Runs::reason(CaseJudge(of.runs).judge(of.of_size(50), {})),
              HasSubstr("leaves the device's limits changed"));
}

TEST(CaseMaker, DrawsOtherDataOfSameSizeForVariant) {
  Runs of(right);
  const Case c = of.of_size(50);
  const auto other = of.runs.maker().variant(c, c.seed + 1);
  ASSERT_TRUE(other && *other);
  EXPECT_EQ((*other)->arrays[0].elements, 50u);
  EXPECT_NE((*other)->seed, c.seed);
}

TEST(PatternJudge, FindsCandidateThatIsWrongOnEqualNeighbors) {
  Runs of(adding_one_where([](const FakeCall& call, int i) { return i > 0 && call.x[i] == call.x[i - 1]; }));
  const std::vector<Pattern> ties{{.kind = PatternKind::equal}};
  EXPECT_THAT(Runs::reason(PatternJudge(of.runs).judge(of.of_size(100), ties, false, 1)), StartsWith("y["));
}

// As sums in another order lose them.
TEST(PatternJudge, BearsLostDigitsOnManyEqualNumbersIfTruthIsUnknown) {
  const auto reason_for = [](float factor) {
    Runs of([factor](const FakeCall& call) {
      const auto took = right(call);
      for (int i = 0; i < call.n; ++i) call.y[i] *= factor;
      return took;
    });
    return Runs::reason(PatternJudge(of.runs).judge(of.of_size(100), {{.kind = PatternKind::whole}}, false, 1));
  };
  EXPECT_EQ(reason_for(1.003f), "");
  EXPECT_THAT(reason_for(1.2f), StartsWith("y["));
}

TEST(PatternJudge, DropsPatternThatOriginalDoesNotBear) {
  const auto crashes_on_ties = [](const FakeCall& call) -> RunnerAnswer<double> {
    if (call.n > 1 && call.x[0] == call.x[1]) return tl::unexpected(RunnerFailure{.fault = {.signal = SIGFPE}});
    return right(call);
  };
  Runs of(adding_one_where([](const FakeCall& call, int i) { return i > 0 && call.x[i] == call.x[i - 1]; }),
          crashes_on_ties);
  const std::vector<Pattern> ties{{.kind = PatternKind::equal}};
  EXPECT_EQ(Runs::reason(PatternJudge(of.runs).judge(of.of_size(100), ties, false, 1)), "");
  EXPECT_GE(of.runs.dropped(), 1u);
}

TEST(SpecialJudge, FindsCandidateThatLosesNan) {
  Runs of([](const FakeCall& call) {
    const auto took = right(call);
    for (int i = 0; i < call.n; ++i)
      if (std::isnan(call.y[i])) call.y[i] = 0;
    return took;
  });
  const Case c = of.of_size(60);
  const auto specials = special_values(of.spec, c, SpecialScope::many, false);
  EXPECT_THAT(Runs::reason(SpecialJudge(of.runs).judge(c, specials, {.seconds = 1})), HasSubstr("expected nan"));
}

TEST(SpecialJudge, AcceptsRightCandidate) {
  Runs of(right);
  const Case c = of.of_size(60);
  const auto specials = special_values(of.spec, c, SpecialScope::many, false);
  EXPECT_EQ(Runs::reason(SpecialJudge(of.runs).judge(c, specials, {.seconds = 1})), "");
}

TEST(SanitizedJudge, BlamesCandidateIfOriginalIsClean) {
  Runs of(right);
  FakeSubject guilty(of.clock, {200}, crashing_from(20)), clean(of.clock, {200}, right);
  SanitizedJudge judge(of.runs);
  EXPECT_THAT(Runs::reason(judge.judge(of.of_size(50), guilty, &clean, "under the sanitizers: ")),
              StartsWith("under the sanitizers: crashed: SIGSEGV"));
}

TEST(SanitizedJudge, ExcusesCaseThatBreaksOriginalToo) {
  Runs of(right);
  FakeSubject guilty(of.clock, {200}, crashing_from(20)), broken(of.clock, {200}, crashing_from(20));
  SanitizedJudge judge(of.runs);
  EXPECT_EQ(Runs::reason(judge.judge(of.of_size(50), guilty, &broken, "")), "");
  EXPECT_EQ(guilty.restarts(), 1u);
  EXPECT_EQ(broken.restarts(), 1u);
}

TEST(SanitizedJudge, FindsRaceIfSlowedCandidateIsWrong) {
  Runs of(right);
  FakeSubject slowed(of.clock, {200}, adding_one_where([](const FakeCall&, int i) { return i == 7; }));
  EXPECT_THAT(Runs::reason(SanitizedJudge(of.runs).judge_slowed(of.of_size(50), slowed, "a race: ")),
              StartsWith("a race: y[7] is"));
}

}  // namespace
}  // namespace hone::judge
