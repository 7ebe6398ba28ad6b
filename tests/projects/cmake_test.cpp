// hone_target() in projects that are really configured, built and run; what is built again: cmake_rebuild_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "tests/projects/cmake_project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Both signatures of target_link_libraries(), which CMake lets nobody mix, and a library that others link.
TEST_F(CMakeProject, RecordsInCaptureModeAndNothingElseWithoutIt) {
  project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(Hone REQUIRED)
add_library(scaling STATIC scale.cpp)
add_executable(app main.cpp)
target_link_libraries(scaling m)
target_link_libraries(app PRIVATE scaling)
hone_target(scaling)
)");
  project.write("scale.cpp", std::string(kScale).replace(std::string(kScale).find(" problem(n=1000)"), 16, ""));
  configure({"-DHONE_MODE=capture"});
  build();
  EXPECT_EQ(project.program("app").out, "2 4\n");
  const std::vector<std::string> capture = {
      HONE_PROGRAM, "capture", "-p", project.build().string(), "--", (project.build() / "app").string()};
  const Outcome captured = project.run(capture, project.source());
  EXPECT_TRUE(captured.ok()) << captured.all();
  EXPECT_THAT(captured.out, HasSubstr("scale(float*, int): 1 call, 1 size, 1 input"));
  EXPECT_TRUE(fs::exists(project.source() / "hone" / "captures" / ".gitignore"));
  configure({"-DHONE_MODE=apply"});
  build();
  EXPECT_EQ(project.run(capture, project.source()).code, 1);
}

// A library that stands in no folder of the system's, and a static library of the project's between it and the program.
TEST_F(CMakeProject, JudgesKernelsThatCallLibrariesOfTheProgram) {
  const os::TemporaryFolder elsewhere = *os::TemporaryFolder::create("hone-library");
  const fs::path folder = elsewhere.path();
  fs::permissions(folder, fs::perms::owner_all | fs::perms::group_exec | fs::perms::group_read |
                              fs::perms::others_exec | fs::perms::others_read);
  ASSERT_TRUE(os::write_file_atomically(folder / "half.h", "float half(float);\n"));
  ASSERT_TRUE(os::write_file_atomically(folder / "half.cpp", "float half(float x) { return x / 2; }\n"));
  ASSERT_TRUE(project.run({"g++", "-shared", "-fPIC", "half.cpp", "-o", "libhalf.so"}, folder).ok());
  project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.20)
project(user CXX)
find_package(Hone REQUIRED)
add_library(half SHARED IMPORTED)
set_target_properties(half PROPERTIES IMPORTED_LOCATION ")" +
                                      (folder / "libhalf.so").string() + R"(" INTERFACE_INCLUDE_DIRECTORIES ")" +
                                      folder.string() + R"(")
add_library(scaling STATIC scale.cpp)
target_link_libraries(scaling PUBLIC half)
hone_target(scaling)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE scaling)
)");
  project.write("scale.cpp", R"(#include "scale.h"
#include <half.h>
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = half(x[i]);
}
)");
  configure();
  const auto judged = [&](const std::string& candidate) {
    project.write("candidate.cpp", candidate);
    const Outcome outcome = project.run({HONE_PROGRAM, "eval", "-p", project.build().string(), "--json", "--kernel",
                                         "scale", (project.source() / "candidate.cpp").string()},
                                        project.source());
    return outcome.all();
  };
  EXPECT_THAT(judged("void scale(float* x, int n) {\n  for (int i = n; i-- > 0;) x[i] = half(x[i]);\n}\n"),
              testing::ContainsRegex("\"right\": ?true"));
  EXPECT_THAT(judged("void scale(float* x, int n) {\n  for (int i = n; i-- > 1;) x[i] = half(x[i]);\n}\n"),
              HasSubstr("x[0] is"));
}

TEST_F(CMakeProject, GivesSameObjectsInAnyFolder) {
  configure({"-DCMAKE_BUILD_TYPE=Release"});
  lock_triples();
  build();
  fs::path copy = project.folder() / "another place";
  fs::create_directories(copy);
  fs::copy(project.source(), copy / "src", fs::copy_options::recursive);
  ASSERT_TRUE(project
                  .run({"cmake", "-S", (copy / "src").string(), "-B", (copy / "b").string(), "-G", "Ninja",
                        std::string("-DHone_DIR=") + HONE_PACKAGE, "-DCMAKE_BUILD_TYPE=Release"},
                       copy)
                  .ok());
  ASSERT_TRUE(project.build_target("all", copy / "b").ok());
  EXPECT_EQ(project.program("app", copy / "b").out, "3 6\n");
  for (const char* file : {"main.cpp", "scale.cpp"})
    EXPECT_TRUE(project.read(object(file)) == project.read(copy / "b/CMakeFiles/app.dir" / (std::string(file) + ".o")))
        << file;
}

