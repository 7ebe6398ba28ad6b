// Passes over sizes and over sanitized objects, each by itself: what only that pass finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>
#include <span>
#include <utility>

#include "tests/judge/fake_ground.h"
#include "tests/judge/fake_subject.h"
#include "tool/judge/verify/casebook.h"
#include "tool/judge/verify/sanitized_passes.h"
#include "tool/judge/verify/size_passes.h"
#include "tool/judge/verify/value_passes.h"

namespace hone::judge {
namespace {
using testing::HasSubstr;
using testing::StartsWith;

// Right but for the last element where `wrong` says so of the size.
template <class Wrong>
FakeKernel wrong_on_size(Wrong wrong) {
  return [wrong](const FakeCall& call) {
    const auto took = right(call);
    if (call.n > 0 && wrong(call.n)) call.y[call.n - 1] += 1;
    return took;
  };
}

struct Book {
  explicit Book(FakeKernel candidate, bundle::Depth depth = bundle::Depth::thorough, FakeKernel original = right,
                KernelSpec of = fake_spec(1), std::vector<long long> constants = {})
      : spec(std::move(of)),
        plan{.depth = depth, .seed = 7, .memory_bytes = 1u << 30},
        reference(clock, {1000}, std::move(original)),
        second(clock, {1000}, std::move(candidate)),
        book({.kernel = spec,
              .spec = spec,
              .plan = plan,
              .reference = reference,
              .second = second,
              .clock = clock,
              .ground = ground},
             {declared_case(std::move(constants))}) {
    EXPECT_TRUE(book.judge.time_reference(book.declared.front()));
    book.begin();
  }
  static std::string reason(const Found& found) {
    EXPECT_TRUE(found) << found.error().message();
    return found && *found ? (*found)->reason : "";
  }

  Case declared_case(std::vector<long long> constants) {
    reference.constants = second.constants = std::move(constants);
    return make_case(spec, reference, 0, 1, {}, 1u << 30).value();
  }

