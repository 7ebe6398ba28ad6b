// Verification where each call takes so long that time is up after a few: what it must not leave out for that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "tests/judge/verify/fake_verification.h"

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
  FakeVerification verification{.spec = fake_spec(2), .sizes = {1000, 300}, .original = slowly};
  verification.plan.depth = bundle::Depth::thorough;
  verification.candidate = [shows = slip.shows](const FakeCall& call) {
    auto took = slowly(call);
    if (!shows(call)) return took;
    if (call.n > 0) call.y[0] = 77;
    return call.n > 0 ? took : tl::unexpected(RunnerFailure{.fault = {.signal = SIGFPE}});
  };
  FakeGround ground = on_device ? lending_ground() : FakeGround();
  EXPECT_NE(verification.run(ground), "") << "called right";
}

INSTANTIATE_TEST_SUITE_P(Verifier, BusyMachine, testing::Combine(testing::ValuesIn(slips), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) +
                                  (std::get<1>(info.param) ? "OnDevice" : "OnProcessors");
                         });

}  // namespace
}  // namespace hone::judge
