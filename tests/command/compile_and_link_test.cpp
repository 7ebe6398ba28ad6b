#include "tool/command/compile_and_link.h"

#include <gtest/gtest.h>

#include <sstream>

namespace hone {
namespace {

std::optional<CompileAndLink> taken_apart(const std::string& words) {
  std::vector<std::string> arguments;
  std::istringstream stream(words);
  for (std::string word; stream >> word;) arguments.push_back(word);
  return split_compile_and_link(arguments, "app.hone");
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

TEST(CompileAndLink, GivesOneSourceAnObject) {
  const auto both = taken_apart("gcc -O3 -I inc -o run run.c -lm");
  ASSERT_TRUE(both);
  ASSERT_EQ(both->compiles.size(), 1u);
  EXPECT_EQ(joined(both->compiles[0]), "gcc -O3 -I inc run.c -c -o app.hone/0-run.c.o");
  EXPECT_EQ(joined(both->link), "gcc -O3 -I inc -o run app.hone/0-run.c.o -lm");
}

TEST(CompileAndLink, GivesEachOfSeveralSourcesAnObject) {
  const auto both =
      taken_apart("ccache g++ -std=c++17 a/x.cpp b/x.cpp y.o libz.a -L lib -l z -Wl,-rpath,/lib -s -oapp");
  ASSERT_TRUE(both);
  ASSERT_EQ(both->compiles.size(), 2u);
  EXPECT_EQ(joined(both->compiles[0]), "ccache g++ -std=c++17 a/x.cpp -c -o app.hone/0-x.cpp.o");
  EXPECT_EQ(joined(both->compiles[1]), "ccache g++ -std=c++17 b/x.cpp -c -o app.hone/1-x.cpp.o");
  EXPECT_EQ(
      joined(both->link),
      "ccache g++ -std=c++17 app.hone/0-x.cpp.o app.hone/1-x.cpp.o y.o libz.a -L lib -l z -Wl,-rpath,/lib -s -oapp");
}

TEST(CompileAndLink, KeepsLaunchersAndLeavesLinkersWordsToLink) {
  const auto both = taken_apart("nice -n 5 clang -pie -fuse-ld=lld -O2 a.c -static-libgcc -pthread");
  ASSERT_TRUE(both);
  EXPECT_EQ(joined(both->compiles.at(0)), "nice -n 5 clang -O2 a.c -pthread -c -o app.hone/0-a.c.o");
  EXPECT_EQ(joined(both->link), "nice -n 5 clang -pie -fuse-ld=lld -O2 app.hone/0-a.c.o -static-libgcc -pthread");
}

TEST(CompileAndLink, ReadsWordsOfNvccAsNvccDoes) {
  const auto both = taken_apart(
      "nvcc --threads=0 --generate-code arch=compute_90,code=sm_90 -Xcompiler -fopenmp -I inc a.cu b.cu c.c d.o "
      "-lcublas --library cudart -Xlinker -rpath,/lib -shared --output-file app");
  ASSERT_TRUE(both);
  ASSERT_EQ(both->compiles.size(), 2u);
  const std::string options = "nvcc --threads=0 --generate-code arch=compute_90,code=sm_90 -Xcompiler -fopenmp -I inc ";
  EXPECT_EQ(joined(both->compiles[0]), options + "a.cu -c -o app.hone/0-a.cu.o");
  EXPECT_EQ(joined(both->compiles[1]), options + "b.cu -c -o app.hone/1-b.cu.o");
  EXPECT_EQ(joined(both->link),
            options +
                "app.hone/0-a.cu.o app.hone/1-b.cu.o c.c d.o -lcublas --library cudart -Xlinker -rpath,/lib "
                "-shared --output-file app");
}

TEST(CompileAndLink, TakesNoObjectForTheCompiler) {
  for (const std::string compiler : {"nvcc", "ccache g++"}) {
    const auto both = taken_apart(compiler + " d.o lib/libz.so.1 a.cpp -o app");
    ASSERT_TRUE(both) << compiler;
    EXPECT_EQ(joined(both->compiles.at(0)), compiler + " a.cpp -c -o app.hone/0-a.cpp.o");
    EXPECT_EQ(joined(both->link), compiler + " d.o lib/libz.so.1 app.hone/0-a.cpp.o -o app");
  }
}

TEST(CompileAndLink, LeavesOtherCommandsOfNvccWhole) {
  for (const char* words : {"nvcc -dc a.cu -o a.o", "nvcc -ptx a.cu", "nvcc -x cu a.txt -o app", "nvcc -MD a.cu -o app",
                            "nvcc --keep a.cu -o app", "nvcc -odir out a.cu -o app", "nvcc -run a.cu -o app",
                            "nvcc -Xcompiler -Wall,--coverage a.cu -o app", "nvcc -dlink a.o -o b.o",
                            "nvcc -forward-unknown-to-host-compiler -fprofile-generate a.cu -o app"})
    EXPECT_FALSE(taken_apart(words)) << words;
}

TEST(CompileAndLink, KnowsWhatCommandOfNvccLinks) {
  EXPECT_EQ(linked_output({"nvcc", "-objtemp", "-opt-info", "inline", "a.cu", "--output-file=bin/app"}), "bin/app");
  EXPECT_EQ(linked_output({"nvcc", "a.cu", "-o", "app"}), "app");
  EXPECT_EQ(linked_output({"nvcc", "a.cu"}), "a.out");
}

TEST(CompileAndLink, LeavesOtherCommandsWhole) {
  EXPECT_FALSE(taken_apart("gcc -c a.c"));
  EXPECT_FALSE(taken_apart("gcc -E a.c"));
  EXPECT_FALSE(taken_apart("gcc a.o -o app"));
  EXPECT_FALSE(taken_apart("gcc -MMD a.c -o app"));
  EXPECT_FALSE(taken_apart("gcc -x c a.txt -o app"));
  EXPECT_FALSE(taken_apart("gcc -save-temps a.c -o app"));
  EXPECT_FALSE(taken_apart("gcc -c a.c b.c"));
  EXPECT_FALSE(taken_apart(""));
}

TEST(CompileAndLink, NamesOutputAsCompilerDoes) {
  EXPECT_EQ(linked_output({"gcc", "a.c"}), "a.out");
  EXPECT_EQ(linked_output({"gcc", "-D", "-o", "a.c", "-o", "old", "-o", "app"}), "app");
  EXPECT_EQ(linked_output({"gcc", "-oapp", "a.c"}), "app");
}

}  // namespace
}  // namespace hone