TEST_F(CMakeProject, KeepsLauncherOutOfCompilationDatabase) {
  configure();
  std::string commands = project.read(project.build() / "compile_commands.json");
  EXPECT_THAT(commands, HasSubstr("scale.cpp"));
  EXPECT_THAT(commands, Not(HasSubstr("--settings")));
  EXPECT_THAT(commands, Not(HasSubstr("hone cc")));
}

TEST_F(CMakeProject, WorksWithCcache) {
  if (!project.run({"ccache", "--version"}, project.source()).ok()) GTEST_SKIP() << "there is no ccache";
  project.write("CMakeLists.txt",
                std::string(kList) + "set_target_properties(app PROPERTIES CXX_COMPILER_LAUNCHER ccache)\n");
  configure();
  std::string rules = project.read(project.build() / "CMakeFiles" / "rules.ninja");
  EXPECT_THAT(rules, HasSubstr("-- ccache "));
  project.write("CMakeLists.txt", kList);
  configure({"-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"});
  lock_triples();
  build();
  std::string first = project.read(object("scale.cpp"));
  build("clean");
  build();
  EXPECT_EQ(project.program("app").out, "3 6\n");
  EXPECT_TRUE(project.read(object("scale.cpp")) == first);
  Outcome figures = project.run({"ccache", "--print-stats"}, project.source());
  EXPECT_THAT(figures.out, Not(HasSubstr("preprocessed_cache_hit\t0\ndirect_cache_hit\t0")));
  // Another variant under the same name is another object.
  project.lock_variant("scale", "scale.cpp", project.key("scale"),
                       "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 4;\n}\n");
  fs::last_write_time(project.lock(), fs::file_time_type::clock::now() + std::chrono::seconds(2));
  build();
  EXPECT_EQ(project.program("app").out, "4 8\n");
}

TEST_F(CMakeProject, FailsStrictBuildIfKernelIsUntuned) {
  configure({"-DHONE_STRICT=ON"});
  Outcome built = project.build_target();
  EXPECT_FALSE(built.ok());
  EXPECT_THAT(built.all(), HasSubstr("scale.cpp:2: error: hone: 'scale' is not tuned"));
  lock_triples();
  build();
  EXPECT_EQ(project.program("app").out, "3 6\n");
}

TEST_F(CMakeProject, FailsStrictBuildIfHoneCannotLook) {
  configure({"-DHONE_STRICT=ON"});
  lock_triples();
  Outcome built = project.build_target("all", {}, {"HONE_TOOL=/nowhere/hone-tool"});
  EXPECT_TRUE(built.ok()) << "the one beside the launcher is taken: " << built.all();
  fs::remove(project.build() / "hone" / "app.json");
  fs::remove(object("scale.cpp"));
  built = project.build_target("CMakeFiles/app.dir/scale.cpp.o");
  EXPECT_FALSE(built.ok());
  EXPECT_THAT(built.all(), HasSubstr("app.json"));
}

// What tuning needs is made, and the target that cannot be built without it is not asked for.
TEST_F(CMakeProject, BuildsHoneTuneIfStrictBuildFails) {
  project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(Hone REQUIRED)
add_custom_command(OUTPUT size.h COMMAND ${CMAKE_COMMAND} -E echo "#define FACTOR 2" > size.h VERBATIM)
add_library(plain STATIC plain.cpp)
add_executable(app main.cpp scale.cpp ${CMAKE_CURRENT_BINARY_DIR}/size.h)
target_link_libraries(app PRIVATE plain)
target_include_directories(app PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
hone_target(app TRIALS 1 BUDGET 30s)
)");
  project.write("plain.cpp", "int plain() { return 0; }\n");
  project.write("scale.h", "#include \"size.h\"\nvoid scale(float* x, int n);\n");
  configure({"-DHONE_STRICT=ON"});
  EXPECT_FALSE(project.build_target().ok());
  fs::remove(project.build() / "size.h");
  for (const char* target : {"hone-tune", "hone-tune-app"}) {
    const Outcome tuned = project.build_target(target);
    EXPECT_TRUE(tuned.ok()) << tuned.all();
    EXPECT_TRUE(fs::exists(project.build() / "size.h"));
  }
}