  FakeClock clock;
  FakeGround ground;
  KernelSpec spec;
  const bundle::Plan plan;
  FakeSubject reference, second;
  Casebook book;
};

// y[i] = x[i] + k of integers from -5 to 90. It is wrong where `wrong` says so of x and k.
using Wrong = std::function<bool(std::span<const int> x, int k)>;
FakeKernel sum_with_scalar(Wrong wrong = {}) {
  return [wrong](const FakeCall& call) -> RunnerAnswer<double> {
    const std::span x(reinterpret_cast<const int*>(call.x), static_cast<std::size_t>(call.n));
    int k = 0;
    std::memcpy(&k, call.scalars[3].bytes, sizeof k);
    for (std::size_t i = 0; i < x.size(); ++i) call.y[i] = static_cast<float>(x[i] + k);
    if (wrong && wrong(x, k)) call.y[0] += 1;
    return 1e-5;
  };
}

std::string reason_of_corners(Wrong wrong) {
  KernelSpec spec = fake_spec(1);
  const Init within{Distribution::uniform, {1, 2}, ""};
  spec.parameters[0].element = spec.parameters[2].element;
  spec.parameters[0].init = within;
  spec.parameters.push_back({.name = "k", .type = "int", .element = spec.parameters[2].element, .init = within});
  spec.expression_count = 3;
  Book of(sum_with_scalar(std::move(wrong)), bundle::Depth::thorough, sum_with_scalar(), std::move(spec), {-5, 90});
  return Book::reason(SizePasses(of.book).judge_crowds());
}

TEST(SizePasses, TellSizesThatOriginalDoesNotTake) {
  Book of(right, bundle::Depth::thorough, [](const FakeCall& call) -> RunnerAnswer<double> {
    if (call.n < 2) return tl::unexpected(RunnerFailure{.fault = {.signal = SIGSEGV}});
    return right(call);
  });
  EXPECT_EQ(Book::reason(SizePasses(of.book).judge_perturbed()), "");
  EXPECT_THAT(of.book.runs.tried().not_tried,
              testing::Contains("n=1, where the original fails (requires(…) can say so)"));
}

TEST(SizePasses, FindCandidateThatIsWrongOnOneResidue) {
  Book of(wrong_on_size([](int n) { return n % 64 == 37; }));
  EXPECT_THAT(Book::reason(SizePasses(of.book).judge_residues()), StartsWith("y["));
}

TEST(SizePasses, FindCandidateThatIsWrongBesideDeclaredSize) {
  Book of(wrong_on_size([](int n) { return n == 1001; }));
  EXPECT_THAT(Book::reason(SizePasses(of.book).judge_neighbors(of.book.declared.front())), StartsWith("y[1000]"));
}

TEST(SizePasses, FindCandidateThatIsWrongBeyondDeclaredSizes) {
  Book of(wrong_on_size([](int n) { return n > 4000; }));
  EXPECT_THAT(Book::reason(SizePasses(of.book).judge_large()), StartsWith("y["));
}

TEST(SizePasses, FindBlocksOfDeviceThatSixteenBitsCount) {
  const auto wrong = wrong_on_size([](int n) { return n > 65536 * 128; });
  Book of(wrong), trial(wrong, bundle::Depth::trial);
  of.ground.fake_traits.numbers_blocks = trial.ground.fake_traits.numbers_blocks = true;
  EXPECT_THAT(Book::reason(SizePasses(of.book).judge_large()), StartsWith("y[838"));
  EXPECT_EQ(Book::reason(SizePasses(trial.book).judge_large()), "");
}

TEST(SizePasses, KeepSmallCasesThatOriginalSurvives) {
  Book of(right);
  EXPECT_EQ(Book::reason(SizePasses(of.book).judge_perturbed()), "");
  EXPECT_GE(of.book.survived.size(), 4u);
  EXPECT_LE(of.book.small_cases(3).size(), 3u);
}

TEST(SizePasses, FindCandidateThatIsWrongWhereDataAndScalarAreAtOneEnd) {
  for (const int end : {-5, 90}) {
    const auto is_end = [end](int value) { return value == end; };
    EXPECT_THAT(
        reason_of_corners([&](auto x, int k) { return k == end && x.size() > 0 && std::ranges::all_of(x, is_end); }),
        StartsWith("y[0]"))
        << end;
  }
  EXPECT_EQ(reason_of_corners([](auto, int) { return false; }), "");
}

TEST(SizePasses, TryLargerSizesOfKernelThatIsSlowBesideOthers) {
  const auto reason = [](double crowding, bundle::Depth depth, double each = 20e-6, int above = 1500) {
    const auto slow = [each](const FakeCall& call) { return double_each(call, call.n * each); };
    Book of(
        [=](const FakeCall& call) {
          const auto took = slow(call);
          if (call.n > above) call.y[0] += 1;
          return took;
        },
        depth, slow);
    of.ground.fake_traits.crowding = crowding;
    return Book::reason(SizePasses(of.book).judge_large());
  };
  EXPECT_THAT(reason(4, bundle::Depth::thorough), StartsWith("y[0]"));
  EXPECT_EQ(reason(1, bundle::Depth::thorough), "");
  EXPECT_EQ(reason(4, bundle::Depth::trial, 3e-6), "");
  EXPECT_EQ(reason(4, bundle::Depth::held_out, 110e-6), "");
  EXPECT_THAT(reason(4, bundle::Depth::trial, 1e-6, 1000), StartsWith("y[0]"));
}

TEST(SizePasses, HoldNoSizesBackFromTrials) {
  std::set<int> sizes;
  Book of(
      [&](const FakeCall& call) {
        sizes.insert(call.n);
        return right(call);
      },
      bundle::Depth::trial);
  EXPECT_EQ(Book::reason(SizePasses(of.book).judge_held_out()), "");
  EXPECT_TRUE(sizes.empty());
}

TEST(ValuePasses, FindCandidateThatIsWrongOnSortedData) {
  Book of([](const FakeCall& call) {
    const auto took = right(call);
    bool sorted = call.n > 8;
    for (int i = 1; i < call.n; ++i) sorted &= call.x[i - 1] <= call.x[i];
    if (sorted) call.y[0] += 1;
    return took;
  });
  EXPECT_EQ(Book::reason(SizePasses(of.book).judge_perturbed()), "");
  EXPECT_THAT(Book::reason(ValuePasses(of.book).judge_patterns()), HasSubstr("y[0]"));
}

// x may be empty, y has one element. In a trial, other scalars are tried on the largest of the small cases alone.
TEST(ValuePasses, FindCandidateThatIsWrongOnNoDataWhereScalarIsAtOneEnd) {
  for (const int end : {-5, 90}) {
    KernelSpec spec = fake_spec(1);
    spec.parameters.push_back({.name = "k", .type = "int", .element = spec.parameters[2].element});
    spec.parameters[3].init = Init{Distribution::uniform, {1, 2}, ""};
    spec.parameters[1].extent = {{std::nullopt, 3}};
    spec.expression_count = 4;
    const auto scalar_alone = [end](bool is_wrong) {
      return [=](const FakeCall& call) -> RunnerAnswer<double> {
        int k = 0;
        std::memcpy(&k, call.scalars[3].bytes, sizeof k);
        call.y[0] = static_cast<float>(is_wrong && call.n == 0 && k == end ? k + 1 : k);
        return 1e-5;
      };
    };
    Book of(scalar_alone(true), bundle::Depth::trial, scalar_alone(false), std::move(spec), {-5, 90, 1});
    EXPECT_EQ(Book::reason(SizePasses(of.book).judge_perturbed()), "") << end;
    EXPECT_THAT(Book::reason(ValuePasses(of.book).judge_scalars()), StartsWith("y[0]")) << end;
  }
}

TEST(ValuePasses, HoldCandidateToAnswerForNanIfTextAsksForNan) {
  const auto reason = [](bool asks_for_nan) {
    Book of(right, bundle::Depth::thorough, [](const FakeCall& call) {
      const auto took = right(call);
      for (int i = 0; i < call.n; ++i)
        if (std::isnan(call.x[i])) call.y[i] = 0;
      return took;
    });
    of.spec.asks_for_nan = asks_for_nan;
    return Book::reason(ValuePasses(of.book).judge_special());
  };
  EXPECT_THAT(reason(true), HasSubstr("is nan, expected 0"));
  EXPECT_EQ(reason(false), "");
}

TEST(ValuePasses, PardonWhatTheOriginalsOwnRoundingMoves) {
  const auto reason = [](float moved) {
    const auto off_by = [](const FakeCall& call, float error) {
      const auto took = right(call);
      if (std::any_of(call.x, call.x + call.n, [](float x) { return x == 1e15F; })) call.y[0] = 1e10F + error;
      return took;
    };
    Book of([=](const FakeCall& call) { return off_by(call, 3e9F); }, bundle::Depth::thorough,
            [=](const FakeCall& call) {
              return off_by(call, call.manner == runner::Manner::rounded_up     ? moved
                                  : call.manner == runner::Manner::rounded_down ? -moved
                                                                                : 0);
            });
    return Book::reason(ValuePasses(of.book).judge_special());
  };
  EXPECT_EQ(reason(1e9F), "");
  EXPECT_THAT(reason(1e8F), HasSubstr("with a huge value in x["));
}

TEST(SanitizedPasses, AskForRacesOnDeclaredProblemFirst) {
  Book of(right);
  std::vector<int> sizes;
  FakeSubject racing(of.clock, {1000}, [&](const FakeCall& call) {
    sizes.push_back(call.n);
    return right(call);
  });
  SanitizedPasses passes(of.book);
  EXPECT_EQ(Book::reason(passes.verify_race_free(racing, nullptr, "")), "");
  ASSERT_FALSE(sizes.empty());
  EXPECT_EQ(sizes.front(), 1000);
}

TEST(SanitizedPasses, FindCandidateThatIsWrongOnOtherProcessors) {
  unsigned calls = 0;
  Book of([&](const FakeCall& call) {
    const auto took = right(call);
    if (++calls > 40 && call.n > 0) call.y[0] += 1;
    return took;
  });
  EXPECT_EQ(Book::reason(of.book.judge.judge(of.book.declared.front(), {})), "");
  calls = 40;
  EXPECT_THAT(Book::reason(SanitizedPasses(of.book).verify_rescheduled()), StartsWith("y[0] is"));
}

}  // namespace
}  // namespace hone::judge
