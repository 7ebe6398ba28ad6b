// Variants in builds as they are: sanitizers, coverage, debuggers, installed packages, subprojects, configurations,
// other machines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string times(const std::string& name, const std::string& factor) {
  return "void " + name + "(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= " + factor + ";\n}\n";
}
std::string annotated(const std::string& name) {
  return "#pragma hone kernel inout(x[0:n]) problem(n=1000)\n" + times(name, "2");
}
std::string program_of(const std::vector<std::string>& kernels) {
  std::string declared, called;
  for (const std::string& kernel : kernels) {
    declared += "void " + kernel + "(float* x, int n);\n";
    called += "  " + kernel + "(x, 2);\n";
  }
  return "#include <cstdio>\n" + declared + "int main() {\n  float x[2] = {1, 2};\n" + called +
         "  std::printf(\"%g %g\\n\", x[0], x[1]);\n}\n";
}

class Builds : public testing::Test {
 protected:
  bool has(const std::string& tool) const { return project.run({tool, "--version"}, project.folder()).ok(); }

  void configure(std::vector<std::string> options = {}) {
    const Outcome configured = project.configure("Ninja", std::move(options));
    ASSERT_TRUE(configured.ok()) << configured.all();
  }
  std::string build() {
    const Outcome built = project.build_target();
    EXPECT_TRUE(built.ok()) << built.all();
    return built.all();
  }

  Project project;
};

// One source, compiled and linked with the same flags.
class Flags : public Builds, public testing::WithParamInterface<std::vector<std::string>> {};
INSTANTIATE_TEST_SUITE_P(Builds, Flags,
                         testing::Values(std::vector<std::string>{"g++", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow",
                                                                  "-Wconversion", "-Werror"},
                                         std::vector<std::string>{"g++", "-g", "-O1", "-fsanitize=address,undefined"},
                                         std::vector<std::string>{"g++", "-fsanitize=thread"},
                                         std::vector<std::string>{"g++", "-O2", "-flto"},
                                         std::vector<std::string>{"g++", "-Ofast", "-ffast-math", "-march=native"},
                                         std::vector<std::string>{"g++", "-ansi", "-pedantic-errors"},
                                         std::vector<std::string>{"g++", "-std=c++23"},
                                         std::vector<std::string>{"g++-11", "-O2", "-std=c++11"},
                                         std::vector<std::string>{"clang++-14", "-std=c++98", "-pedantic-errors"},
                                         std::vector<std::string>{"clang++-15", "-O2", "-fno-exceptions"},
                                         std::vector<std::string>{"clang++-16", "-g", "-std=c++20"}),
                         [](const auto& info) { return "Number" + std::to_string(info.index); });

TEST_P(Flags, LinkVariant) {
  if (!has(GetParam().front())) GTEST_SKIP() << "there is no " << GetParam().front();
  // The variant calls nothing: that is no reason to warn of the function that the original calls.
  project.write("scale.cpp",
                "static float twice(float v) { return v + v; }\n#pragma hone kernel inout(x[0:n]) problem(n=1000)\n"
                "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] = twice(x[i]);\n}\n" +
                    program_of({"scale"}));
  std::vector<std::string> words = GetParam();
  words.push_back("-Wno-unknown-pragmas");
  const std::string object = project.object("scale.cpp").string(), program = (project.build() / "program").string();
  std::vector<std::string> compile = words, link = words;
  compile.insert(compile.end(), {"-c", (project.source() / "scale.cpp").string(), "-o", object});
  link.insert(link.end(), {object, "-o", program});
  project.lock_variant("scale", "scale.cpp", project.key_of_command("scale", "scale.cpp", compile),
                       times("scale", "3").insert(times("scale", "3").find("  for"), "  int unused = 1.5;\n"));
  compile.insert(compile.begin(), {HONE_PROGRAM, "cc", "--locked", "--"});
  const Outcome compiled = project.run(compile, project.source());
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_EQ(compiled.err, "");
  const Outcome linked = project.run(link, project.source());
  ASSERT_TRUE(linked.ok()) << linked.all();
  EXPECT_EQ(project.program("program").out, "3 6\n");
}

