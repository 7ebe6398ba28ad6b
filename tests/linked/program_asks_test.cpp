// <hone/linked.h>: a program that asks itself, with a shared library beside it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "compiled_notes.h"
#include "tool/linked/note_source.h"

namespace hone::linked {
namespace {

constexpr const char* kAsks = R"(#include <stdio.h>
#include <hone/linked.h>
static int print(const hone_linked_kernel* kernel, void* data) {
  const char* name = kernel->binary + strlen(kernel->binary);
  while (name > kernel->binary && name[-1] != '/') --name;
  printf("%s %s %s %.4s %.4s [%s] %s\n", (const char*)data, kernel->name, kernel->file, kernel->key, kernel->variant,
         kernel->reason, *name ? name : "program");
  return 0;
}
static int count(const hone_linked_kernel* kernel, void* data) {
  (void)kernel;
  ++*(int*)data;
  return 7;
}
int shared(void);
int main(void) {
  int seen = 0;
  char word[] = "has";
  if (hone_for_each_linked(print, word) != 0 || shared() != 1) return 1;
  return hone_for_each_linked(count, &seen) == 7 && seen == 1 ? 0 : 2;
}
)";

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::ranges::sort(lines);
  return lines;
}

class ProgramAsks : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(ProgramAsks, WhatIsLinkedIntoItselfAndItsLibrary) {
  const NotesFolder folder;
  std::vector<std::string> compiler = GetParam();
  if (!NotesFolder::has(compiler.front())) GTEST_SKIP() << compiler.front() << " is not here";
  const std::string ending = compiler.back();
  compiler.pop_back();
  const std::string linkage = ending == ".cpp" ? "extern \"C++\" int shared();\n" : "int shared(void);\n";
  folder.write("shared" + ending, linkage + "int shared() { return 1; }\n" + note_source({tuned}));
  folder.write("main" + ending, kAsks + note_source({untuned}));
  const auto compile = [&](std::vector<std::string> words) {
    words.insert(words.begin(), compiler.begin(), compiler.end());
    words.push_back("-I" HONE_HEADERS);
    return folder.run(words);
  };
  ASSERT_EQ(compile({"-shared", "-fPIC", "shared" + ending, "-o", "libshared.so"}), "");
  ASSERT_EQ(compile({"main" + ending, "-o", "program", "-L.", "-lshared", "-Wl,-rpath," + folder.path("").string()}),
            "");
  ASSERT_EQ(folder.run({"strip", "program", "libshared.so"}), "");
  std::string out;
  ASSERT_EQ(folder.run({"./program"}, &out), "");
  EXPECT_THAT(lines_of(out), testing::ElementsAre("has app::blur src/blur.cpp aaaa bbbb [] libshared.so",
                                                  "has copy src/copy.cpp cccc  [untuned] program"));
}

INSTANTIATE_TEST_SUITE_P(Languages, ProgramAsks,
                         testing::Values(std::vector<std::string>{"gcc", "-std=c99", "-pedantic-errors", "-Wall",
                                                                  "-Wextra", "-Werror", "-Wno-strict-prototypes", ".c"},
                                         std::vector<std::string>{"g++", "-std=c++11", "-pedantic-errors", "-Wall",
                                                                  "-Wextra", "-Werror", ".cpp"},
                                         std::vector<std::string>{"clang++-19", "-std=c++20", "-O2", "-Wall", "-Wextra",
                                                                  "-Werror", ".cpp"}));

// In either order, and with what GNU's headers have of it themselves.
TEST(LinkedHeader, StandsBesideTheSystemsOwn) {
  const NotesFolder folder;
  for (const std::string text :
       {"#include <link.h>\n#include <hone/linked.h>\n", "#include <hone/linked.h>\n#include <link.h>\n",
        "#define HONE_LINKED\n#include <hone/hone.h>\n"}) {
    folder.write("a.cpp", text + "int main() { return hone_for_each_linked(nullptr, nullptr); }\n");
    EXPECT_EQ(folder.run({"g++", "-Wall", "-Wextra", "-Werror", "-I" HONE_HEADERS, "a.cpp", "-o", "a"}), "") << text;
    EXPECT_EQ(folder.run({"./a"}), "");
  }
  folder.write("a.c",
               "#define _GNU_SOURCE\n#include <link.h>\n#include <hone/linked.h>\nint main(void) { return "
               "hone_for_each_linked(0, 0); }\n");
  EXPECT_EQ(folder.run({"gcc", "-Wall", "-Wextra", "-Werror", "-I" HONE_HEADERS, "a.c", "-o", "a"}), "");
}

}  // namespace
}  // namespace hone::linked
