#include "tool/apply/shadow_unit.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tool/os/files/files.h"

namespace hone::apply {
namespace {

namespace fs = std::filesystem;

CompilerLine line_of(std::vector<std::string> arguments) {
  std::optional<CompilerLine> line = read_compiler_line(arguments);
  return line.value_or(CompilerLine{});
}

TEST(ShadowUnit, ExistsNextToObjectUntilDestroyed) {
  Result<os::TemporaryFolder> folder = os::TemporaryFolder::create("hone-shadow");
  ASSERT_TRUE(folder);
  std::string object = (folder->path() / "a.cpp.o").string();
  {
    Result<ShadowUnit> shadow = ShadowUnit::create(line_of({"g++", "-c", "/src/a.cpp", "-o", object}), "int x;\n");
    ASSERT_TRUE(shadow) << shadow.error().message();
    EXPECT_EQ(shadow->path(), object + ".hone/a.cpp");
    EXPECT_EQ(os::read_file(shadow->path()).value_or(""), "int x;\n");
  }
  EXPECT_FALSE(fs::exists(object + ".hone"));
}

TEST(ShadowUnit, OverwritesLeftoverAndKeepsForeignFiles) {
  Result<os::TemporaryFolder> folder = os::TemporaryFolder::create("hone-shadow");
  ASSERT_TRUE(folder);
  std::string object = (folder->path() / "a.o").string();
  fs::create_directories(object + ".hone");
  std::ofstream(object + ".hone/a.cpp") << "half a fi";
  std::ofstream(object + ".hone/notes.txt") << "mine";
  {
    Result<ShadowUnit> shadow = ShadowUnit::create(line_of({"g++", "-c", "a.cpp", "-o", object}), "int x;\n");
    ASSERT_TRUE(shadow);
    EXPECT_EQ(os::read_file(shadow->path()).value_or(""), "int x;\n");
  }
  EXPECT_FALSE(fs::exists(object + ".hone/a.cpp"));
  EXPECT_TRUE(fs::exists(object + ".hone/notes.txt"));
}

TEST(ShadowUnit, ReportsPathThatCannotBeWritten) {
  Result<ShadowUnit> shadow = ShadowUnit::create(line_of({"g++", "-c", "a.cpp", "-o", "/proc/no/a.o"}), "");
  ASSERT_FALSE(shadow);
  EXPECT_EQ(shadow.error().where, "/proc/no/a.o.hone/a.cpp");
}

TEST(ShadowUnit, MapsItsPathToOriginalInCommand) {
  Result<os::TemporaryFolder> folder = os::TemporaryFolder::create("hone-shadow");
  ASSERT_TRUE(folder);
  std::string object = (folder->path() / "a.o").string();
  CompilerLine line = line_of({"ccache", "g++", "-Iinc", "-c", "/s rc/a.cpp", "-o", object});
  Result<ShadowUnit> shadow = ShadowUnit::create(line, "");
  ASSERT_TRUE(shadow);
  EXPECT_EQ(shadow->command(line),
            (std::vector<std::string>{"ccache", "g++", "-iquote", "/s rc", "-Iinc", "-c", shadow->path(), "-o", object,
                                      "-fdebug-prefix-map=" + shadow->path() + "=/s rc/a.cpp",
                                      "-fmacro-prefix-map=" + shadow->path() + "=/s rc/a.cpp"}));
}

TEST(ShadowUnit, QuotesOptionsForHostCompilerOfNvcc) {
  Result<os::TemporaryFolder> folder = os::TemporaryFolder::create("hone-shadow");
  ASSERT_TRUE(folder);
  std::string object = (folder->path() / "a.o").string();
  CompilerLine line = line_of({"nvcc", "-c", "/s rc/a.cu", "-o", object});
  Result<ShadowUnit> shadow = ShadowUnit::create(line, "");
  ASSERT_TRUE(shadow);
  EXPECT_EQ(shadow->command(line),
            (std::vector<std::string>{"nvcc", "-Xcompiler=-iquote,\"/s rc\"", "-keep", "-keep-dir",
                                      object + ".hone/kept", "-c", shadow->path(), "-o", object,
                                      "-Xcompiler=-fdebug-prefix-map=\"" + shadow->path() + "=/s rc/a.cu\"",
                                      "-Xcompiler=-fmacro-prefix-map=\"" + shadow->path() + "=/s rc/a.cu\""}));
}

TEST(ShadowUnit, RefusesPathThatShellOfNvccWouldExpand) {
  Result<ShadowUnit> shadow = ShadowUnit::create(line_of({"nvcc", "-c", "/s$rc/a.cu", "-o", "/tmp/a.o"}), "");
  ASSERT_FALSE(shadow);
  EXPECT_EQ(shadow.error().where, "/s$rc/a.cu");
}

TEST(ShadowUnit, AppliesPrefixMapsOfBuild) {
  std::vector<std::string> arguments = {"-ffile-prefix-map=/s=.", "-fmacro-prefix-map=/s/a=M",
                                        "-fdebug-prefix-map=/x=y"};
  EXPECT_EQ(prefix_mapped("/s/a.cpp", arguments, "debug"), "./a.cpp");
  EXPECT_EQ(prefix_mapped("/s/a.cpp", arguments, "macro"), "M.cpp");
  EXPECT_EQ(prefix_mapped("/t/a.cpp", arguments, "macro"), "/t/a.cpp");
}

}  // namespace
}  // namespace hone::apply