TEST_F(CMakeProject, RefusesArgumentsThatMeanNothing) {
  for (const auto& [arguments, complaint] : std::vector<std::pair<std::string, std::string>>{
           {"BUDGET 0s", "BUDGET is '0s'; expected a time such as 90s"},
           {"BUDGET soon", "BUDGET is 'soon'"},
           {"TRIALS 0", "TRIALS is '0'"},
           {"STRATEGY brilliant", "STRATEGY is 'brilliant'; expected a .json file or one of ai-cuda-engineer, auto,"},
           {"PROPOSER oracle", "PROPOSER is 'oracle'; expected builtin,"}}) {
    project.write("CMakeLists.txt",
                  std::string(kList).replace(std::string(kList).rfind(')'), 1, " " + arguments + ")"));
    const Outcome configured = project.configure("Ninja");
    EXPECT_FALSE(configured.ok()) << arguments;
    std::string said = configured.err;
    for (std::size_t at; (at = said.find("\n  ")) != std::string::npos;) said.replace(at, 3, " ");
    EXPECT_THAT(said, HasSubstr(complaint));
  }
}

TEST_F(CMakeProject, TakesTimeForAllKernels) {
  const Outcome wrong = project.configure("Ninja", {"-DHONE_BUDGET_TOTAL=soon"});
  EXPECT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.err, HasSubstr("HONE_BUDGET_TOTAL is 'soon'"));
  configure({"-DHONE_BUDGET_TOTAL=1h30m"});
  EXPECT_THAT(project.read(project.build() / "build.ninja"), HasSubstr("--budget-total 1h30m"));
  configure({"-DHONE_BUDGET_TOTAL="});
  EXPECT_THAT(project.read(project.build() / "build.ninja"), testing::Not(HasSubstr("--budget-total")));
}

TEST_F(CMakeProject, AppliesVariantInUnityBuild) {
  project.write("more.cpp", "int more() { return 1; }\n");
  project.write("yet_more.cpp", "int yet_more() { return 1; }\n");
  project.write("CMakeLists.txt", std::string(kList) +
                                      "target_sources(app PRIVATE more.cpp yet_more.cpp)\n"
                                      "set_target_properties(app PROPERTIES UNITY_BUILD ON)\n");
  configure();
  EXPECT_TRUE(fs::exists(project.build() / "CMakeFiles/app.dir/Unity/unity_0_cxx.cxx"));
  lock_triples();
  build();
  EXPECT_EQ(project.program("app").out, "3 6\n");
}

TEST_F(CMakeProject, FindsKernelInUnitySource) {
  project.write("CMakeLists.txt", kList);
  project.write("scale.cpp",
                "#include \"scale.h\"\nvoid scale(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }\n");
  configure({"-DCMAKE_UNITY_BUILD=ON"});
  build();
  project.write("scale.cpp", kScale);  // annotated after CMake looked
  fs::last_write_time(project.source() / "scale.cpp", fs::file_time_type::clock::now() + std::chrono::seconds(2));
  EXPECT_THAT(build().all(), HasSubstr("scale.cpp:2: note: hone: 'scale' is not tuned"));
  EXPECT_EQ(project.program("app").out, "2 4\n");
}

