// "Start in five minutes" of README.md, command by command, at a terminal as its reader has one. The package's own
// tests install it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tests/projects/project.h"
#include "tests/projects/pseudo_terminal.h"
#include "tests/projects/walked_page.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

// The commands of the section's block, without what stands behind `#`.
std::vector<PageStep> five_minutes() {
  const std::string page = Project().read(fs::path(HONE_SOURCE) / "README.md"), section = "Start in five minutes";
  const std::size_t begin = page.find("\n```\n", page.find("## " + section)) + 5;
  std::istringstream lines(page.substr(begin, page.find("\n```\n", begin) - begin));
  std::vector<PageStep> steps;
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.size(), line.find("  #")));
    line.resize(line.find_last_not_of(' ') + 1);
    steps.push_back({line, section, {}});
  }
  return steps;
}

// The search takes most of the time, and a trial or two find something here.
std::string in_a_hurry(std::string command) {
  const std::string budget = " --budget 2m";
  return command.ends_with(budget) ? command + " --trials 2" : command;
}

TEST(FiveMinutes, RunAsTheyAreWritten) {
  Project project;
  project.write("CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.25)\nproject(user CXX)\nadd_executable(app main.cpp blur.cpp)\n");
  project.write("blur.cpp", R"(void blur3x3(const float* src, float* dst, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += src[i] * 0.25f;
    dst[i] = sum;
  }
}
)");
  project.write("main.cpp",
                "void blur3x3(const float*, float*, int);\nint main() { float x[2]{}, y[2]; blur3x3(x, y, 2); }\n");

  std::vector<PageStep> steps = five_minutes();
  ASSERT_GT(steps.size(), 5u);
  EXPECT_THAT(steps.front().command, StartsWith("apt install ./hone_"));
  steps.erase(steps.begin());
  for (PageStep& step : steps) step.command = in_a_hurry(step.command);
  PseudoTerminal terminal(
      {"bash", "-c", script_of(steps, "")}, project.source(),
      {"PATH=" + fs::path(HONE_PROGRAM).parent_path().string() + ":" + std::getenv("PATH"),
       std::string("Hone_DIR=") + HONE_PACKAGE, "XDG_CACHE_HOME=" + (project.folder() / "cache").string(),
       "XDG_CONFIG_HOME=" + (project.folder() / "config").string()});
  ASSERT_TRUE(terminal.wait_for("Add this? [y/N] ")) << terminal.output();
  terminal.type("y\n");
  EXPECT_EQ(terminal.wait(), 0);

  std::string printed = terminal.output();
  std::erase(printed, '\r');
  const std::vector<StepOutput> outputs = outputs_of(printed, steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    ASSERT_TRUE(outputs[i].done) << "$ " << steps[i].command << "\n" << outputs[i].text;
  EXPECT_THAT(outputs.back().text, HasSubstr("--- original\n+++ variant\n")) << "of " << steps.back().command;
  EXPECT_THAT(project.run({HONE_PROGRAM, "list", "-p", "build"}, project.source()).out,
              ContainsRegex("blur3x3 +tuned +variant +variant"));
}

}  // namespace
}  // namespace hone::tests
