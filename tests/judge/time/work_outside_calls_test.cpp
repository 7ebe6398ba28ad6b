#include "tool/judge/time/work_outside_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::judge {
namespace {

using testing::HasSubstr;

// A second of calls, and 1% on the way between them, as of any process.
constexpr Work honest{.whole = 1.21, .calls = 1, .mapping = 0.2};

TEST(WorkOutsideCalls, IsFreeIfOriginalDoesItToo) {
  EXPECT_DOUBLE_EQ(charge_for_late_work(honest, honest, 1), 1);
  EXPECT_EQ(refusal_of_late_work(honest, honest, 1), "");
}

TEST(WorkOutsideCalls, IsCharged) {
  const Work late{.whole = 1.25, .calls = 1, .mapping = 0.2};
  EXPECT_NEAR(charge_for_late_work(honest, late, 1), 1.04, 1e-9);
  EXPECT_EQ(refusal_of_late_work(honest, late, 1), "");
}

TEST(WorkOutsideCalls, IsChargedWhileArgumentsAreMapped) {
  const Work late{.whole = 1.31, .calls = 1, .mapping = 0.3};
  EXPECT_NEAR(charge_for_late_work(honest, late, 1), 1.05, 1e-9);
}

TEST(WorkOutsideCalls, IgnoresSlightlySlowerMapping) {
  const Work slower{.whole = 1.25, .calls = 1, .mapping = 0.24};
  EXPECT_DOUBLE_EQ(charge_for_late_work(honest, slower, 1), 1);
}

TEST(WorkOutsideCalls, IgnoresRefillOfLargerScratch) {
  const Work small{.whole = 1.23, .calls = 1, .mapping = 0.2, .renewing = 0.02};
  const Work large{.whole = 1.29, .calls = 1, .mapping = 0.2, .renewing = 0.08};
  EXPECT_DOUBLE_EQ(charge_for_late_work(small, large, 1), 1);
  const Work hidden{.whole = 1.51, .calls = 1, .mapping = 0.2, .renewing = 0.3};
  EXPECT_NEAR(charge_for_late_work(small, hidden, 1), 1.17, 1e-9);
}

TEST(WorkOutsideCalls, IsChargedRelativeToCallsOfCandidate) {
  const Work fast{.whole = 0.23, .calls = 0.01, .mapping = 0.2};
  EXPECT_NEAR(charge_for_late_work(honest, fast, 1), 2, 1e-9);
  EXPECT_THAT(refusal_of_late_work(honest, fast, 1), HasSubstr("works while it is not timed: 0.01 s beside 0.01 s"));
}

TEST(WorkOutsideCalls, AllowsSpinningThreadsButNotWorkingOnes) {
  const Work spins{.whole = 1.5, .calls = 1}, works{.whole = 1.9, .calls = 1};
  EXPECT_DOUBLE_EQ(charge_for_late_work(honest, spins, 4), 1);
  EXPECT_EQ(refusal_of_late_work(honest, spins, 4), "");
  EXPECT_THAT(refusal_of_late_work(honest, works, 4), HasSubstr("works while it is not timed"));
}

TEST(WorkOutsideCalls, RejectsFivePercentWhenThreadsSleep) {
  const Work waits{.whole = 1.22, .calls = 1, .mapping = 0.2}, works{.whole = 1.27, .calls = 1, .mapping = 0.2};
  EXPECT_EQ(refusal_of_late_work(honest, waits, 4, Waiting::sleeps), "");
  EXPECT_THAT(refusal_of_late_work(honest, works, 4, Waiting::sleeps),
              HasSubstr("works while it is not timed: 0.06 s"));
  EXPECT_EQ(refusal_of_late_work(honest, works, 4, Waiting::spins), "");
}

TEST(WorkOutsideCalls, RejectsWorkDuringMappingWhenThreadsSleep) {
  const Work works{.whole = 1.61, .calls = 1, .mapping = 0.6};
  EXPECT_THAT(refusal_of_late_work(honest, works, 4, Waiting::sleeps), HasSubstr("works while it is not timed"));
}

// On a GPU: 150 us pass until the judge's own work comes through, whoever was there before; samples of a millisecond.
constexpr Afterwards quiet_device{.alone = 150e-6, .reference = 150e-6, .candidate = 152e-6, .sample = 1e-3};

TEST(DeviceWork, DoesNotChargeTurnaroundTime) {
  EXPECT_DOUBLE_EQ(charge_for_device_work(quiet_device), 1);
  EXPECT_EQ(refusal_of_device_work(quiet_device), "");
}

TEST(DeviceWork, ChargesLittleWorkLeftBehind) {
  Afterwards late = quiet_device;
  late.candidate = 210e-6;
  EXPECT_NEAR(charge_for_device_work(late), 1.06, 1e-9);
  EXPECT_EQ(refusal_of_device_work(late), "");
}

TEST(DeviceWork, RejectsMuchWorkLeftBehind) {
  Afterwards late = quiet_device;
  late.candidate = 650e-6;
  EXPECT_THAT(refusal_of_device_work(late), HasSubstr("leaves work on the device that runs after its calls"));
}

TEST(DeviceWork, RejectsWorkBesideOriginal) {
  Afterwards late = quiet_device;
  late.reference = late.candidate = 4.6e-3;
  EXPECT_THAT(refusal_of_device_work(late), HasSubstr("keeps the device busy while the original is timed"));
}

// Where there was no time without the candidate: 40 us pass on a device that nobody uses.
constexpr Afterwards idle_before{
    .alone = 40e-6, .idle = true, .reference = 150e-6, .candidate = 152e-6, .sample = 1e-3};

TEST(DeviceWork, DoesNotChargeAgainstIdleDevice) {
  EXPECT_DOUBLE_EQ(charge_for_device_work(idle_before), 1);
  EXPECT_EQ(refusal_of_device_work(idle_before), "");
  Afterwards late = idle_before;
  late.candidate = 210e-6;
  EXPECT_NEAR(charge_for_device_work(late), 1.06, 1e-9);
}

TEST(DeviceWork, RejectsWorkBesideOriginalMeasuredFromIdleDevice) {
  Afterwards late = idle_before;
  late.reference = late.candidate = 4.6e-3;
  EXPECT_THAT(refusal_of_device_work(late), HasSubstr("keeps the device busy while the original is timed"));
}

TEST(DeviceWork, ChargesNothingWithoutDevice) {
  EXPECT_DOUBLE_EQ(charge_for_device_work({}), 1);
  EXPECT_EQ(refusal_of_device_work({}), "");
}

}  // namespace
}  // namespace hone::judge
