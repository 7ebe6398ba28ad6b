// What a build with hone_target() makes again, and what it leaves alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "tests/projects/cmake_project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class EachGenerator : public CMakeProject, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Generators, EachGenerator, testing::Values("Ninja", "Unix Makefiles"),
                         [](const auto& info) { return std::string(info.param).substr(info.param[0] == 'U' ? 5 : 0); });

TEST_P(EachGenerator, LinksLockedVariantAndRebuildsOnlyDependents) {
  configure({}, GetParam());
  EXPECT_THAT(build().all(), HasSubstr("'scale' is not tuned"));
  EXPECT_EQ(project.program("app").out, "2 4\n");

  // A lock file that comes later (git pull) reaches the program, and nothing but the annotated unit is compiled.
  fs::file_time_type main_time = time_of("main.cpp"), scale_time = time_of("scale.cpp");
  lock_triples();
  EXPECT_THAT(build().all(), Not(HasSubstr("note: hone")));
  EXPECT_EQ(project.program("app").out, "3 6\n");
  EXPECT_EQ(time_of("main.cpp"), main_time);
  EXPECT_NE(time_of("scale.cpp"), scale_time);

  // Nothing to do is nothing done.
  scale_time = time_of("scale.cpp");
  build();
  EXPECT_EQ(time_of("scale.cpp"), scale_time);

  // A touched lock file recompiles what depends on it.
  fs::last_write_time(project.lock(), fs::file_time_type::clock::now() + std::chrono::seconds(2));
  build();
  EXPECT_EQ(time_of("main.cpp"), main_time);
  EXPECT_NE(time_of("scale.cpp"), scale_time);

  // A header that the kernel's unit includes still counts, and with it the kernel's meaning changes.
  project.write("scale.h", "#define FACTOR 7\nvoid scale(float* x, int n);\n");
  fs::last_write_time(project.source() / "scale.h", fs::file_time_type::clock::now() + std::chrono::seconds(4));
  EXPECT_THAT(build().all(), HasSubstr("was tuned for another text"));
  EXPECT_EQ(project.program("app").out, "7 14\n");
}

// scale() calls a function of another target's source.
TEST_P(EachGenerator, BuildsAgainWhatCallsAChangedFunctionOfAnotherSource) {
  project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.20)
project(user CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
find_package(Hone REQUIRED)
add_library(half STATIC half.cpp)
add_executable(app main.cpp scale.cpp)
target_link_libraries(app PRIVATE half)
hone_target(app)
)");
  const std::string half = "float unused() { return 1; }\nfloat half(float x) { return x / 2; }\n";
  project.write("half.cpp", half);
  project.write("scale.cpp", R"(float half(float x);
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = half(x[i]);
}
)");
  configure({}, GetParam());
  const std::string more = "void scale(float* x, int n) {\n  for (int i = n; i-- > 0;) x[i] = half(x[i]) + 1;\n}\n";
  project.write("candidate.cpp", more);
  const Outcome wrong = project.run({HONE_PROGRAM, "eval", "-p", project.build().string(), "--kernel", "scale",
                                     (project.source() / "candidate.cpp").string()},
                                    project.source());
  EXPECT_THAT(wrong.all(), HasSubstr("x[0] is"));
  project.lock_variant("scale", "scale.cpp", project.key("scale"), more);
  build();
  EXPECT_EQ(project.program("app").out, "1.5 2\n");
  project.write("half.cpp", std::string(half).replace(half.find("return 1"), 8, "return 2"));
  EXPECT_THAT(build().all(), Not(HasSubstr("note: hone")));
  EXPECT_EQ(project.program("app").out, "1.5 2\n");
  project.write("half.cpp", std::string(half).replace(half.find("x / 2"), 5, "x / 4"));
  EXPECT_THAT(build().all(), HasSubstr("'scale' was tuned for another text"));
  EXPECT_EQ(project.program("app").out, "0.25 0.5\n");
}

TEST_P(EachGenerator, RestoresOriginalIfLockFileIsRemoved) {
  configure({}, GetParam());
  lock_triples();
  build();
  EXPECT_EQ(project.program("app").out, "3 6\n");
  fs::remove(project.lock());
  build();
  EXPECT_EQ(project.program("app").out, "2 4\n");
  fs::file_time_type time = time_of("scale.cpp");
  build();
  EXPECT_EQ(time_of("scale.cpp"), time);
}

// A colleague pushes the hone/ that the commit lacked.
TEST_P(EachGenerator, LinksVariantWhoseSourceComesBack) {
  configure({}, GetParam());
  lock_triples();
  const fs::path store = project.source() / "hone", elsewhere = project.folder() / "forgotten";
  fs::rename(store, elsewhere);
  EXPECT_THAT(build().all(), HasSubstr("is in no cache"));
  EXPECT_EQ(project.program("app").out, "2 4\n");
  const fs::file_time_type time = time_of("scale.cpp");
  build();
  EXPECT_EQ(time_of("scale.cpp"), time) << "nothing to do";

  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // for file systems with coarse times
  fs::rename(elsewhere, store);
  build();
  EXPECT_EQ(project.program("app").out, "3 6\n");
}