constexpr const char* kApp = R"(cmake_minimum_required(VERSION 3.20)
project(user CXX)
find_package(Hone REQUIRED)
add_executable(app main.cpp scale.cpp)
hone_target(app)
)";

class Apps : public Builds {
 protected:
  void SetUp() override {
    project.write("CMakeLists.txt", kApp);
    project.write("main.cpp", program_of({"scale"}));
    project.write("scale.cpp", annotated("scale") + "\nint behind(int n) {\n  return n + 1;\n}\n");
  }
  std::string lock(const std::string& variant) {
    return project.lock_variant("scale", "scale.cpp", project.key("scale"), variant);
  }
};

TEST_F(Apps, StopInVariantAtBreakpointsOfFunctionAndOfLines) {
  if (!has("gdb")) GTEST_SKIP() << "there is no gdb";
  configure({"-DCMAKE_BUILD_TYPE=Debug"});
  const std::string digest = lock(
      "static float by(float v) {\n  return v * 3;\n}\n"
      "void scale(float* x,\n           int n) {\n  for (int i = 0; i < n; ++i)\n    x[i] = by(x[i]);\n}\n");
  build();
  const std::string place = "hone/cas/" + digest;
  const auto stop_at = [&](const std::string& where) {
    return project
        .run({"gdb", "-q", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "break " + where, "-ex", "run",
              "-ex", "list", "-ex", "info source", (project.build() / "app").string()},
             project.folder())
        .all();
  };
  for (const std::string where : {"scale", "scale.cpp:2", "scale.cpp:3", "scale.cpp:4"}) {
    const std::string said = stop_at(where);
    if (said.find("ptrace") != std::string::npos) GTEST_SKIP() << "gdb may not trace here";
    EXPECT_THAT(said, HasSubstr(place + ":6\n6\t  for (int i = 0; i < n; ++i)")) << where;
    EXPECT_THAT(said, HasSubstr("\n7\t    x[i] = by(x[i]);"));
    EXPECT_THAT(said, HasSubstr("Located in " + (project.build() / place).string()));
  }
  EXPECT_THAT(stop_at(digest + ":2"), HasSubstr("by (v=1) at " + place + ":2\n2\t  return v * 3;"));
  EXPECT_THAT(stop_at("behind"), Not(HasSubstr("Breakpoint 1, "))) << "nobody calls it";
}

TEST_F(Apps, CountVariantsLinesAsCovered) {
  if (!has("gcov")) GTEST_SKIP() << "there is no gcov";
  configure({"-DCMAKE_CXX_FLAGS=--coverage"});
  const std::string digest = lock(times("scale", "3"));
  build();
  EXPECT_EQ(project.program("app").out, "3 6\n");
  const Outcome counted = project.run({"gcov", "CMakeFiles/app.dir/scale.cpp.o"}, project.build());
  EXPECT_THAT(counted.all(), Not(HasSubstr("Cannot open source file")));
  EXPECT_THAT(project.read(project.build() / (digest + ".gcov")), HasSubstr("for (int i = 0; i < n; ++i) x[i] *= 3;"));
}

// What a precompiled header brings is the project's: an edit there is another kernel, and an annotation is seen.
TEST_F(Apps, KnowWhatPrecompiledHeaderBrings) {
  project.write("CMakeLists.txt", std::string(kApp) + "target_precompile_headers(app PRIVATE factor.h)\n");
  project.write("factor.h", "#pragma once\n#define FACTOR 2\n");
  project.write("scale.cpp", "#pragma hone kernel inout(x[0:n]) problem(n=1000)\n" + times("scale", "FACTOR"));
  configure();
  build();
  const std::string key = project.key("scale");
  project.write("factor.h", "#pragma once\n#define FACTOR 5\n");
  EXPECT_NE(project.key("scale"), key);
  project.write("factor.h", "#pragma once\n#define FACTOR 5\n" + annotated("static_scale").insert(50, "static "));
  EXPECT_THAT(build(), HasSubstr("factor.h:3:1: note: hone: this header comes from the command line"));
}