// A kernel in a header is one kernel in all files that include it, whether or not they say hone themselves.
TEST_F(CMakeProject, AppliesVariantOfHeaderInEveryFile) {
  project.write("scale.cpp", "#include \"include/half.h\"\nvoid scale(float* x, int n) { half(x, n); }\n");
  project.write("include/half.h",
                "#pragma once\n#include \"../scale.h\"\n"
                "#pragma hone kernel inout(x[0:n]) problem(n=1000)\n"
                "inline void half(float* x, int n) { for (int i = 0; i < n; ++i) x[i] /= FACTOR; }\n");
  project.write("main.cpp", std::string(kMain).insert(0, "#include \"include/half.h\"\n"));
  configure({"-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"});
  EXPECT_EQ(count(build().all(), "'half' is not tuned"), 2u);
  EXPECT_EQ(project.program("app").out, "0.5 1\n");
  const std::string listed = project.run({HONE_PROGRAM, "list", "-p", project.build().string()}, project.source()).out;
  EXPECT_EQ(count(listed, "include/half.h:3"), 1u) << listed;
  project.lock_variant("half", "include/half.h", project.key("half"),
                       "static void by(float* x, int n, float f) { for (int i = 0; i < n; ++i) x[i] *= f; }\n"
                       "inline void half(float* x, int n) { by(x, n, 5); }\n");
  EXPECT_THAT(build().all(), Not(HasSubstr("hone:")));
  EXPECT_EQ(project.program("app").out, "5 10\n");
  // Both objects depend on it.
  project.write("include/half.h", project.read(project.source() / "include/half.h") + "// edited\n");
  const fs::file_time_type main = time_of("main.cpp"), scale = time_of("scale.cpp");
  build();
  EXPECT_NE(time_of("main.cpp"), main);
  EXPECT_NE(time_of("scale.cpp"), scale);
  EXPECT_EQ(project.program("app").out, "5 10\n");
}

TEST_F(CMakeProject, AppliesVariantsOfMemberFunctions) {
  project.write("scale.cpp", R"(#include "scale.h"
class Scaler {
  struct Inner {
    #pragma hone kernel inout(x[0:n]) problem(n=1000)
    static void twice(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }
  };
 public:
  void operator()(float* x, int n) const { Inner::twice(x, n); }
};
void scale(float* x, int n) { Scaler()(x, n); }
)");
  configure({"-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"});
  project.lock_variant(
      "Scaler::Inner::twice", "scale.cpp", project.key("Scaler::Inner::twice"),
      "inline void Scaler::Inner::twice(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 7; }\n");
  EXPECT_THAT(build().all(), Not(HasSubstr("hone:")));
  EXPECT_EQ(project.program("app").out, "7 14\n");
}

// Of the time before most policies, and warnings are errors: off, and in a target that Hone knows nothing of.
TEST_F(CMakeProject, WorksInOldAndStrictProject) {
  project.write("CMakeLists.txt", std::string("cmake_minimum_required(VERSION 3.5)\n") +
                                      std::string(kList).substr(std::string(kList).find("project(")) +
                                      "add_library(other STATIC scale.cpp)\n"
                                      "target_compile_options(other PRIVATE -Wall -Werror)\n"
                                      "target_compile_options(app PRIVATE -Wall -Werror)\n");
  for (const char* mode : {"-DHONE_MODE=off", "-DHONE_MODE=apply"}) {
    configure({mode});
    build();
    EXPECT_EQ(project.program("app").out, "2 4\n");
  }
}

TEST_F(CMakeProject, AppliesVariantWithPrecompiledHeader) {
  project.write("CMakeLists.txt", std::string(kList) +
                                      "target_precompile_headers(app PRIVATE <vector> <cstdio>)\n"
                                      "target_compile_options(app PRIVATE -Winvalid-pch)\n");
  configure();
  lock_triples();
  Outcome built = build();
  EXPECT_THAT(built.all(), Not(HasSubstr("warning")));
  EXPECT_EQ(project.program("app").out, "3 6\n");
}

TEST_F(CMakeProject, TakesLockFileOfOtherName) {
  project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(Hone REQUIRED)
add_executable(app main.cpp scale.cpp)
hone_target(app LOCK locks/app.lock MODE apply TRIALS 7 BUDGET 90s STRATEGY auto PROPOSER builtin)
)");
  configure();
  std::string settings = project.read(project.build() / "hone" / "app.json");
  for (const std::string& expected :
       {"\"lock\": \"" + (project.source() / "locks/app.lock").string() + "\"", std::string("\"trials\": 7"),
        std::string("\"budget\": \"90s\""), std::string("\"mode\": \"apply\"")})
    EXPECT_THAT(settings, HasSubstr(expected));
}

TEST_F(CMakeProject, ResolvesStrategyFileInProject) {
  project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(Hone REQUIRED)
add_executable(app main.cpp scale.cpp)
hone_target(app STRATEGY tuning/mine.json)
)");
  configure();
  EXPECT_THAT(project.read(project.build() / "hone" / "app.json"),
              HasSubstr("\"strategy\": \"" + (project.source() / "tuning/mine.json").string() + "\""));
}

