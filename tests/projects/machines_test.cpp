// Variants that are slower on a kind of machine, and builds for that kind and for others: `hone cc` and CMake, with
// lock files written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/projects/project.h"
#include "tests/replaced_text.h"
#include "tool/base/machine_kind.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kScale = R"(#include <cstdio>
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= 2;
}
int main() {
  float x[1] = {1};
  scale(x, 1);
  std::printf("%g\n", x[0]);
}
)";
// Says something else than the original, so that it shows which of them was linked.
constexpr const char* kTriples = "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 3;\n}\n";
constexpr const char* kOriginal = "2\n";
constexpr const char* kVariant = "3\n";
const std::string slow = "AMD EPYC 1234X", fast = "Intel Xeon 4321X";

class Machines : public testing::Test {
 protected:
  void SetUp() override { project.write("scale.cpp", kScale); }

  void lock(std::vector<std::string> flags = {}) {
    variant_ = project.lock_variant("scale", "scale.cpp", project.key_of_file("scale", "scale.cpp", std::move(flags)),
                                    kTriples);
    held_on(slow, 0.8);
    held_on(fast, 2);
  }
  void held_on(const std::string& machine, double median) {
    const auto written = cache::LockFile::update(project.lock(), [&](cache::LockFile& lock) {
      cache::put_figure(lock.entries.at(0).held_on, machine,
                        cache::figure_of(variant_, median, median - 0.1, median + 0.1));
    });
    ASSERT_TRUE(written) << written.error().message();
  }
  Outcome compile(std::vector<std::string> options = {}, std::vector<std::string> flags = {},
                  const std::string& machine = "") {
    return project.compile("scale.cpp", std::move(options), std::move(flags), {"HONE_MACHINE=" + machine});
  }
  std::string says() { return project.link_and_run({"scale.cpp"}).out; }

  Project project;

 private:
  std::string variant_;
};

TEST_F(Machines, GetTheOriginalWhereTheVariantIsSlower) {
  lock();
  const Outcome compiled = compile();
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_EQ(compiled.err, (project.source() / "scale.cpp").string() + ":2: note: hone: 'scale' is 0.80x on \"" + slow +
                              "\" (hone.lock); the original is compiled [hone-variant-slower-here]\n");
  EXPECT_EQ(says(), kOriginal);
}

TEST_F(Machines, GetTheVariantWhereTheyAreNotAmongThoseOfTheBuild) {
  lock();
  EXPECT_EQ(compile({}, {}, fast).all(), "");
  EXPECT_EQ(says(), kVariant);
  compile({}, {}, slow);
  EXPECT_EQ(says(), kOriginal);
  compile({}, {}, fast + ";" + slow);
  EXPECT_EQ(says(), kOriginal);
}

TEST_F(Machines, AreThoseThatTheProjectDeclares) {
  lock();
  project.write("hone.json", "{ \"machines\": [\"" + fast + "\"] }");
  EXPECT_EQ(compile().all(), "");
  EXPECT_EQ(says(), kVariant);
  project.write("hone.json", "{ \"machines\": [\"" + fast + "\", \"" + slow + "\"] }");
  compile();
  EXPECT_EQ(says(), kOriginal);
}

// The original is right there: nothing is missing, stale or untrusted.
TEST_F(Machines, AreADecisionAndNoErrorOfAStrictBuild) {
  lock();
  const Outcome compiled = compile({"--locked"});
  EXPECT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr("note: hone: 'scale' is 0.80x"));
  EXPECT_EQ(says(), kOriginal);
}

// A flipped digit must not bring a variant back that figures took out, nor say anything else.
TEST_F(Machines, WhoseFiguresWereDamagedGetTheOriginal) {
  lock();
  project.write("hone.lock", test::replaced(project.read(project.lock()), "\"high\": 0.9", "\"high\": 1.9"));
  const Outcome compiled = compile();
  EXPECT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, AllOf(HasSubstr("note: hone: 'scale' has no variant that holds: its entry in the lock file "
                                            "does not fit its sum"),
                                  HasSubstr("run hone tune, or restore the lock file")));
  EXPECT_EQ(says(), kOriginal);
  const Outcome strict = compile({"--locked"});
  EXPECT_FALSE(strict.ok());
  EXPECT_THAT(strict.err, HasSubstr("error: hone: 'scale' has no variant that holds"));
}

