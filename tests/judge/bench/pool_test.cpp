// The data that a problem is timed on, in the machine's memory and in lent memory.
#include "tool/judge/bench/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/judge/fake_ground.h"
#include "tests/judge/fake_subject.h"

namespace hone::judge {
namespace {
using testing::HasSubstr;
using Side = Bench::Side;

class PoolOn : public testing::TestWithParam<bool> {  // does the ground lend memory?
 protected:
  static constexpr unsigned slots = 4;

  PoolOn() : ground_(GetParam() ? lending_ground() : FakeGround()) {
    case_ = make_case(spec_, reference_, 0, 1, {}, 1u << 30).value();
    pool_ = Pool::make(spec_, case_, slots, ground_).value();
    EXPECT_TRUE(pool_.map_into(reference_, 1, Side::reference));
    EXPECT_TRUE(pool_.map_into(candidate_, 1, Side::candidate));
  }

  void call(Subject& subject, Side side) {
    pool_.hand_over(side, 0, slots, 9);
    EXPECT_TRUE(subject.call(1, {.slots = slots, .calls = slots}, 10));
  }
  FakeKernel keeping_inputs() {
    return [this](const FakeCall& call) {
      inputs_.emplace_back(call.x, call.x + call.n);
      const auto took = double_each(call);
      if (wrong_call_ && call.number == *wrong_call_) call.y[3] += 1;
      return took;
    };
  }

  FakeClock clock_;
  FakeGround ground_;
  KernelSpec spec_ = fake_spec(1);
  Case case_;
  std::vector<std::vector<float>> inputs_;  // of the candidate's calls
  std::optional<unsigned> wrong_call_;
  FakeSubject reference_{clock_, {100}, [](const FakeCall& call) { return double_each(call); }};
  FakeSubject candidate_{clock_, {100}, keeping_inputs()};
  Pool pool_;
};

TEST_P(PoolOn, FindsNothingInRightOutputs) {
  call(reference_, Side::reference);
  call(candidate_, Side::candidate);
  for (unsigned slot = 0; slot < slots; ++slot) EXPECT_EQ(pool_.compare(slot, {}, 1), "");
}

TEST_P(PoolOn, FindsWrongElementInItsSlot) {
  wrong_call_ = 2;
  call(candidate_, Side::candidate);
  call(reference_, Side::reference);
  EXPECT_EQ(pool_.compare(1, {}, 1), "");
  EXPECT_THAT(pool_.compare(2, {}, 1), HasSubstr("y[3] is"));
}

TEST_P(PoolOn, FindsCallThatLeftEverythingOut) {
  call(reference_, Side::reference);
  pool_.hand_over(Side::candidate, 0, slots, 9);
  EXPECT_NE(pool_.compare(0, {}, 1), "");
}

// Of 8 MB stretches are compared, other ones by each key.
TEST_P(PoolOn, FindsTwentiethOfLargeOutputThatIsLeftOut) {
  constexpr int elements = 2 << 20;
  FakeSubject whole(clock_, {elements}, [](const FakeCall& call) { return double_each(call); });
  FakeSubject lazy(clock_, {elements}, [](const FakeCall& call) {
    const auto took = double_each(call);
    for (int i = call.n / 3; i < call.n / 3 + call.n / 20; ++i) call.y[i] = 0;
    return took;
  });
  case_ = make_case(spec_, whole, 0, 1, {}, 1u << 30).value();
  const Bench::Scales scales{{}, {1.0}, {}};
  for (FakeSubject* candidate : {&whole, &lazy}) {
    pool_ = Pool::make(spec_, case_, slots, ground_).value();
    ASSERT_TRUE(pool_.map_into(whole, 1, Side::reference));
    call(whole, Side::reference);
    ASSERT_TRUE(pool_.map_into(*candidate, 1, Side::candidate));
    call(*candidate, Side::candidate);
    unsigned found = 0;
    for (std::uint64_t key = 0; key < 20; ++key) found += !pool_.compare(1, scales, key).empty();
    EXPECT_EQ(found > 0, candidate == &lazy);
    if (candidate == &lazy) EXPECT_GE(found, 12u) << "of twenty keys";
  }
}

TEST_P(PoolOn, ComparesBothEndsOfLargeOutputAlwaysAndTheRestByParts) {
  constexpr int elements = 2 << 20;
  FakeSubject original(clock_, {elements}, [](const FakeCall& call) { return double_each(call); });
  case_ = make_case(spec_, original, 0, 1, {}, 1u << 30).value();
  for (const int wrong : {0, elements / 2 + 1, elements - 1}) {
    FakeSubject candidate(clock_, {elements}, [wrong](const FakeCall& call) {
      const auto took = double_each(call);
      call.y[wrong] += 1;
      return took;
    });
    pool_ = Pool::make(spec_, case_, slots, ground_).value();
    ASSERT_TRUE(pool_.map_into(original, 1, Side::reference));
    call(original, Side::reference);
    ASSERT_TRUE(pool_.map_into(candidate, 1, Side::candidate));
    call(candidate, Side::candidate);
    unsigned found = 0;
    for (std::uint64_t key = 0; key < 20; ++key) found += !pool_.compare(1, {{}, {1.0}, {}}, key).empty();
    if (wrong == 0 || wrong == elements - 1)
      EXPECT_EQ(found, 20u) << wrong;
    else
      EXPECT_LT(found, 12u) << "a quarter of it is compared at a time";
  }
}

// Of data on which the original gives more than on those that the scale is of, more is allowed.
TEST_P(PoolOn, HoldsLargeOutputToScaleOfItsOwnData) {
  constexpr int elements = 2 << 20;
  const auto giving = [](float error) {
    return [error](const FakeCall& call) -> RunnerAnswer<double> {
      for (int i = 0; i < call.n; ++i) call.y[i] = i % 2 ? 1000.0f : 0.001f + error;
      return 1e-4;
    };
  };
  FakeSubject original(clock_, {elements}, giving(0)), candidate(clock_, {elements}, giving(0.0005f));
  case_ = make_case(spec_, original, 0, 1, {}, 1u << 30).value();
  pool_ = Pool::make(spec_, case_, slots, ground_).value();
  ASSERT_TRUE(pool_.map_into(original, 1, Side::reference));
  call(original, Side::reference);
  ASSERT_TRUE(pool_.map_into(candidate, 1, Side::candidate));
  call(candidate, Side::candidate);
  EXPECT_EQ(pool_.compare(1, {{}, {1e-6}, {}}, 7), "");
}

TEST_P(PoolOn, GivesEachSlotOtherInputs) {
  call(candidate_, Side::candidate);
  ASSERT_EQ(inputs_.size(), slots);
  for (unsigned slot = 1; slot < slots; ++slot) EXPECT_NE(inputs_[slot], inputs_[0]);
}

TEST_P(PoolOn, ChangesInputsOnRefresh) {
  call(candidate_, Side::candidate);
  pool_.refresh(0, slots, 5);
  call(candidate_, Side::candidate);
  for (unsigned slot = 0; slot < slots; ++slot) EXPECT_NE(inputs_[slots + slot], inputs_[slot]);
}

TEST_P(PoolOn, MovesOutputsOnlyInMachinesMemory) {
  EXPECT_EQ(pool_.moves(), !GetParam());
}

INSTANTIATE_TEST_SUITE_P(Memory, PoolOn, testing::Bool(),
                         [](const auto& lends) { return std::string(lends.param ? "Lent" : "Own"); });

}  // namespace
}  // namespace hone::judge