// Characters that mean something to CMake, to its patterns or to make. Not * ? & < ' which Ninja 1.11 cannot read in
// compilers' dependency files, with or without Hone.
class OddFolders : public testing::TestWithParam<const char*> {};
TEST_P(OddFolders, AreBuiltOnceAndSeeLockFileCome) {
  Project project(GetParam());
  project.write("CMakeLists.txt", kList);
  project.write("main.cpp", kMain);
  project.write("scale.cpp", kScale);
  project.write("scale.h", "#define FACTOR 2\nvoid scale(float* x, int n);\n");
  const fs::path binary = project.source() / "build";
  const Outcome configured = project.configure("Ninja", {}, binary);
  ASSERT_TRUE(configured.ok()) << configured.all();
  const Outcome built = project.build_target("all", binary);
  ASSERT_TRUE(built.ok()) << built.all();
  EXPECT_EQ(project.program("app", binary).out, "2 4\n");
  EXPECT_THAT(project.build_target("all", binary).all(), HasSubstr("no work to do"));

  project.lock_variant("scale", "scale.cpp", project.key("scale", binary), kTriples);
  ASSERT_TRUE(project.build_target("all", binary).ok());
  EXPECT_EQ(project.program("app", binary).out, "3 6\n");
  EXPECT_THAT(project.build_target("all", binary).all(), HasSubstr("no work to do"));
}
INSTANTIATE_TEST_SUITE_P(Names, OddFolders, testing::Values("a#b", "a[b]c", "a+b (c)", "a,b"));

TEST_F(CMakeProject, WorksWithHoneAsSubdirectory) {
  // What Hone's own build makes available is the same function; a project that is configured suffices to see it.
  EXPECT_TRUE(fs::exists(fs::path(HONE_SOURCE) / "cmake_module" / "HoneTarget.cmake"));
  project.write("CMakeLists.txt",
                std::string("cmake_minimum_required(VERSION 3.25)\nproject(user CXX)\nadd_subdirectory(\"") +
                    HONE_SOURCE + "\" hone)\nadd_executable(app main.cpp scale.cpp)\nhone_target(app)\n");
  configure();
  Outcome plan = project.run(
      {"ninja", "-C", project.build().string(), "-t", "commands", "CMakeFiles/app.dir/scale.cpp.o"}, project.folder());
  EXPECT_THAT(plan.all(), HasSubstr("bin/hone cc --settings"));
  EXPECT_THAT(plan.all(), HasSubstr("libexec/hone/hone-tool"));  // built first
}

// C alone, and C beside C++, with warnings that projects in C make errors.
class ProjectsInC : public CMakeProject, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Languages, ProjectsInC, testing::Values("C", "C CXX"),
                         [](const auto& info) { return "Number" + std::to_string(info.index); });

TEST_P(ProjectsInC, LinkLockedVariant) {
  project.write("CMakeLists.txt", std::string("cmake_minimum_required(VERSION 3.25)\nproject(user ") + GetParam() + R"()
find_package(Hone REQUIRED)
set(CMAKE_C_STANDARD 90)
set(CMAKE_C_EXTENSIONS OFF)
add_compile_options(-Wall -Wextra -Werror -Wdeclaration-after-statement -Wmissing-prototypes -pedantic-errors)
add_executable(app main.c saxpy.c)
hone_target(app)
)");
  project.write("main.c",
                "#include <stdio.h>\n#include \"saxpy.h\"\nint main(void) {\n"
                "  float x[2] = {1, 2}, y[2] = {0, 0};\n  saxpy(2, 2, x, y);\n"
                "  printf(\"%g %g\\n\", y[0], y[1]);\n  return 0;\n}\n");
  project.write("saxpy.h", "#include <stddef.h>\nvoid saxpy(size_t n, float a, const float *x, float *y);\n");
  project.write("saxpy.c",
                "#include \"saxpy.h\"\n#pragma hone kernel in(x[0:n]) inout(y[0:n]) problem(n=1000, a=2) fixed(a)\n"
                "void saxpy(size_t n, float a, const float *x, float *y) {\n"
                "  size_t i;\n  for (i = 0; i < n; ++i) y[i] += a * x[i];\n}\n");
  configure();
  EXPECT_THAT(build().all(), HasSubstr("'saxpy' is not tuned"));
  EXPECT_EQ(project.program("app").out, "2 4\n");
  project.lock_variant("saxpy", "saxpy.c", project.key("saxpy"),
                       "void saxpy(size_t n, float a, const float *__restrict x, float *__restrict y) {\n"
                       "  size_t i = 0;\n  (void)a;\n  for (; i < n; ++i) y[i] += x[i] * 3;\n  float unused = 1;\n}\n");
  EXPECT_THAT(build().all(), Not(HasSubstr("note: hone")));
  EXPECT_EQ(project.program("app").out, "3 6\n");
}