TEST_F(Machines, AreThisOneWhereTheTargetIsNative) {
  lock({"-march=native"});
  EXPECT_EQ(compile({}, {"-march=native"}).all(), "");
  EXPECT_EQ(says(), kVariant);
  held_on(processor_kind(), 0.7);
  EXPECT_THAT(compile({}, {"-march=native"}).err, HasSubstr("'scale' is 0.70x on \"" + processor_kind()));
  EXPECT_EQ(says(), kOriginal);
}

TEST_F(Machines, CountAllWhereTheProjectsFileIsBroken) {
  lock();
  project.write("hone.json", "{ \"machines\": 7 }");
  const Outcome compiled = compile();
  EXPECT_TRUE(compiled.ok());
  EXPECT_THAT(compiled.err, HasSubstr("hone.json: \"machines\" must be a list of kinds of machines"));
  EXPECT_EQ(says(), kOriginal);
  EXPECT_FALSE(compile({"--locked"}).ok()) << "nobody can say for which machines it is";
}

TEST_F(Machines, AreListed) {
  lock();
  const std::string source = (project.source() / "scale.cpp").string(), object = project.object("scale.cpp").string();
  project.write_database("scale.cpp", {"g++", "-Wall", "-Wno-unknown-pragmas", "-c", source, "-o", object});
  const auto listed = [&](const std::string& machine, const std::string& how) {
    std::vector<std::string> command{HONE_PROGRAM, "list", "-p", project.build().string()};
    if (!how.empty()) command.push_back(how);
    return project.run(command, project.source(), {"HONE_MACHINE=" + machine}).out;
  };
  EXPECT_THAT(listed("", "--json"), HasSubstr("\"linked\": false"));
  EXPECT_THAT(listed("", "--json"), HasSubstr("\"trouble\": \"it is 0.80x on \\\"" + slow));
  EXPECT_THAT(listed("", ""), HasSubstr(":2: the original of 'scale' is linked: it is 0.80x on \"" + slow));
  EXPECT_THAT(listed(fast, "--json"), HasSubstr("\"linked\": true"));
}

// What ninja knows: the lock file, hone_target()'s settings, hone.json; and its folder, while that is not there.
TEST_F(Machines, AreNoticedByNinjaWhenTheyChange) {
  if (!project.run({"ninja", "--version"}, project.source()).ok()) GTEST_SKIP() << "ninja is not here";
  project.write("CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.20)\nproject(app LANGUAGES CXX)\nfind_package(Hone REQUIRED)\n"
                "add_executable(app scale.cpp)\nhone_target(app)\n");
  ASSERT_TRUE(project.configure("Ninja").ok());
  project.write("hone.lock", "{ \"version\": 1, \"kernels\": [] }\n");
  const auto build = [&] {
    const Outcome built = project.build_target();
    EXPECT_TRUE(built.ok()) << built.all();
    return project.program("app").out;
  };
  EXPECT_EQ(build(), kOriginal);
  const std::string digest = project.lock_variant("scale", "scale.cpp", project.key("scale"), kTriples);
  EXPECT_EQ(build(), kVariant);
  ASSERT_TRUE(cache::LockFile::update(project.lock(), [&](cache::LockFile& lock) {
    cache::put_figure(lock.entries.at(0).held_on, slow, cache::figure_of(digest, 0.8, 0.7, 0.9));
  }));
  EXPECT_EQ(build(), kOriginal);
  project.write("hone.json", "{ \"machines\": [\"" + fast + "\"] }");
  EXPECT_EQ(build(), kVariant);
  project.write("hone.json", "{ \"machines\": [\"" + slow + "\"] }");
  EXPECT_EQ(build(), kOriginal);
  ASSERT_TRUE(project.configure("Ninja", {"-DHONE_MACHINE=" + fast}).ok());
  EXPECT_EQ(build(), kVariant);
  ASSERT_TRUE(project.configure("Ninja", {"-DHONE_MACHINE=" + fast + ";" + slow}).ok());
  EXPECT_EQ(build(), kOriginal);
  EXPECT_THAT(project.build_target().out, HasSubstr("no work to do"));
}

}  // namespace
}  // namespace hone::tests
