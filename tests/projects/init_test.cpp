// `hone init` on projects as their users have them: what it writes has to configure, build and be found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/projects/project.h"
#include "tests/projects/pseudo_terminal.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const char* const kernel =
    "void scale(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = x[i] * 2;\n}\n";

// As somebody has it who never heard of Hone, with its build folder configured.
class Init : public testing::Test {
 protected:
  void SetUp() override {
    project.write("CMakeLists.txt",
                  "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nset(CMAKE_EXPORT_COMPILE_COMMANDS "
                  "ON)\nadd_subdirectory(src)\n");
    project.write("src/CMakeLists.txt", "add_executable(app main.cpp scale.cpp)  # all of it\n");
    project.write("src/scale.cpp", kernel);
    project.write("src/main.cpp",
                  "void scale(const float*, float*, int);\nint main() { float x[2]{}, y[2]; scale(x, y, 2); }\n");
    ASSERT_TRUE(project.configure("Ninja").ok());
    ASSERT_TRUE(git({"init", "--quiet"}).ok());
  }

  Outcome git(std::vector<std::string> words) const {
    words.insert(words.begin(), "git");
    return project.run(words, project.source(), {"GIT_CONFIG_GLOBAL=/dev/null"});
  }
  Outcome init(std::vector<std::string> words) const {
    words.insert(words.begin(), {HONE_PROGRAM, "init", "-p", project.build().string()});
    return project.run(words, project.source(), {"GIT_CONFIG_GLOBAL=/dev/null"});
  }
  // What init does once a person has answered its question.
  int answered(const std::string& answer) const {
    PseudoTerminal terminal({HONE_PROGRAM, "init", "-p", project.build().string(), "scale"}, project.source(),
                            {"GIT_CONFIG_GLOBAL=/dev/null"});
    EXPECT_TRUE(terminal.wait_for("Add this? [y/N] ")) << terminal.output();
    terminal.type(answer + "\n");
    const int code = terminal.wait();
    EXPECT_THAT(terminal.output(), HasSubstr("+hone_target(app)"));
    return code;
  }
  std::string text(const std::string& file) const { return project.read(project.source() / file); }

  Project project;
};

TEST_F(Init, WritesWhatBuildsAndIsFound) {
  const Outcome added = init({"scale", "--yes"});
  EXPECT_EQ(added.code, 0) << added.all();
  EXPECT_THAT(added.out, AllOf(HasSubstr("+find_package(Hone REQUIRED)"), HasSubstr("+hone_target(app)"),
                               HasSubstr("+#pragma hone kernel in(x[0:n]) out(y[0:n])"),
                               HasSubstr("+hone.lock merge=hone"), HasSubstr("git config merge.hone.driver")));
  EXPECT_EQ(text("src/CMakeLists.txt"), "add_executable(app main.cpp scale.cpp)  # all of it\nhone_target(app)\n");
  EXPECT_EQ(text(".gitattributes"), "hone.lock merge=hone\n");
  EXPECT_EQ(git({"config", "--get", "merge.hone.driver"}).out, "hone lock merge %O %A %B %P\n");
  const Outcome configured = project.configure("Ninja");
  EXPECT_TRUE(configured.ok()) << configured.all();
  EXPECT_TRUE(project.build_target().ok());
  EXPECT_THAT(project.run({HONE_PROGRAM, "list", "-p", project.build().string()}, project.source()).out,
              HasSubstr("scale"));

  const Outcome again = init({"scale", "--yes"});
  EXPECT_EQ(again.code, 0) << again.all();
  EXPECT_EQ(again.out, "nothing is missing\n");
}

TEST_F(Init, WritesNothingWithoutAYes) {
  const Outcome asked = init({"scale"});
  EXPECT_EQ(asked.code, 1);
  EXPECT_THAT(asked.out, HasSubstr("+hone_target(app)"));
  EXPECT_THAT(asked.err, HasSubstr("nothing was written: hone init asks, and there is nobody to answer; --yes answers "
                                   "for you [hone-not-answered]\n"));
  EXPECT_EQ(text("src/scale.cpp"), kernel);
  EXPECT_FALSE(fs::exists(project.source() / ".gitattributes"));
  EXPECT_EQ(git({"config", "--get", "merge.hone.driver"}).out, "");
}

TEST_F(Init, WritesAtTheTerminalAfterAYesAlone) {
  for (const char* answer : {"n", "", "yeah"}) {
    EXPECT_EQ(answered(answer), 1) << answer;
    EXPECT_EQ(text("src/scale.cpp"), kernel);
    EXPECT_FALSE(fs::exists(project.source() / ".gitattributes"));
  }
  EXPECT_EQ(answered("y"), 0);
  EXPECT_THAT(text("src/scale.cpp"), HasSubstr("#pragma hone kernel in(x[0:n]) out(y[0:n])"));
  EXPECT_EQ(text("src/CMakeLists.txt"), "add_executable(app main.cpp scale.cpp)  # all of it\nhone_target(app)\n");
  EXPECT_EQ(git({"config", "--get", "merge.hone.driver"}).out, "hone lock merge %O %A %B %P\n");
}

TEST_F(Init, KeepsWhatIsThere) {
  project.write(".gitattributes", "*.png binary");
  project.write("CMakeLists.txt", "project(p CXX)\nadd_subdirectory(hone)\nadd_subdirectory(src)\n");
  project.write("src/CMakeLists.txt", "add_executable(app main.cpp scale.cpp)\nhone_target(app TRIALS 5)\n");
  const Outcome added = init({"--yes"});
  EXPECT_EQ(added.code, 0) << added.all();
  EXPECT_THAT(added.out, AllOf(Not(HasSubstr("find_package")), Not(HasSubstr("+hone_target"))));
  EXPECT_EQ(text(".gitattributes"), "*.png binary\nhone.lock merge=hone\n");
}

TEST_F(Init, SaysWhatIsLeftToTheUser) {
  project.write("src/CMakeLists.txt", "set(name app)\nadd_executable(${name} main.cpp scale.cpp)\n");
  project.write("src/scale.cpp",
                "void scale(const float* x, float* y, int k) {\n  for (int i = 0; i < k; ++i) y[(int)x[i]] = 2;\n}\n");
  const Outcome added = init({"scale", "--yes"});
  EXPECT_EQ(added.code, 1) << added.all();
  EXPECT_THAT(added.err, AllOf(HasSubstr("takes this annotation once you fill in each ?"),
                               HasSubstr("behind what makes it goes: hone_target(app)")));
  EXPECT_THAT(text("src/scale.cpp"), Not(HasSubstr("pragma")));
}

TEST_F(Init, NamesMissingProjectAndFunction) {
  const Outcome none = init({"scael"});
  EXPECT_EQ(none.code, 3);
  EXPECT_THAT(none.err, AllOf(HasSubstr("scael"), HasSubstr("no source of the project defines it")));
  fs::create_directory(project.folder() / "bare");
  const Outcome nowhere = project.run({HONE_PROGRAM, "init"}, project.folder() / "bare");
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_THAT(nowhere.err, AllOf(HasSubstr("there is no CMakeLists.txt"), HasSubstr("name its build folder with -p")));
}

}  // namespace
}  // namespace hone::tests