TEST_F(Apps, InstallWithoutAskingForHone) {
  project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.20)
project(user CXX)
find_package(Hone REQUIRED)
add_library(flags INTERFACE)
target_compile_options(flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-O2>)
add_library(objects OBJECT scale.cpp)
target_link_libraries(objects PRIVATE $<BUILD_INTERFACE:flags> $<BUILD_INTERFACE:Hone::annotations>)
hone_target(objects)
add_library(scales STATIC $<TARGET_OBJECTS:objects>)
install(TARGETS scales EXPORT scales)
install(EXPORT scales DESTINATION lib/cmake/scales FILE scalesConfig.cmake)
)");
  configure();
  lock(times("scale", "3"));
  build();
  const fs::path prefix = project.folder() / "prefix", user = project.folder() / "consumer";
  ASSERT_TRUE(
      project.run({"cmake", "--install", project.build().string(), "--prefix", prefix.string()}, user.parent_path())
          .ok());
  EXPECT_FALSE(project.run({"grep", "-rliI", "hone", (prefix / "lib/cmake").string()}, project.folder()).ok());
  project.write("../consumer/CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.20)\nproject(consumer CXX)\nfind_package(scales REQUIRED)\n"
                "add_executable(app main.cpp)\ntarget_link_libraries(app scales)\n");
  project.write("../consumer/main.cpp", program_of({"scale"}));
  const Outcome built = project.run(
      {"sh", "-c", "cmake -S . -B b -G Ninja -DCMAKE_PREFIX_PATH=\"$0\" && cmake --build b", prefix.string()}, user);
  ASSERT_TRUE(built.ok()) << built.all();
  EXPECT_EQ(project.program("app", user / "b").out, "3 6\n");
}

// As add_subdirectory() and FetchContent bring them; each project's lock file is its own.
TEST_F(Builds, LinkWhatEachSubprojectLocks) {
  const std::string project_of = "cmake_minimum_required(VERSION 3.20)\n";
  const auto library = [&](const std::string& name) {
    return project_of + "project(" + name + " CXX)\nfind_package(Hone REQUIRED)\nadd_library(" + name + " " + name +
           ".cpp)\nhone_target(" + name + ")\n";
  };
  project.write("CMakeLists.txt", project_of + R"(project(user CXX)
include(FetchContent)
FetchContent_Declare(fetched SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/../fetched)
FetchContent_MakeAvailable(fetched)
add_subdirectory(own)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE own fetched)
)");
  project.write("main.cpp", program_of({"own", "fetched"}));
  for (const std::string folder : {"own", "../fetched"}) {
    const std::string name = fs::path(folder).filename();
    project.write(folder + "/CMakeLists.txt", library(name));
    project.write(folder + "/" + name + ".cpp", annotated(name));
  }
  configure();
  for (const std::string folder : {"own", "../fetched"}) {
    const std::string name = fs::path(folder).filename();
    project.lock_variant(name, folder + "/" + name + ".cpp", project.key(name), times(name, name == "own" ? "3" : "5"));
    const fs::path place = (project.source() / folder).lexically_normal();
    fs::rename(project.lock(), place / "hone.lock");
    fs::rename(project.source() / "hone", place / "hone");
  }
  EXPECT_THAT(build(), Not(HasSubstr("note: hone")));
  EXPECT_EQ(project.program("app").out, "15 30\n");
}

