// docs/without-cmake.md as its reader would follow it: the files that it shows, the commands that it gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// The fenced block of this language behind the heading.
std::string block(const std::string& page, const std::string& heading, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  const std::size_t begin = page.find(fence, page.find("\n## " + heading)) + fence.size();
  return page.substr(begin, page.find("```", begin) - begin);
}

class WithoutCMake : public testing::Test {
 protected:
  void SetUp() override {
    page = project.read(fs::path(HONE_SOURCE) / "docs" / "without-cmake.md");
    project.write("scale.h", "void scale(float* x, int n);\n");
    project.write("main.cpp",
                  "#include <cstdio>\n#include \"scale.h\"\nint main() {\n  float x[2] = {1, 2};\n  scale(x, 2);\n"
                  "  std::printf(\"%g %g\\n\", x[0], x[1]);\n}\n");
    project.write("scale.cpp",
                  "#include \"scale.h\"\n#pragma hone kernel inout(x[0:n]) problem(n=1000)\n"
                  "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 2;\n}\n");
  }

  bool has(const std::string& program) const { return project.run({program, "--version"}, project.source()).ok(); }

  // A line of the page, with `hone` on the PATH. A search is too long for a test; what it would lock is locked instead.
  Outcome follow(const std::string& line) const {
    if (line.starts_with("hone tune")) {
      const fs::path build = line.ends_with("-p build") ? project.source() / "build" : project.source();
      project.lock_variant("scale", "scale.cpp", project.key("scale", build),
                           "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 3;\n}\n");
      return {0, "", ""};
    }
    const std::string path = fs::path(HONE_PROGRAM).parent_path().string() + ":" + std::getenv("PATH");
    return project.run({"sh", "-c", line}, project.source(), {"PATH=" + path});
  }

  std::string follow_all(const std::string& commands) const {
    std::istringstream lines(commands);
    std::string said;
    for (std::string line; std::getline(lines, line);) {
      const Outcome outcome = follow(line);
      EXPECT_TRUE(outcome.ok()) << line << "\n" << outcome.all();
      said += outcome.all();
    }
    return said;
  }

  Project project;
  std::string page;
};

TEST_F(WithoutCMake, MakeLinksVariantAsPageSays) {
  if (!has("make")) GTEST_SKIP() << "there is no make";
  project.write("Makefile", block(page, "Make\n", "make"));
  const std::string said = follow_all(block(page, "Make\n", "sh"));
  EXPECT_THAT(said,
              HasSubstr("scale.cpp:2: note: hone: 'scale' is not tuned; the original is compiled; run hone tune"));
  EXPECT_THAT(said, testing::ContainsRegex("scale +tuned +variant"));
  EXPECT_EQ(project.program("app", project.source()).out, "3 6\n");
  EXPECT_THAT(follow("make").out, HasSubstr("up to date"));
  EXPECT_EQ(follow("HONE_MODE=off make -B").err, "");
  EXPECT_EQ(project.program("app", project.source()).out, "2 4\n");
}

TEST_F(WithoutCMake, MesonLinksVariantAsPageSays) {
  if (!has("meson")) GTEST_SKIP() << "there is no meson (apt-get install meson)";
  project.write("hone.ini", block(page, "Meson\n", "ini"));
  project.write("meson.build", block(page, "Meson\n", "meson"));
  EXPECT_THAT(follow_all(block(page, "Meson\n", "sh")), testing::ContainsRegex("scale +tuned +variant"));
  EXPECT_EQ(project.program("app", project.source() / "build").out, "3 6\n");
  EXPECT_THAT(follow("meson compile -C build").out, HasSubstr("no work to do"));
}

