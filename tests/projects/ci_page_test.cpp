// docs/ci.md: its commands, as a runner would run them in a fresh clone of a branch that locks its first variant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "tests/projects/project.h"
#include "tests/projects/walked_page.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kSum = R"(#pragma hone kernel in(x[0:n]) problem(n=4000) tolerance(rtol=1e-4)
float total(const float* x, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  return sum;
}
int main() { return 0; }
)";
constexpr const char* kSumProject = R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
set(CMAKE_BUILD_TYPE Release)
find_package(Hone REQUIRED)
add_executable(app sums.cpp)
hone_target(app TRIALS 1 BUDGET 40s)
)";

std::string page() {
  return Project().read(fs::path(HONE_SOURCE) / "docs/ci.md");
}

// The text of the page's example for one service.
std::string workflow(const std::string& heading) {
  const std::string text = page();
  const std::size_t begin = text.find("```yaml\n", text.find("## " + heading));
  return text.substr(begin, text.find("\n```\n", begin) - begin);
}

class CiPage : public testing::Test {
 protected:
  const std::vector<std::string> environment_{
      "PATH=" + fs::path(HONE_PROGRAM).parent_path().string() + ":" + std::getenv("PATH"),
      std::string("Hone_DIR=") + HONE_PACKAGE,
      "GIT_CONFIG_GLOBAL=/dev/null",
      "GIT_AUTHOR_NAME=A",
      "GIT_AUTHOR_EMAIL=a@b.c",
      "GIT_COMMITTER_NAME=A",
      "GIT_COMMITTER_EMAIL=a@b.c",
      "BASE=HEAD^1"};

  Outcome shell(const std::string& script, const fs::path& folder, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), environment_.begin(), environment_.end());
    return project.run({"bash", "-c", script}, folder, more);
  }

  Project project;
};

TEST_F(CiPage, HasTheSameCommandsForEveryService) {
  const std::vector<PageStep> steps = steps_of_page(page());
  ASSERT_EQ(steps.size(), 5u);
  for (const std::string service : {"GitHub Actions", "GitLab CI"})
    for (const PageStep& step : steps) EXPECT_THAT(workflow(service), HasSubstr(step.command + "\n")) << service;
}

TEST_F(CiPage, RunsAsItIsWritten) {
  project.write("CMakeLists.txt", kSumProject);
  project.write("sums.cpp", kSum);
  project.write(".gitignore", "build\n");
  const Outcome branch = shell(
      "set -e; git init -q; git add .; git commit -qm base; cmake -B build -G Ninja; cmake --build build; "
      "cmake --build build --target hone-tune; git add .; git commit -qm tuned; git clone -q . ../runner",
      project.source());
  ASSERT_TRUE(branch.ok()) << branch.all();

  const fs::path runner = project.folder() / "runner";
  const std::vector<std::string> fresh{"XDG_CACHE_HOME=" + (project.folder() / "fresh").string()};
  const std::vector<PageStep> steps = steps_of_page(page());
  const Outcome run = shell(script_of(steps, ""), runner, fresh);
  const std::vector<StepOutput> outputs = outputs_of(run.out, steps.size());
  for (std::size_t at = 0; at < steps.size(); ++at) {
    // Whether it is timed as faster once more is this machine's business.
    const bool is_timed = steps[at].command.starts_with("hone verify");
    ASSERT_TRUE(outputs[at].done || is_timed) << "$ " << steps[at].command << "\n" << outputs[at].text << run.err;
    EXPECT_EQ(missing_line(steps[at], outputs[at].text), "") << "$ " << steps[at].command << "\n" << outputs[at].text;
  }
  const std::string comment = project.read(runner / "comment.md");
  EXPECT_THAT(comment, HasSubstr("| `total` | `sums.cpp:1` | – | "));
  EXPECT_THAT(comment, HasSubstr("```diff\n--- original\n+++ variant\n"));
  EXPECT_EQ(nlohmann::json::parse(project.read(runner / "verified.json"))["kernels"][0]["name"], "total");

  // An edit that nobody tuned again.
  const Outcome edited =
      shell("sed -i 's/sum = 0;/sum = 0.0f;/' sums.cpp; cmake --build build; hone lock check -p build", runner, fresh);
  EXPECT_EQ(edited.code, 1) << edited.all();
  EXPECT_THAT(edited.all(), HasSubstr("error: hone: 'total'"));
  EXPECT_THAT(edited.out, HasSubstr("it changed since it was tuned"));
}

}  // namespace
}  // namespace hone::tests
