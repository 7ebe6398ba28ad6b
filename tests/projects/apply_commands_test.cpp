// Command lines that are out of the ordinary: the variant is compiled, or the command is left to the compiler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kScale = R"(#include <cstdio>
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= 2;
}
int main() {
  float x[2] = {1, 2};
  scale(x, 2);
  std::printf("%g %g\n", x[0], x[1]);
}
)";

class Commands : public testing::Test {
 protected:
  void SetUp() override {
    project.write("scale.cpp", kScale);
    lock({});
  }
  void lock(std::vector<std::string> flags) {
    project.lock_variant("scale", "scale.cpp", project.key_of_file("scale", "scale.cpp", std::move(flags)),
                         "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 3;\n}\n");
  }
  // `hone cc -- WORDS…` in the source folder, by a shell: quotes and pipes are its.
  Outcome shell(const std::string& line) {
    return project.run({"sh", "-c", line, "sh", HONE_PROGRAM}, project.source());
  }
  std::string linked(const std::string& objects) {
    const Outcome program = shell("g++ " + objects + " -o program && ./program");
    return program.all();
  }

  Project project;
};

TEST_F(Commands, KeepTemporaryFilesOfVariant) {
  const Outcome compiled = shell("\"$1\" cc -- g++ -Wno-unknown-pragmas -save-temps=obj -c scale.cpp -o out.o");
  EXPECT_EQ(compiled.all(), "");
  EXPECT_EQ(linked("out.o"), "3 6\n");
  EXPECT_TRUE(fs::exists(project.source() / "out.ii") || fs::exists(project.source() / "out-scale.ii"));
  EXPECT_EQ(shell("\"$1\" cc -- g++ -Wno-unknown-pragmas -save-temps -c scale.cpp -o out.o").code, 0);
  EXPECT_EQ(linked("out.o"), "3 6\n");
}

TEST_F(Commands, WriteAssemblyOfVariant) {
  EXPECT_EQ(shell("\"$1\" cc -- g++ -Wno-unknown-pragmas -S scale.cpp").all(), "");
  EXPECT_EQ(linked("scale.s"), "3 6\n");
}

TEST_F(Commands, LeavePreprocessingToCompiler) {
  EXPECT_EQ(shell("\"$1\" cc -- g++ -E scale.cpp").all(), shell("g++ -E scale.cpp").all());
  EXPECT_EQ(shell("\"$1\" cc -- g++ -MM scale.cpp").all(), shell("g++ -MM scale.cpp").all());
}

TEST_F(Commands, LeaveStandardInputToCompiler) {
  const Outcome compiled = shell("\"$1\" cc -- g++ -Wno-unknown-pragmas -x c++ -c - -o in.o < scale.cpp");
  EXPECT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_EQ(linked("in.o"), "2 4\n");
}

TEST_F(Commands, ApplyVariantsToSeveralSources) {
  project.write("other.cpp", "int other;\n");
  const Outcome compiled = shell("\"$1\" cc -- g++ -Wno-unknown-pragmas -c scale.cpp other.cpp");
  EXPECT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_EQ(linked("scale.o other.o"), "3 6\n");
}

TEST_F(Commands, ApplyVariantToSourceWithLanguageOption) {
  fs::copy_file(project.source() / "scale.cpp", project.source() / "scale.txt");
  const Outcome compiled = shell("\"$1\" cc -- g++ -Wno-unknown-pragmas -x c++ -c scale.txt -o text.o");
  EXPECT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(linked("text.o"), testing::AnyOf("3 6\n", "2 4\n"));
}

TEST_F(Commands, WriteRequestedTargetOfDependencyRule) {
  for (const char* words : {"-MD -MT 'a target' -MF d", "-MMD -MQ 'a$target' -MP -MF d", "-MD -MFd", "-Wp,-MD,d"}) {
    const Outcome compiled =
        shell(std::string("\"$1\" cc -- g++ -Wno-unknown-pragmas ") + words + " -c scale.cpp -o out.o");
    ASSERT_TRUE(compiled.ok()) << words << compiled.all();
    const std::string ours = project.read(project.source() / "d");
    shell(std::string("g++ -w ") + words + " -c scale.cpp -o out.o");
    const std::string plain = project.read(project.source() / "d");
    EXPECT_EQ(ours.substr(0, ours.find("scale.cpp")), plain.substr(0, plain.find("scale.cpp"))) << words;
    EXPECT_THAT(ours, HasSubstr("hone.lock"));
    EXPECT_THAT(ours, Not(HasSubstr(".o.hone")));
  }
}

TEST_F(Commands, ApplyVariantWithPrecompiledHeaderOfClang) {
  if (!project.run({"clang++-19", "--version"}, project.source()).ok()) GTEST_SKIP() << "there is no clang++-19";
  project.write("pch.h", "#include <cstdio>\n#include <vector>\n");
  ASSERT_TRUE(shell("clang++-19 -x c++-header pch.h -o pch.h.pch").ok());
  for (const char* words : {"-include pch.h", "-include-pch pch.h.pch", "-Xclang -include-pch -Xclang pch.h.pch"}) {
    const Outcome compiled =
        shell(std::string("\"$1\" cc -- clang++-19 -Wno-unknown-pragmas ") + words + " -c scale.cpp -o pch.o");
    EXPECT_TRUE(compiled.ok()) << words << compiled.all();
    EXPECT_THAT(linked("pch.o"), testing::AnyOf("3 6\n", "2 4\n")) << words;
  }
}

TEST_F(Commands, CompileModules) {
  project.write("m.cpp",
                "module;\n#include <cstddef>\nexport module m;\n"
                "#pragma hone kernel inout(x[0:n]) problem(n=1000)\n"
                "export void scale(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }\n");
  project.write("main.cpp", "import m;\nint main() { float x = 2; scale(&x, 1); return x == 4 ? 0 : 1; }\n");
  const Outcome compiled = shell("\"$1\" cc -- g++ -std=c++20 -fmodules-ts -Wno-unknown-pragmas -c m.cpp -o m.o");
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_LE(count(compiled.err, "hone:"), 1u) << compiled.err;
  EXPECT_TRUE(shell("\"$1\" cc -- g++ -std=c++20 -fmodules-ts -c main.cpp -o main.o").ok());
  EXPECT_EQ(linked("m.o main.o"), "");
}

}  // namespace
}  // namespace hone::tests
