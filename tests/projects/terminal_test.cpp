// What a person sees who tunes at a terminal: the real program, under Ninja, under Make and by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/projects/project.h"
#include "tests/projects/pseudo_terminal.h"

namespace hone::tests {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class AtTerminal : public testing::Test {
 protected:
  void SetUp() override {
    project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(Hone REQUIRED)
add_executable(app sums.cpp main.cpp)
hone_target(app TRIALS 1)
)");
    project.write("main.cpp", "int main() {}\n");
    project.write("sums.cpp", R"(#pragma hone kernel in(a[0:n*n]) out(y[0:n]) problem(n=300)
void row_sums(const float* a, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) y[i] += a[i * n + j];
}
#pragma hone kernel in(a[0:n]) out(y[0:n]) problem(n=100000)
void twice(const int* a, int* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 2 * a[i];
}
)");
  }

  void configure(const std::string& generator, const std::string& folder) {
    const Outcome done = project.configure(generator, {"-DCMAKE_BUILD_TYPE=Release", "-DHONE_BUDGET_TOTAL=90s"},
                                           project.folder() / folder);
    ASSERT_TRUE(done.ok()) << done.all();
  }
  std::vector<std::string> environment() const {
    return {"XDG_CACHE_HOME=" + (project.folder() / "cache").string(),
            "XDG_CONFIG_HOME=" + (project.folder() / "config").string()};
  }

  Project project;
};

TEST_F(AtTerminal, ShowsBoardUnderEachGeneratorAndPlainLinesIfDumb) {
  configure("Ninja", "ninja");
  configure("Unix Makefiles", "make");
  {
    PseudoTerminal terminal({"cmake", "--build", "ninja", "--target", "hone-tune"}, project.folder(), environment());
    EXPECT_EQ(terminal.wait(), 0) << terminal.output();
    EXPECT_THAT(terminal.output(), HasSubstr("2 kernels: 1 judging, 1 waiting"));
    EXPECT_THAT(terminal.output(), HasSubstr("left"));
    const auto screen = terminal.screen();
    EXPECT_THAT(screen, Each(Not(HasSubstr("2 kernels: "))));
    EXPECT_THAT(screen, Contains(StartsWith("row_sums ")));
    EXPECT_THAT(screen, Contains(StartsWith("twice ")));
  }
  PseudoTerminal terminal({"cmake", "--build", "make", "--target", "hone-tune"}, project.folder(), environment(), 40);
  EXPECT_EQ(terminal.wait(), 0) << terminal.output();
  EXPECT_THAT(terminal.output(), HasSubstr("2 kernels: "));  // tuned a moment ago: one may be done by the first look
  EXPECT_THAT(terminal.screen(), Each(Not(HasSubstr("2 kernels: "))));

  auto dumb = environment();
  dumb.push_back("TERM=dumb");
  PseudoTerminal plain({HONE_PROGRAM, "tune", "-p", "ninja"}, project.folder(), dumb);
  EXPECT_EQ(plain.wait(), 0);
  EXPECT_THAT(plain.output(), HasSubstr("sums.cpp:1)\r\n  already tuned"));
  EXPECT_THAT(plain.output(), Not(HasSubstr("\x1b")));
}

TEST_F(AtTerminal, IsWholeAfterCtrlZAndCtrlC) {
  configure("Ninja", "ninja");
  const std::string tune = std::string("'") + HONE_PROGRAM + "' tune -p ninja --trials 100000";
  PseudoTerminal terminal({"bash", "-c", "set -m; " + tune + "; echo is_\"\"stopped; fg; echo code=$?"},
                          project.folder(), environment());
  ASSERT_TRUE(terminal.wait_for("2 kernels: 1 ")) << terminal.output();  // looking or judging: a look may be short
  terminal.type("\x1a");
  ASSERT_TRUE(terminal.wait_for("is_stopped")) << terminal.output();
  EXPECT_THAT(terminal.screen_when_found(), Each(Not(HasSubstr("2 kernels: "))));
  ASSERT_TRUE(terminal.wait_for("2 kernels: ")) << terminal.output();
  terminal.resize(40, 10);
  terminal.type("\x03");
  ASSERT_TRUE(terminal.wait_for("code=130")) << terminal.output();
  terminal.wait();
  const auto screen = terminal.screen();
  EXPECT_THAT(screen, Each(Not(HasSubstr("2 kernels: "))));
  EXPECT_THAT(screen, Contains(HasSubstr("interrupted")));
}

}  // namespace
}  // namespace hone::tests
