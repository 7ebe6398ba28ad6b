// Verification where each call takes so long that time is up after a few: what it must not leave out for that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "tests/judge/fake_ground.h"
#include "tests/judge/fake_subject.h"
#include "tool/judge/verify/verifier.h"

namespace hone::judge {
namespace {

constexpr double busy_call = 0.018;  // seconds: sixteen of them are a finalist's time

RunnerAnswer<double> slowly(const FakeCall& call) {
  return double_each(call, busy_call);
}

struct Slip {
  const char* name;
  bool (*shows)(const FakeCall& call);
};
void PrintTo(const Slip& slip, std::ostream* out) {
  *out << slip.name;
}

bool all_of(const FakeCall& call, bool (*is)(float)) {
  return call.n > 0 && std::all_of(call.x, call.x + call.n, is);
}

const Slip slips[] = {
    {"WrongWithoutElements", [](const FakeCall& call) { return call.n == 0; }},
    {"WrongBeyondBlock", [](const FakeCall& call) { return call.n > 1024 && call.n < 2048; }},
    {"WrongOnTiesOfLargestProblem",
     [](const FakeCall& call) {
       return call.n == 1000 && all_of(call, [](float x) { return x == std::floor(x) && std::fabs(x) < 4; });
     }},
    {"WrongOnNothingButMinusInfinity",
     [](const FakeCall& call) { return call.n > 1 && all_of(call, [](float x) { return x == -HUGE_VALF; }); }},
    {"WrongOnOneValueWhoseExponentialOverflows",
     [](const FakeCall& call) {
       return std::ranges::count_if(std::span(call.x, static_cast<std::size_t>(call.n)),
                                    [](float x) { return std::fabs(x) == 100; }) == 1;
     }},
};

class BusyMachine : public testing::TestWithParam<std::tuple<Slip, bool>> {};

TEST_P(BusyMachine, LeavesOutNoFirstCase) {
  const auto& [slip, on_device] = GetParam();
  FakeClock clock;
  FakeGround ground = on_device ? lending_ground() : FakeGround();
  const std::vector<int> sizes{1000, 300};
  const KernelSpec spec = fake_spec(sizes.size());
  const bundle::Plan plan{.depth = bundle::Depth::thorough, .seed = 7, .memory_bytes = 1u << 30};
  FakeSubject reference(clock, sizes, slowly), second(clock, sizes, [&, shows = slip.shows](const FakeCall&call) {
    auto took = slowly(call);
    if (!shows(call)) return took;
    if (call.n > 0) call.y[0] = 77;
    return call.n > 0 ? took : tl::unexpected(RunnerFailure{.fault = {.signal = SIGFPE}});
  });
  std::vector<Case> declared;
  for (unsigned problem = 0; problem < sizes.size(); ++problem)
    declared.push_back(make_case(spec, reference, problem, problem, {}, plan.memory_bytes).value());
  Verifier verifier({.kernel = spec,
                     .spec = spec,
                     .plan = plan,
                     .reference = reference,
                     .second = second,
                     .clock = clock,
                     .ground = ground},
                    declared);
  const auto found = verifier.verify_candidate();
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_TRUE(*found) << "called right";
}

INSTANTIATE_TEST_SUITE_P(Verifier, BusyMachine, testing::Combine(testing::ValuesIn(slips), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) +
                                  (std::get<1>(info.param) ? "OnDevice" : "OnProcessors");
                         });

}  // namespace
}  // namespace hone::judge
