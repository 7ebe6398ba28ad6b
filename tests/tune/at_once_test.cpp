// Several candidates with a slow executor at once, as a queue or a room of GPUs wants them. The worker is a pretended
// one: it sleeps, and says when.
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <nlohmann/json.hpp>

#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

using nlohmann::json;

constexpr const char* kernel = R"(
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=20000) tolerance(rtol=1e-4)
void twice(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += x[i] * 0.25f;
    y[i] = sum;
  }
}
)";

class AtOnce : public testing::Test {
 protected:
  const SmallProject project_{kernel};

  std::filesystem::path log() const { return project_.folder() / "judged.log"; }
  // `hone tune` by a worker that takes so long for each candidate.
  std::vector<std::string> tune(const SmallProject& project, int milliseconds, const std::string& at_once) const {
    return {"tune",      "-p",       (project.folder() / "build").string(),
            "--budget",  "10m",      "--allow-none",
            "--trials",  "8",        "--executor",
            "command:" PRETEND_WORKER " " + log().string() + " " + std::to_string(milliseconds),
            "--at-once", at_once};
  }

  // How many were being judged at the busiest moment.
  int busiest() const {
    std::vector<std::pair<double, int>> events;
    std::ifstream file(log());
    std::string word;
    for (double from = 0, to = 0; file >> word >> from >> to;) events.insert(events.end(), {{from, 1}, {to, -1}});
    std::ranges::sort(events);
    int now = 0, most = 0;
    for (const auto& [when, change] : events) most = std::max(most, now += change);
    return most;
  }

  // What the search learned, in that order, without how long it took.
  static std::vector<std::string> course(const SmallProject& project) {
    std::vector<std::string> names;
    for (const std::string& line : project.journal()) {
      const json read = json::parse(line);
      names.push_back(read["name"].get<std::string>() + ": " + read["verdict"]["reason"].get<std::string>());
    }
    return names;
  }
};

TEST_F(AtOnce, SeveralAreWithTheExecutorAndNoMoreThanWasSaid) {
  ASSERT_EQ(run(project_.folder(), tune(project_, 1500, "3")).code, 0);
  EXPECT_GE(busiest(), 2) << "a machine that is slow to compile may have the third too late";
  EXPECT_LE(busiest(), 3);
}

TEST_F(AtOnce, OneByOneIfNotToldOtherwise) {
  auto words = tune(project_, 50, "");
  words.resize(words.size() - 2);
  ASSERT_EQ(run(project_.folder(), words).code, 0);
  EXPECT_EQ(busiest(), 1);
}

TEST_F(AtOnce, WhatIsTriedDoesNotDependOnHowLongJudgingTakes) {
  const SmallProject other(kernel);
  ASSERT_EQ(run(project_.folder(), tune(project_, 0, "3")).code, 0);
  ASSERT_EQ(run(other.folder(), tune(other, 300, "3")).code, 0);
  EXPECT_EQ(course(project_), course(other));
  EXPECT_GE(course(project_).size(), 6u);
}

TEST_F(AtOnce, ARunThatWasKilledWithCandidatesOutGoesOn) {
  const SmallProject killed(kernel);
  ASSERT_EQ(run(project_.folder(), tune(project_, 100, "3")).code, 0);
  auto resumed = tune(killed, 100, "3");
  resumed.push_back("--resume");
  for (const std::size_t lines : {2u, 5u}) {
    Program program(killed.folder(), resumed);
    program.run_until([&] { return killed.journal().size() >= lines; });
    program.send(SIGKILL);
    EXPECT_EQ(program.wait().signal, SIGKILL);
  }
  ASSERT_EQ(run(killed.folder(), resumed).code, 0);
  EXPECT_EQ(course(killed), course(project_));
  EXPECT_EQ(killed.read(killed.lock()), project_.read(project_.lock()));
}

}  // namespace
}  // namespace hone