// One command for several sources, as the shortest of Makefiles have it.
TEST_F(WithoutCMake, SeveralSourcesAreCompiledOneByOne) {
  const std::string compile = "hone cc --database compile_commands.json -- g++ -c main.cpp scale.cpp";
  EXPECT_THAT(follow(compile).err, HasSubstr("'scale' is not tuned"));
  EXPECT_TRUE(follow("hone tune").ok());
  EXPECT_EQ(follow_all(compile + "\ng++ -o app main.o scale.o\n"), "");
  EXPECT_EQ(project.program("app", project.source()).out, "3 6\n");
  EXPECT_THAT(follow("hone cc -- g++ -MMD main.cpp scale.cpp -o app").err,
              HasSubstr("scale.cpp:1: note: hone: one command compiles and links"));
  EXPECT_EQ(project.program("app", project.source()).out, "2 4\n");
  EXPECT_FALSE(follow("hone cc --locked -- g++ -MMD main.cpp scale.cpp -o app").ok());
}

TEST_F(WithoutCMake, CommandThatCompilesAndLinksIsTakenApart) {
  const std::string command = "hone cc --database compile_commands.json -- g++ -O1 main.cpp scale.cpp -o app -lm";
  EXPECT_THAT(follow(command).err, HasSubstr("'scale' is not tuned"));
  EXPECT_EQ(project.program("app", project.source()).out, "2 4\n");
  EXPECT_TRUE(follow("hone tune").ok());
  EXPECT_EQ(follow_all(command), "");
  EXPECT_EQ(project.program("app", project.source()).out, "3 6\n");
  EXPECT_FALSE(fs::exists(project.source() / "app.hone"));
  EXPECT_THAT(follow("hone list").out, testing::ContainsRegex("scale +tuned +variant +variant"))
      << "the program says what is linked, as there is no object";
  // As another tool may have noted it.
  project.write("compile_commands.json",
                R"([{"directory": ")" + project.source().string() +
                    R"(", "file": "scale.cpp", "command": "g++ -O1 main.cpp scale.cpp -o app -lm"}])");
  EXPECT_THAT(follow("hone list").out, testing::ContainsRegex("scale +tuned"));
  project.write("main.cpp", "int main() { return nonsense; }\n");
  EXPECT_FALSE(follow(command).ok());
}

TEST_F(WithoutCMake, KernelsThatCallLibrariesOfTheProgramAreJudged) {
  project.write("scale.cpp", R"(#include <zlib.h>
#pragma hone kernel out(x[0:1]) in(bytes[0:n]) problem(n=1000)
void scale(unsigned* x, const unsigned char* bytes, int n) { x[0] = adler32(1, bytes, n); }
)");
  project.write("main.cpp", "int main() {}\n");
  const std::string compiler = "hone cc --database compile_commands.json -- g++";
  EXPECT_TRUE(follow(compiler + " -c scale.cpp").ok());
  const std::string eval =
      "echo 'void scale(unsigned* x, const unsigned char* bytes, int n) "
      "{ x[0] = adler32(adler32(1, bytes, n / 2), bytes + n / 2, n - n / 2); }' | hone eval --json --kernel scale -";
  EXPECT_THAT(follow(eval).all(), HasSubstr("hone cc --database, has seen the program link"));
  EXPECT_TRUE(follow(compiler + " main.cpp scale.o -lz -o app").ok());
  EXPECT_THAT(follow(eval).out, testing::ContainsRegex("\"right\": ?true"));
}

// The kernel's own source comes first, when nothing is known of the other.
TEST_F(WithoutCMake, KernelsThatCallOtherSourcesAreTunedOnceAllAreCompiled) {
  project.write("other.cpp", "float other(float x) { return 2 * x; }\n");
  project.write("scale.cpp",
                "float other(float x);\n#pragma hone kernel inout(x[0:n]) problem(n=1000)\n"
                "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] = other(x[i]);\n}\n");
  const std::string compiler = "hone cc --database compile_commands.json -- g++";
  const std::string commands = compiler + " -c scale.cpp\n" + compiler + " -c other.cpp\n" + compiler +
                               " -c main.cpp\n" + compiler + " main.o scale.o other.o -o app\n";
  EXPECT_THAT(follow_all(commands), HasSubstr("'scale' uses 'other', which no source of the compile_commands.json"));
  EXPECT_THAT(follow("hone list").out, testing::ContainsRegex("scale +untuned"));
  EXPECT_TRUE(follow("hone tune").ok());
  EXPECT_EQ(follow_all(commands), "");
  EXPECT_EQ(project.program("app", project.source()).out, "3 6\n");
}

