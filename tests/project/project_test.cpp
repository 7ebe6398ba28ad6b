#include "tool/project/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/os/files/files.h"
#include "tool/project/recorded_commands.h"

namespace hone::project {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ProjectTest : public testing::Test {
 protected:
  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-project");
  std::filesystem::path root_ = folder_.path();
  std::filesystem::path build_ = root_ / "build";

  void write(const std::filesystem::path& path, const std::string& text) {
    ASSERT_TRUE(os::write_file_atomically(root_ / path, text));
  }
  std::string entry(const std::string& source, const std::string& object) {
    return R"({"directory": ")" + build_.string() + R"(", "command": "g++ -DNAME=\\\"x\\\" -o )" + object + " -c ../" +
           source + R"(", "file": "../)" + source + R"("})";
  }
  std::string settings(const std::string& target, const std::string& rest = "") {
    return R"({"target": ")" + target + R"(", "lock": ")" + (root_ / "hone.lock").string() + "\"" + rest + "}";
  }
  void write_sources() {
    write("a.cpp", "#pragma hone kernel\nvoid a() {}\n");
    write("b.cpp", "#pragma hone kernel\nvoid b() {}\n");
    write("c.cpp", "void c() {}\n");
    write("build/compile_commands.json", "[" + entry("a.cpp", "CMakeFiles/app.dir/a.cpp.o") + "," +
                                             entry("b.cpp", "sub/CMakeFiles/lib.dir/b.cpp.o") + "," +
                                             entry("c.cpp", "CMakeFiles/app.dir/c.cpp.o") + "]");
  }
};

// app links GSL by itself, and the program `test` links zlib and holds the archive of lib.
TEST_F(ProjectTest, KnowsFromNinjaWhatProgramsLink) {
  write_sources();
  write("build/hone/app.json", settings("app"));
  write("build/hone/lib.json", settings("lib"));
  write("build/build.ninja", R"(rule link
  command = g++ $in $LINK_LIBRARIES
build app: link CMakeFiles/app.dir/a.cpp.o | lib/libown.so
  LINK_LIBRARIES = -Wl,-rpath,/opt/gsl lib/libown.so own.a "/opt/my$ gsl/libgsl.so"  -lgslcblas
  LINK_PATH = -L/opt/cblas
build test: link CMakeFiles/test.dir/main.cpp.o sub/liblib.a
  LINK_LIBRARIES = -lz -L../there
)");
  const auto project = open_project(build_).value();
  ASSERT_EQ(project.units.size(), 2u);
  const std::string there = "-L" + (root_ / "there").string();
  EXPECT_THAT(linked(project.units[0]).libraries,
              ElementsAre("/opt/my gsl/libgsl.so", "-lgslcblas", "-L/opt/cblas", "-lz", there));
  EXPECT_THAT(linked(project.units[1]).libraries,
              ElementsAre("-lz", there, "/opt/my gsl/libgsl.so", "-lgslcblas", "-L/opt/cblas"));
}

TEST_F(ProjectTest, KnowsFromMakefilesWhatProgramsLink) {
  write_sources();
  write("build/CMakeFiles/TargetDirectories.txt",
        (build_ / "sub/CMakeFiles/test.dir").string() + "\n/no/such/folder\n");
  write("build/sub/CMakeFiles/test.dir/link.txt",
        "/usr/bin/c++ a.o -o test -Wl,-rpath,/opt ../libown.so ../../o/liba.so -lz\n");
  EXPECT_THAT(linked(open_project(build_).value().units[0]).libraries,
              ElementsAre((root_ / "o/liba.so").string(), "-lz"));
}

TEST_F(ProjectTest, KnowsFromRecordedLinksWhatProgramsLink) {
  write_sources();
  ASSERT_TRUE(record_link(build_ / "compile_commands.json", build_ / "sub",
                          {"gcc", "x.o", "-o", "a", "-lgsl", "../libown.so"}));
  ASSERT_TRUE(
      record_link(build_ / "compile_commands.json", build_, {"gcc", "-o", "b", "-lgsl", "../../opt/libx.so.1"}));
  ASSERT_TRUE(
      record_link(build_ / "compile_commands.json", build_, {"gcc", "-o", "b", "-lgsl", "../../opt/liby.so.1"}));
  EXPECT_THAT(linked(open_project(build_).value().units[0]).libraries,
              ElementsAre("-lgsl", (root_.parent_path() / "opt/liby.so.1").string()));
}

TEST_F(ProjectTest, TakesEveryAnnotatedSourceWithoutSettings) {
  write_sources();
  const auto project = open_project(build_);
  ASSERT_TRUE(project) << project.error().message();
  ASSERT_EQ(project->units.size(), 2u);
  const CompileCommand& command = project->units[0].command;
  EXPECT_EQ(command.file, (root_ / "a.cpp").string());
  EXPECT_EQ(command.output, "CMakeFiles/app.dir/a.cpp.o");
  EXPECT_EQ(command.arguments[1], "-DNAME=\"x\"");
  EXPECT_EQ(project->units[0].settings.lock, std::filesystem::current_path() / "hone.lock");
}

TEST_F(ProjectTest, UsesNearestLockFileAboveSource) {
  write_sources();
  write("hone.lock", "{}");
  EXPECT_EQ(open_project(build_)->units[0].settings.lock, root_ / "hone.lock");
}

TEST_F(ProjectTest, AssignsUnitToTargetOfItsObject) {
  write_sources();
  write("build/hone/app.json", settings("app", R"(, "trials": 9, "budget": "1m", "strict": true)"));
  write("build/hone/lib.json", settings("lib", R"(, "mode": "tune")"));
  const auto project = open_project(build_);
  ASSERT_TRUE(project) << project.error().message();
  ASSERT_EQ(project->units.size(), 2u);
  EXPECT_EQ(project->units[0].settings.target, "app");
  EXPECT_EQ(project->units[0].settings.trials, 9u);
  EXPECT_EQ(project->units[0].settings.budget, "1m");
  EXPECT_TRUE(project->units[0].settings.strict);
  EXPECT_EQ(project->units[1].settings.target, "lib");
  EXPECT_EQ(project->units[1].settings.mode, "tune");
}

TEST_F(ProjectTest, SkipsUnitsWithoutSettingsOrSwitchedOff) {
  write_sources();
  write("build/hone/app.json", settings("app", R"(, "mode": "off")"));
  EXPECT_TRUE(open_project(build_)->units.empty());
  write("build/hone/app.json", settings("app"));
  EXPECT_EQ(open_project(build_)->units.size(), 1u);
}

TEST_F(ProjectTest, AdvisesIfDatabaseIsMissing) {
  const auto project = open_project(build_);
  ASSERT_FALSE(project);
  EXPECT_THAT(project.error().message(), HasSubstr("compile_commands.json"));
  EXPECT_THAT(project.error().advice, HasSubstr("-p"));
}

TEST_F(ProjectTest, RejectsBrokenDatabase) {
  for (const char* text :
       {"[", "{}", "[3]", R"([{"file": "a.cpp"}])", R"([{"directory": "/", "file": "a", "arguments": [1]}])"}) {
    write("build/compile_commands.json", text);
    EXPECT_FALSE(open_project(build_)) << text;
  }
}

TEST_F(ProjectTest, RejectsBrokenSettings) {
  write_sources();
  write("build/hone/app.json", "{\"target\": \"app\"}");
  EXPECT_THAT(open_project(build_).error().message(), HasSubstr("app.json"));
}

}  // namespace
}  // namespace hone::project
