// Which GCC's headers Clang gets where several are installed.
#include "tool/frontend/parse/gcc_installation.h"

#include <gtest/gtest.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include "tool/os/files/files.h"

namespace hone::frontend {
namespace {

namespace fs = std::filesystem;

struct GccInstallation : testing::Test {
  const os::TemporaryFolder folder = os::TemporaryFolder::create("hone-gcc").value();
  const fs::path gcc = folder.path() / "usr/lib/gcc" /
                       (llvm::Triple(llvm::sys::getDefaultTargetTriple()).getArchName().str() + "-linux-gnu");

  void install(const std::string& version, bool headers) const {
    fs::create_directories(gcc / version);
    ASSERT_TRUE(os::write_file_atomically(gcc / version / "crtbegin.o", ""));
    const fs::path include = folder.path() / "usr/include/c++" / version;
    if (!headers) return;
    fs::create_directories(include);
    ASSERT_TRUE(os::write_file_atomically(include / "cmath", ""));
  }
};

TEST_F(GccInstallation, PicksNewestInstallationWithHeaders) {
  install("9", true);
  install("13", true);
  install("14", false);
  EXPECT_EQ(gcc_with_headers(folder.path()), (gcc / "13").string());
}

TEST_F(GccInstallation, KeepsClangChoiceWhenItHasHeaders) {
  install("9", false);
  install("12.2.0", true);
  EXPECT_EQ(gcc_with_headers(folder.path()), std::nullopt);
}

TEST_F(GccInstallation, PicksNothingWhenNoneHasHeaders) {
  EXPECT_EQ(gcc_with_headers(folder.path()), std::nullopt);
  install("13", false);
  fs::create_directories(gcc / "15");       // an empty folder is no installation
  fs::create_directories(gcc / "include");  // nor is one that is no version
  EXPECT_EQ(gcc_with_headers(folder.path()), std::nullopt);
}

// A script in front of the machine's GCC, with an installation beside it that has no headers: Clang would take that
// one.
TEST_F(GccInstallation, AsksCompilerWrapperForHeaders) {
  install("13", false);
  const std::string compiler = (folder.path() / "g++").string();
  ASSERT_TRUE(os::write_file_atomically(compiler, "#!/bin/sh\nexec g++ \"$@\"\n"));
  fs::permissions(compiler, fs::perms::owner_all);
  const auto folders = ask_gcc(compiler).standard_headers;
  ASSERT_FALSE(folders.empty());
  EXPECT_TRUE(fs::exists(fs::path(folders.front()) / "cmath"));
  EXPECT_TRUE(ask_gcc((folder.path() / "nowhere").string()).standard_headers.empty());
  EXPECT_TRUE(ask_gcc("/bin/false").standard_headers.empty());
}

TEST(TargetOfCompiler, IsWhatItsNameBeginsWith) {
  EXPECT_EQ(target_in_name("/usr/bin/aarch64-linux-gnu-g++-12"), "aarch64-linux-gnu");
  EXPECT_EQ(target_in_name("riscv64-unknown-elf-gcc"), "riscv64-unknown-elf");
  for (const char* none : {"g++", "c++", "clang++-19", "my-gcc", "x-c++filter", ""})
    EXPECT_EQ(target_in_name(none), "") << none;
  EXPECT_TRUE(is_foreign("riscv64-unknown-linux-gnu"));
  EXPECT_FALSE(is_foreign(""));
}

}  // namespace
}  // namespace hone::frontend