// What is wrong with a call is said at once, in the caller's words.
struct WrongCall {
  const char* call;
  const char* complaint;
};
class WrongCalls : public CMakeProject, public testing::WithParamInterface<WrongCall> {};
TEST_P(WrongCalls, AreReported) {
  project.write("CMakeLists.txt", std::string(R"(cmake_minimum_required(VERSION 3.25)
project(user CXX ASM)
find_package(Hone REQUIRED)
add_executable(app main.cpp scale.cpp)
add_executable(other ALIAS app)
add_library(headers INTERFACE)
add_library(foreign STATIC IMPORTED)
add_library(assembly STATIC plain.s)
)") + GetParam().call + "\n");
  project.write("plain.s", "");
  Outcome configured = project.configure("Ninja");
  EXPECT_FALSE(configured.ok());
  std::string words;  // CMake wraps its messages
  for (char c : configured.err)
    if (c != '\n' && !(c == ' ' && !words.empty() && words.back() == ' '))
      words += c;
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  EXPECT_THAT(words, HasSubstr(GetParam().complaint));
}
INSTANTIATE_TEST_SUITE_P(HoneTarget, WrongCalls,
                         testing::Values(WrongCall{"hone_target(app MOED apply)", "unknown argument 'MOED;apply'"},
                                         WrongCall{"hone_target(app MODE)", "no value behind MODE"},
                                         WrongCall{"hone_target(app MODE sometimes)",
                                                   "the mode is 'sometimes'; expected off, apply, tune or capture"},
                                         WrongCall{"hone_target(nobody)", "no such target"},
                                         WrongCall{"hone_target(other)", "an alias of app"},
                                         WrongCall{"hone_target(headers)", "compiles nothing"},
                                         WrongCall{"hone_target(foreign)", "an imported target"},
                                         WrongCall{"hone_target(assembly)", "no C, C++ or CUDA source"},
                                         WrongCall{"hone_target(app TRIALS many)", "expected a whole number"},
                                         WrongCall{"hone_target(app BUDGET soon)", "expected a time such as"},
                                         WrongCall{"hone_target(app)\nhone_target(app)", "called twice"},
                                         WrongCall{"set(HONE_MODE maybe)\nhone_target(app)", "the mode is 'maybe'"}));

TEST_F(CMakeProject, WorksFromInstallTree) {
  fs::path prefix = project.folder() / "prefix";
  Outcome installed = project.run({"cmake", "--install", HONE_PACKAGE, "--prefix", prefix.string()}, project.folder());
  ASSERT_TRUE(installed.ok()) << installed.all();
  for (const char* file : {"bin/hone", "libexec/hone/hone-tool", "libexec/hone/hone-worker", "libexec/hone/hone-runner",
                           "libexec/hone/hone-openmp-order.so", "libexec/hone/hone-sampler.so", "include/hone/hone.h",
                           "share/man/man1/hone-tune.1", "share/bash-completion/completions/hone.bash",
                           "share/zsh/site-functions/_hone", "share/fish/vendor_completions.d/hone.fish"})
    EXPECT_TRUE(fs::exists(prefix / file)) << file;
  project.write("CMakeLists.txt", std::string(kList) + "target_link_libraries(app PRIVATE Hone::annotations)\n");
  project.write("scale.cpp", std::string("#include <hone/hone.h>\n") + kScale);
  Outcome configured = project.run({"cmake", "-S", project.source().string(), "-B", project.build().string(), "-G",
                                    "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix.string()},
                                   project.folder());
  ASSERT_TRUE(configured.ok()) << configured.all();
  EXPECT_THAT(project.read(project.build() / "CMakeFiles" / "rules.ninja"),
              HasSubstr(prefix.filename().string() + "/bin/hone"));
  lock_triples();
  EXPECT_THAT(build().all(), Not(HasSubstr("note: hone")));
  EXPECT_EQ(project.program("app").out, "3 6\n");
}

}  // namespace
}  // namespace hone::tests
