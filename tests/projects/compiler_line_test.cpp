#include "tool/base/compiler_line.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tool/os/files.h"

namespace hone {
namespace {

std::optional<CompilerLine> read(const std::string& words) {
  std::vector<std::string> arguments;
  std::istringstream stream(words);
  for (std::string word; stream >> word;) arguments.push_back(word);
  return read_compiler_line(arguments);
}

// "compiler source output depfile", what matters of a line.
std::string summary(const std::string& words) {
  std::optional<CompilerLine> line = read(words);
  if (!line) return "no compile";
  return line->arguments[line->compiler] + " " + line->arguments[line->source] + " " + line->output + " " +
         (line->depfile.empty() ? "-" : line->depfile);
}

TEST(CompilerLine, ReadsWhatCMakeWrites) {
  EXPECT_EQ(summary("/usr/bin/c++ -DX -I inc -O3 -MD -MT a.cpp.o -MF a.cpp.o.d -o dir/a.cpp.o -c /src/a.cpp"),
            "/usr/bin/c++ /src/a.cpp dir/a.cpp.o a.cpp.o.d");
}

TEST(CompilerLine, FindsTheCompilerBehindItsLaunchers) {
  EXPECT_EQ(summary("ccache g++ -c a.cpp -o a.o"), "g++ a.cpp a.o -");
  EXPECT_EQ(summary("env A=1 sccache clang++ -c a.cpp"), "clang++ a.cpp a.o -");
  EXPECT_EQ(summary("g++ a.cpp -c"), "g++ a.cpp a.o -");
}

TEST(CompilerLine, NamesOutputsAsTheCompilerDoes) {
  EXPECT_EQ(summary("g++ -c src/a.b.cpp"), "g++ src/a.b.cpp a.b.o -");
  EXPECT_EQ(summary("g++ -S src/a.cpp"), "g++ src/a.cpp a.s -");
  EXPECT_EQ(summary("g++ -c src/a.cpp -MD"), "g++ src/a.cpp a.o a.d");
  EXPECT_EQ(summary("g++ -c a.cpp -MMD -o out/a.cpp.o"), "g++ a.cpp out/a.cpp.o out/a.cpp.d");
  EXPECT_EQ(summary("g++ -c a.cpp -oout/a.o -MMD -MFdeps"), "g++ a.cpp out/a.o deps");
  EXPECT_EQ(summary("g++ -c a.cpp -Wp,-MD,deps.d"), "g++ a.cpp a.o deps.d");
  EXPECT_EQ(summary("g++ -c a.cpp -Wp,-MMD,-MF,deps.d,-DX"), "g++ a.cpp a.o deps.d");
}

TEST(CompilerLine, LeavesAloneWhatCompilesNoSingleSource) {
  EXPECT_EQ(summary("g++ a.o b.o -o app"), "no compile");
  EXPECT_EQ(summary("g++ a.cpp -o app"), "no compile");
  EXPECT_EQ(summary("g++ -E a.cpp"), "no compile");
  EXPECT_EQ(summary("g++ -E -c a.cpp"), "no compile");
  EXPECT_EQ(summary("g++ -M -c a.cpp"), "no compile");
  EXPECT_EQ(summary("g++ -fsyntax-only -c a.cpp"), "no compile");
  EXPECT_EQ(summary("g++ -c a.cpp b.cpp"), "no compile");
  EXPECT_EQ(summary("g++ -x c++-header -c pch.hxx"), "no compile");
  EXPECT_EQ(summary("g++ -x c++-header -o a.gch -c cmake_pch.hxx.cxx"), "no compile");
  EXPECT_EQ(summary("g++ -c -x c++ -"), "no compile");
  EXPECT_EQ(summary("gcc -c a.c"), "no compile");
  EXPECT_EQ(summary("g++ --version"), "no compile");
  EXPECT_EQ(summary("g++"), "no compile");
  EXPECT_EQ(summary(""), "no compile");
}

TEST(CompilerLine, TakesNoOptionsValueForASource) {
  EXPECT_EQ(summary("g++ -include pre.cpp -D x.cpp -MT y.cpp -c a.cpp"), "g++ a.cpp a.o -");
  EXPECT_EQ(summary("clang++ -Xclang -include-pch -Xclang p.cpp -c a.cpp"), "clang++ a.cpp a.o -");
}

TEST(CompilerLine, BelievesTheLanguageThatIsNamed) {
  EXPECT_EQ(summary("g++ -x c++ -c a.txt"), "g++ a.txt a.o -");
  EXPECT_EQ(summary("nvcc -x cu -c a.cu -o a.o"), "nvcc a.cu a.o -");
  EXPECT_EQ(summary("g++ -x c -c a.cpp"), "no compile");
}

TEST(CompilerLine, ReadsResponseFiles) {
  Result<os::TemporaryFolder> folder = os::TemporaryFolder::create("hone-line");
  ASSERT_TRUE(folder);
  std::string inner = (folder->path() / "inner.rsp").string(), outer = (folder->path() / "outer.rsp").string();
  std::ofstream(inner) << "-c 'with space.cpp'\n";
  std::ofstream(outer) << "-DNAME=\\\"x\\\" -I\"a b\" @" << inner;
  std::optional<CompilerLine> line = read_compiler_line({"g++", "@" + outer, "-o", "x.o"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->arguments,
            (std::vector<std::string>{"g++", "-DNAME=\"x\"", "-Ia b", "-c", "with space.cpp", "-o", "x.o"}));
  EXPECT_EQ(line->arguments[line->source], "with space.cpp");
}

TEST(CompilerLine, EndsOnAResponseFileThatNamesItself) {
  Result<os::TemporaryFolder> folder = os::TemporaryFolder::create("hone-line");
  ASSERT_TRUE(folder);
  std::string self = (folder->path() / "self.rsp").string();
  std::ofstream(self) << "-c a.cpp @" << self;
  EXPECT_FALSE(read_compiler_line({"g++", "@" + self}));
}

}  // namespace
}  // namespace hone
