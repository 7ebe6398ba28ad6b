// Every compiler that a build may have takes the notes, without a warning, and its code stays the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled_notes.h"
#include "tool/base/elf.h"
#include "tool/linked/note_reader.h"
#include "tool/linked/note_source.h"

namespace hone::linked {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kAdd = "int add(int a, int b);\nint add(int a, int b) { return a + b; }\n";

std::vector<LinkedKernel> all_kernels(const std::string& bytes) {
  const auto units = read_linked(bytes);
  std::vector<LinkedKernel> kernels;
  if (!units) ADD_FAILURE() << units.error().message();
  for (const LinkedUnit& unit : units.value_or(std::vector<LinkedUnit>{}))
    kernels.insert(kernels.end(), unit.kernels.begin(), unit.kernels.end());
  return kernels;
}

// All that is loaded, but the notes.
std::vector<std::string> loaded_parts(const std::string& object) {
  std::vector<std::string> parts;
  for (const ElfSection& section : elf_sections(object))
    if (section.name == ".text" || section.name.starts_with(".rodata") || section.name.starts_with(".data") ||
        section.name == ".eh_frame")
      parts.push_back(section.name + object.substr(section.offset, section.size));
  return parts;
}

struct Compile {
  const char* name;
  std::vector<std::string> command;
};
void PrintTo(const Compile& compile, std::ostream* out) {
  *out << compile.name;
}

class Compilers : public testing::TestWithParam<Compile> {};

TEST_P(Compilers, TakeNotesAndLeaveCodeAsItIs) {
  if (!NotesFolder::has(GetParam().command.front())) GTEST_SKIP() << GetParam().command.front() << " is not here";
  const NotesFolder folder;
  std::vector<std::string> command = GetParam().command;
  const std::string source = "source" + command.back();
  command.pop_back();
  const auto compile = [&](const std::string& text, const std::string& object) {
    folder.write(source, text);
    std::vector<std::string> words = command;
    words.insert(words.end(), {"-c", source, "-o", object});
    return folder.run(words);
  };
  ASSERT_EQ(compile(kAdd, "without.o"), "");
  ASSERT_EQ(compile(kAdd + note_source({tuned, untuned}), "with.o"), "");
  EXPECT_THAT(all_kernels(folder.read("with.o")), ElementsAre(tuned, untuned));
  EXPECT_EQ(loaded_parts(folder.read("with.o")), loaded_parts(folder.read("without.o")));
  EXPECT_THAT(all_kernels(folder.read("without.o")), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    LinkedNotes, Compilers,
    testing::Values(Compile{"Gcc", {"g++", "-O3", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror", ".cpp"}},
                    Compile{"GccC90", {"gcc", "-std=c90", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", ".c"}},
                    Compile{"GccC17", {"gcc", "-std=c17", "-O2", "-pedantic", "-Wall", "-Wextra", "-Werror", ".c"}},
                    Compile{"GccIntel", {"g++", "-O3", "-masm=intel", ".cpp"}},
                    Compile{"GccFatLto", {"g++", "-O2", "-flto", "-ffat-lto-objects", ".cpp"}},
                    Compile{"GccSanitized", {"g++", "-O1", "-fsanitize=address,undefined", ".cpp"}},
                    Compile{"GccSections", {"g++", "-O2", "-ffunction-sections", "-fdata-sections", "-fPIC", ".cpp"}},
                    Compile{"Clang",
                            {"clang++-19", "-O3", "-g", "-Weverything", "-Wno-c++98-compat", "-Werror", ".cpp"}},
                    Compile{"ClangC89", {"clang-19", "-std=c89", "-pedantic-errors", "-Weverything", "-Werror", ".c"}},
                    Compile{"ClangOtherAssembler", {"clang++-19", "-O2", "-fno-integrated-as", ".cpp"}},
                    Compile{"Nvcc", {"nvcc", "-O2", "-arch=sm_80", ".cu"}}),
    [](const auto& info) { return info.param.name; });

TEST(LinkedNotesText, HasNamesOfAnyCharacters) {
  const LinkedKernel odd{"operator\"\"_x<\"\\\\\", '\n'>\t%d$ü\x01", "a\"b\\c.cpp", "", "v", "?", "/"};
  const NotesFolder folder;
  folder.write("a.c", note_source({odd}));
  ASSERT_EQ(folder.run({"gcc", "-c", "a.c"}), "");
  EXPECT_THAT(all_kernels(folder.read("a.o")), ElementsAre(odd));
}

TEST(LinkedNotesText, IsNothingWithoutKernels) {
  EXPECT_EQ(note_source({}), "");
}

class Linked : public testing::Test {
 protected:
  void SetUp() override {
    folder.write("a.c", "int unused(void) { return 1; }\n" + note_source({tuned}));
    folder.write("b.c", "int main(void) { return 0; }\n" + note_source({untuned}));
  }
  NotesFolder folder;
};

TEST_F(Linked, StaysInProgramsThroughSectionsLinkTimeOptimizationAndStrip) {
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"-O2"},
                                             {"-O2", "-ffunction-sections", "-Wl,--gc-sections"},
                                             {"-O2", "-flto", "-Wl,--gc-sections"},
                                             {"-static"},
                                             {"-fuse-ld=gold", "-Wl,--gc-sections"}}) {
    std::vector<std::string> command{"gcc"};
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {"b.c", "a.c", "-o", "program"});
    ASSERT_EQ(folder.run(command), "") << flags.back();
    EXPECT_THAT(all_kernels(folder.read("program")), testing::UnorderedElementsAre(tuned, untuned)) << flags.back();
    ASSERT_EQ(folder.run({"strip", "--strip-all", "program"}), "");
    EXPECT_THAT(all_kernels(folder.read("program")), testing::UnorderedElementsAre(tuned, untuned)) << flags.back();
  }
}

TEST_F(Linked, StaysInSharedAndStaticLibraries) {
  ASSERT_EQ(folder.run({"gcc", "-shared", "-fPIC", "a.c", "-o", "liba.so"}), "");
  EXPECT_THAT(all_kernels(folder.read("liba.so")), ElementsAre(tuned));
  ASSERT_EQ(folder.run({"gcc", "-c", "a.c", "-o", "an_object_of_a_long_name.o"}), "");
  ASSERT_EQ(folder.run({"gcc", "-c", "b.c"}), "");
  ASSERT_EQ(folder.run({"ar", "rcs", "liball.a", "an_object_of_a_long_name.o", "b.o"}), "");
  const auto units = read_linked(folder.read("liball.a"));
  ASSERT_TRUE(units) << units.error().message();
  ASSERT_EQ(units->size(), 2u);
  EXPECT_EQ(units->at(0).member, "an_object_of_a_long_name.o");
  EXPECT_THAT(units->at(0).kernels, ElementsAre(tuned));
  EXPECT_EQ(units->at(1).member, "b.o");
}

TEST_F(Linked, IsBytecodeBeforeLinkTimeOptimization) {
  ASSERT_EQ(folder.run({"gcc", "-O2", "-flto", "-fno-fat-lto-objects", "-c", "a.c"}), "");
  const auto units = read_linked(folder.read("a.o"));
  ASSERT_TRUE(units) << units.error().message();
  ASSERT_EQ(units->size(), 1u);
  EXPECT_TRUE(units->at(0).is_bytecode);
  if (!NotesFolder::has("clang-19")) return;
  ASSERT_EQ(folder.run({"clang-19", "-O2", "-flto=thin", "-c", "a.c"}), "");
  EXPECT_TRUE(read_linked(folder.read("a.o"))->at(0).is_bytecode);
}

}  // namespace
}  // namespace hone::linked