TEST_F(WithoutCMake, TuningNamesWhatToDoWhereNoLockFileWouldBeFound) {
  EXPECT_TRUE(follow("hone cc --database compile_commands.json -- g++ -c scale.cpp").ok());
  const fs::path elsewhere = project.folder() / "elsewhere";
  fs::create_directories(elsewhere);
  const Outcome tuned =
      project.run({HONE_PROGRAM, "tune", "-p", project.source().string(), "--trials", "1"}, elsewhere);
  EXPECT_EQ(tuned.code, 2);
  EXPECT_THAT(tuned.err, HasSubstr("into hone.lock at the top of your sources"));
}

// gcc has no pragma that would stop its warning of a pragma.
TEST_F(WithoutCMake, AnnotationsAreNoUnknownPragmas) {
  const std::string scale = project.read(project.source() / "scale.cpp");
  const auto warnings = [&](const std::string& command) {
    const Outcome compiled = follow(command + " -Wall -O1 -c scale.cpp");
    EXPECT_TRUE(compiled.ok()) << compiled.all();
    return compiled.err;
  };
  EXPECT_THAT(warnings("g++"), HasSubstr("#pragma hone"));
  for (const std::string compiler : {"g++ -Werror", "clang++"}) {
    if (!has(compiler.substr(0, compiler.find(' ')))) continue;
    EXPECT_THAT(warnings("hone cc -- " + compiler), testing::Not(HasSubstr("#pragma hone"))) << compiler;
  }
  project.write("scale.cpp", scale + "#pragma other\nstatic int unused;\n");
  const std::string others = warnings("hone cc -- g++");
  EXPECT_THAT(others, HasSubstr("scale.cpp:6"));
  EXPECT_THAT(others, HasSubstr("#pragma other"));
  EXPECT_THAT(others, HasSubstr("unused"));
  EXPECT_THAT(others, testing::Not(HasSubstr("#pragma hone")));
}

TEST_F(WithoutCMake, SourceThatCrashesClangIsNamedAndRestIsListed) {
  project.write("crash.cpp",
                "#pragma clang __debug crash\n#pragma hone kernel inout(x[0:1])\nvoid one(float* x) { *x = 1; }\n");
  for (const std::string source : {"crash.cpp", "scale.cpp"})
    EXPECT_TRUE(follow("hone cc --database compile_commands.json -- g++ -c " + source).ok());
  for (const std::string stamp : {"crash.o.hone.json", "scale.o.hone.json"}) fs::remove(project.source() / stamp);
  const Outcome listed = follow("hone list");
  EXPECT_THAT(listed.out, HasSubstr("scale.cpp:2"));
  EXPECT_THAT(listed.err, HasSubstr((project.source() / "crash.cpp").string()));
  EXPECT_THAT(listed.err, HasSubstr("ends abnormally on it"));
}

// The lock file that the compile names is the one that the other commands take.
TEST_F(WithoutCMake, RecordedCommandNamesLockFile) {
  EXPECT_TRUE(follow("hone cc --lock other.lock --database db/compile_commands.json -- g++ -c scale.cpp").ok());
  EXPECT_THAT(project.read(project.source() / "db/compile_commands.json"),
              HasSubstr((project.source() / "other.lock").string()));
  EXPECT_TRUE(follow("hone cc --lock other.lock --database db/compile_commands.json -- g++ -O2 -c scale.cpp").ok());
  const Outcome listed = follow("hone list -p db --json");
  EXPECT_EQ(count(listed.out, "\"name\": \"scale\""), 1u) << listed.all();
  EXPECT_THAT(listed.out, HasSubstr("gcc -O2"));
  project.write("other.lock", "no lock file");
  EXPECT_THAT(follow("hone list -p db").err, HasSubstr("other.lock"));
}

}  // namespace
}  // namespace hone::tests
