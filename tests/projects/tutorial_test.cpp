// docs/tutorial.md, command by command, as its reader would type them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/projects/project.h"
#include "tests/projects/walked_page.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

// The searches take most of the time, and nothing here asks what they find. Edits of the page stay edits of its lines.
std::string in_a_hurry(std::string page) {
  const std::string trials = "TRIALS 4";
  for (std::size_t at = 0; (at = page.find(trials, at)) != std::string::npos;)
    page.replace(at, trials.size(), "TRIALS 1");
  return page;
}

TEST(WalkedPage, ReadsCommandsEditsAndQuotedLines) {
  const std::vector<PageStep> steps = steps_of_page(
      "# T\n```sh\n$ no\n```\n## A\n```console\n$ one\nout 1\n…\nout 2\n$ two  # varies\nany\n```\n## "
      "B\n```diff\n+x\n```\n");
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].command, "one");
  EXPECT_EQ(steps[0].section, "A");
  EXPECT_THAT(steps[0].quoted, ElementsAre("out 1", "out 2"));
  EXPECT_EQ(steps[1].command, "two");
  EXPECT_THAT(steps[1].quoted, ElementsAre());
  EXPECT_EQ(steps[2].command, "git apply - <<'HONE_DIFF'\n+x\nHONE_DIFF");
  EXPECT_EQ(steps[2].section, "B");
}

TEST(WalkedPage, FindsQuotedLineThatIsNotPrinted) {
  const PageStep step{"c", "", {"took 1.5 s", "…/a.cpp:7: done"}};
  EXPECT_EQ(missing_line(step, "x\ntook 22.75  s\n/tmp/a.cpp:12: done\n"), "");
  EXPECT_EQ(missing_line(step, "/tmp/a.cpp:12: done\ntook 22.75 s\n"), "…/a.cpp:7: done");
  EXPECT_EQ(missing_line(step, "took 1.5 m\n"), "took 1.5 s");
}

TEST(WalkedPage, StopsAtCommandThatFails) {
  const std::vector<PageStep> steps = {{"echo a", "", {}}, {"false", "", {}}, {"echo b", "", {}}};
  const Project project;
  const Outcome run = project.run({"bash", "-c", script_of(steps, "")}, project.folder());
  const std::vector<StepOutput> outputs = outputs_of(run.out, steps.size());
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(outputs[0].done);
  EXPECT_EQ(outputs[0].text, "a\n");
  EXPECT_FALSE(outputs[1].done);
  EXPECT_EQ(outputs[2].text, "");
}

TEST(Tutorial, RunsAsItIsWritten) {
  const Project project;
  fs::create_directory_symlink(HONE_SOURCE, project.folder() / "hone");
  const std::vector<PageStep> steps =
      steps_of_page(in_a_hurry(project.read(fs::path(HONE_SOURCE) / "docs/tutorial.md")));
  ASSERT_GT(steps.size(), 20u);
  const std::string path = fs::path(HONE_PROGRAM).parent_path().string() + ":" + std::getenv("PATH");
  const Outcome run =
      project.run({"bash", "-c", script_of(steps, "The commit, and a colleague's clone")}, project.folder(),
                  {"PATH=" + path, std::string("Hone_DIR=") + HONE_PACKAGE, "GIT_CONFIG_GLOBAL=/dev/null",
                   "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c"});
  const std::vector<StepOutput> outputs = outputs_of(run.out, steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    ASSERT_TRUE(outputs[i].done) << "$ " << steps[i].command << "\n" << outputs[i].text << run.err;
    EXPECT_EQ(missing_line(steps[i], outputs[i].text), "") << "$ " << steps[i].command << "\n" << outputs[i].text;
  }
  EXPECT_TRUE(fs::exists(project.folder() / "colleague/hone.lock"));
}

}  // namespace
}  // namespace hone::tests