TEST_F(Apps, OfSeveralConfigurationsAreToldApart) {
  project.write("CMakePresets.json", std::string(R"({"version": 3, "configurePresets": [{"name": "multi",
    "generator": "Ninja Multi-Config", "binaryDir": "${sourceDir}/../build",
    "cacheVariables": {"CMAKE_CONFIGURATION_TYPES": "Debug;Release", "Hone_DIR": ")") +
                                         HONE_PACKAGE + R"("}}],
    "buildPresets": [{"name": "release", "configurePreset": "multi", "configuration": "Release"},
                     {"name": "debug", "configurePreset": "multi", "configuration": "Debug"}]})");
  const Outcome configured = project.run({"cmake", "--preset", "multi"}, project.source());
  ASSERT_TRUE(configured.ok()) << configured.all();
  const auto hone = [&](std::vector<std::string> words) {
    words.insert(words.begin(), HONE_PROGRAM);
    words.insert(words.end(), {"-p", project.build().string()});
    return project.run(words, project.folder());
  };
  EXPECT_THAT(hone({"list"}).out, testing::AllOf(HasSubstr("gcc -O0"), HasSubstr("gcc -O3")));
  EXPECT_EQ(count(hone({"list", "--config", "Release", "--json"}).out, "\"compiled_with\": \"gcc -O3\""), 1u);
  EXPECT_EQ(hone({"list", "--config", "Relase"}).code, 2);
  const Outcome plan =
      project.run({"ninja", "-f", "build-Release.ninja", "-t", "commands", "hone-tune"}, project.build());
  EXPECT_THAT(plan.out, HasSubstr("--config Release"));

  // The key of a source with two commands is asked for by a folder of one.
  const fs::path release = project.folder() / "release";
  ASSERT_TRUE(project.configure("Ninja", {"-DCMAKE_BUILD_TYPE=Release"}, release).ok());
  project.lock_variant("scale", "scale.cpp", project.key("scale", release), times("scale", "3"));
  EXPECT_TRUE(project.run({"cmake", "--build", "--preset", "release"}, project.source()).ok());
  EXPECT_TRUE(project.run({"cmake", "--build", "--preset", "debug"}, project.source()).ok());
  EXPECT_EQ(project.program("Release/app").out, "3 6\n");
  EXPECT_EQ(project.program("Debug/app").out, "2 4\n");
}

// A build for another machine links what is locked for that one, and says where to tune.
TEST_F(Apps, ForOtherMachineAreKeptApart) {
  if (!has("aarch64-linux-gnu-g++")) GTEST_SKIP() << "there is no aarch64-linux-gnu-g++ (g++-aarch64-linux-gnu)";
  project.write("scale.cpp", "#include <cmath>\n" + annotated("scale"));
  const fs::path here = project.folder() / "here";
  ASSERT_TRUE(project.configure("Ninja", {}, here).ok());
  project.lock_variant("scale", "scale.cpp", project.key("scale", here), times("scale", "7"));
  configure({"-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64",
             "-DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++", "-DCMAKE_EXE_LINKER_FLAGS=-static",
             "-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64"});
  EXPECT_THAT(build(), HasSubstr("'scale' was tuned for another text, annotation, flags or target"));
  const std::string tool = HONE_PROGRAM, folder = project.build().string();
  EXPECT_THAT(project.run({tool, "list", "--explain", "-p", folder}, project.folder()).out,
              HasSubstr("\ntarget: aarch64 fp-armv8 neon"));
  lock(
      "#include <arm_neon.h>\nvoid scale(float* x, int n) {\n  int i = 0;\n"
      "  for (; i + 2 <= n; i += 2) vst1_f32(x + i, vmul_n_f32(vld1_f32(x + i), 3));\n"
      "  for (; i < n; ++i) x[i] *= 3;\n}\n");
  EXPECT_THAT(build(), Not(HasSubstr("note: hone")));
  if (has("qemu-aarch64"))
    EXPECT_EQ(project.run({"qemu-aarch64", (project.build() / "app").string()}, project.folder()).out, "3 6\n");
  for (const std::string command : {"tune", "verify"}) {
    const Outcome asked = project.run({tool, command, "-p", folder}, project.folder());
    if (command == "tune" && asked.ok()) continue;  // known
    EXPECT_EQ(asked.code, 3) << asked.all();
    EXPECT_THAT(asked.all(), testing::AllOf(HasSubstr("'scale' is compiled for aarch64, and this machine is "),
                                            HasSubstr("--executor \"command:ssh BOARD hone-worker -\"")));
  }
}

}  // namespace
}  // namespace hone::tests