TEST_P(EachGenerator, GivesSameBuildAsWithoutHoneIfOff) {
  fs::path with = project.folder() / "with", without = project.folder() / "without";
  ASSERT_TRUE(project.configure(GetParam(), {"-DHONE_MODE=off", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"}, with).ok());
  ASSERT_TRUE(project.build_target("all", with).ok());
  std::string commands = project.read(with / "compile_commands.json");
  EXPECT_FALSE(fs::exists(with / "hone"));

  project.write("CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.25)\nproject(user CXX)\nadd_executable(app main.cpp scale.cpp)\n");
  ASSERT_TRUE(project.configure(GetParam(), {"-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"}, without).ok());
  ASSERT_TRUE(project.build_target("all", without).ok());
  std::string expected = project.read(without / "compile_commands.json");
  for (std::size_t at; (at = expected.find(without.string())) != std::string::npos;)
    expected.replace(at, without.string().size(), with.string());
  EXPECT_EQ(commands, expected);
  for (const char* file : {"main.cpp.o", "scale.cpp.o"})
    EXPECT_TRUE(project.read(with / "CMakeFiles/app.dir" / file) ==
                project.read(without / "CMakeFiles/app.dir" / file));
}

// Who the compiler is asked to compile, by a compiler that tells.
class CountedCompiles : public CMakeProject {
 protected:
  void SetUp() override {
    CMakeProject::SetUp();
    for (const char* name : {"one", "two"}) {
      const std::string text = std::string("#pragma hone kernel inout(x[0:n]) problem(n=1000)\nvoid ") + name +
                               "(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] += 1;\n}\n";
      project.write(std::string(name) + ".cpp", text);
    }
    project.write("CMakeLists.txt", std::string(kList) + "target_sources(app PRIVATE one.cpp two.cpp)\n");
    const fs::path compiler = project.folder() / "tools" / "g++";
    fs::create_directories(compiler.parent_path());
    std::ofstream(compiler) << "#!/bin/sh\nfor word; do case $word in *.cpp) echo \"${word##*/}\" >> '"
                            << log().string() << "';; esac; done\nexec g++ \"$@\"\n";
    fs::permissions(compiler, fs::perms::owner_all);
    configure({"-DCMAKE_CXX_COMPILER=" + compiler.string()});
    build();
  }
  fs::path log() const { return project.folder() / "compiled"; }
  // The names of what the compiler has read since the last call: of variants more than once.
  std::string compiled() {
    fs::remove(log());
    build();
    std::istringstream lines(project.read(log()));
    std::set<std::string> names;
    for (std::string line; std::getline(lines, line);) names.insert(line);
    std::string all;
    for (const std::string& name : names) all += name + '\n';
    return all;
  }
  void lock_variant_of(const std::string& name, const std::string& constant) {
    project.lock_variant(
        name, name + ".cpp", project.key(name),
        "void " + name + "(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] += " + constant + ";\n}\n");
  }
};

TEST_F(CountedCompiles, AreThoseWhoseLockEntriesChanged) {
  lock_variant_of("one", "2");
  EXPECT_THAT(compiled(), HasSubstr("one.cpp\n")) << "CMake ran again, since the lock file is new";
  EXPECT_EQ(compiled(), "");
  lock_variant_of("two", "2");
  EXPECT_EQ(compiled(), "two.cpp\n");
  lock_variant_of("one", "3");
  EXPECT_EQ(compiled(), "one.cpp\n");
  EXPECT_EQ(compiled(), "");
}

TEST_F(CountedCompiles, AreThoseWhoseVariantOrSourceChanged) {
  lock_variant_of("one", "2");
  lock_variant_of("two", "2");
  compiled();
  // Dependencies outlive a compile that was spared.
  lock_variant_of("two", "3");
  EXPECT_EQ(compiled(), "two.cpp\n");
  project.write("scale.h", "#define FACTOR 7\nvoid scale(float* x, int n);\n");
  EXPECT_THAT(compiled(), testing::AllOf(HasSubstr("main.cpp\n"), HasSubstr("scale.cpp\n"), Not(HasSubstr("two"))));
  // An object that was removed is made again, and a variant that is gone is noticed.
  fs::remove(object("two.cpp"));
  EXPECT_EQ(compiled(), "two.cpp\n");
  const auto lock = cache::LockFile::read(project.lock());
  for (const cache::LockEntry& entry : lock->entries)
    if (entry.name == "one") fs::remove(project.blob(*entry.variant));
  fs::last_write_time(project.lock(), fs::file_time_type::clock::now());
  EXPECT_EQ(compiled(), "one.cpp\n");
}

}  // namespace
}  // namespace hone::tests
