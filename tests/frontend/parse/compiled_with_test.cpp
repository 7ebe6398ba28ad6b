#include "tool/frontend/parse/compiled_with.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tool/os/files/files.h"

namespace hone::frontend {
namespace {

namespace fs = std::filesystem;

class CompilerFamily : public testing::Test {
 protected:
  // A script that runs the compiler.
  std::string script(const std::string& name, const std::string& compiler) {
    const fs::path path = folder_.path() / name;
    EXPECT_TRUE(os::write_file_atomically(path, "#!/bin/sh\nexec " + compiler + " \"$@\"\n"));
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }
  std::string family(const std::string& compiler) const { return compiler_family(compiler, folder_.path()); }

  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-family");
};

TEST_F(CompilerFamily, IsReadFromName) {
  EXPECT_EQ(family("g++"), "gcc");
  EXPECT_EQ(family("/opt/gcc-14/bin/x86_64-linux-gnu-g++-14"), "gcc");
  EXPECT_EQ(family("gcc-12"), "gcc");
  EXPECT_EQ(family("clang++-19"), "clang");
  EXPECT_EQ(family("/nowhere/clang"), "clang");
  EXPECT_EQ(family("/opt/intel/bin/icpx"), "intel");
}

TEST_F(CompilerFamily, IsReadFromWhatLinkLeadsTo) {
  fs::create_symlink("/nowhere/bin/g++-12", folder_.path() / "dangling");
  fs::create_symlink(script("g++-12", "/bin/false"), folder_.path() / "c++");
  EXPECT_EQ(family((folder_.path() / "c++").string()), "gcc");
  EXPECT_EQ(family("./c++"), "gcc") << "from the command's folder";
}

TEST_F(CompilerFamily, IsAskedForIfNoNameSaysIt) {
  EXPECT_EQ(family(script("our-cxx", "g++")), "gcc");
  if (std::system("clang++ --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no clang++";
  EXPECT_EQ(family(script("our-other-cxx", "clang++")), "clang");
}

TEST_F(CompilerFamily, IsNameOfWhatDoesNotAnswer) {
  EXPECT_EQ(family(script("broken", "false")), "broken");
  EXPECT_EQ(family("no-such-compiler"), "no-such-compiler");
}

}  // namespace
}  // namespace hone::frontend
