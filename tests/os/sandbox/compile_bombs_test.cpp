// Text that attacks through the compiler: the compiler is inside the sandbox too.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/os/sandboxed.h"

namespace hone::os {
namespace {
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class SandboxedCompiler : public AtLevel {
 protected:
  void SetUp() override {
    AtLevel::SetUp();
    if (!fs::exists("/usr/bin/g++")) GTEST_SKIP() << "there is no g++";
  }

  Exit compile(const std::string& text, std::chrono::milliseconds timeout = 30s, std::size_t memory = 400u << 20) {
    EXPECT_TRUE(write_file_atomically(folder_.path() / "unit.cpp", text));
    Process process = program("/usr/bin/g++", {"-w", "-pipe", "-c", "unit.cpp", "-o", "unit.o"}, true);
    process.directory = folder_.path();
    process.timeout = timeout;
    process.sandbox->address_space_bytes = memory;
    process.sandbox->file_bytes = 32u << 20;
    process.sandbox->disk_bytes = 48u << 20;
    return runner_.run(process).value();
  }
  std::size_t bytes_left() const {
    std::size_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) bytes += entry.file_size();
    return bytes;
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, SandboxedCompiler, testing::Values("full", "unprivileged", "mounts", "landlock"),
                         level_name);

TEST_P(SandboxedCompiler, CompilesHonestUnit) {
  EXPECT_TRUE(compile("#include <vector>\nstd::vector<int> f() { return {1}; }\n").ok());
  EXPECT_TRUE(fs::exists(at("unit.o")));
}

TEST_P(SandboxedCompiler, PrintsNoLineOfForeignFile) {
  for (const char* path : {"/etc/passwd", "/etc/shadow", "/proc/1/environ", "/proc/self/../1/environ"}) {
    const Exit exit = compile("#include \"" + std::string(path) + "\"\n");
    EXPECT_FALSE(exit.ok()) << path;
    EXPECT_THAT(exit.out + exit.err, Not(HasSubstr("root:"))) << path;
    EXPECT_THAT(exit.out + exit.err, HasSubstr("unit.cpp:1:")) << "refused at the include";
  }
}

TEST_P(SandboxedCompiler, PutsNoForeignFileIntoObject) {
  EXPECT_FALSE(compile("asm(\".incbin \\\"/etc/passwd\\\"\");\n").ok());
  EXPECT_FALSE(fs::exists(at("unit.o")) && read_file(at("unit.o")).value().find("root:") != std::string::npos);
}

TEST_P(SandboxedCompiler, HidesExistenceOfForeignFile) {
  if (!level_.mounts) GTEST_SKIP() << "Landlock hides what a file says, not that it is there";
  EXPECT_TRUE(compile("#if __has_include(\"/etc/passwd\")\n#error seen\n#endif\n").ok());
}

TEST_P(SandboxedCompiler, StopsAtEndlessInclude) {
  EXPECT_FALSE(compile("#include \"/dev/zero\"\n").ok());
  EXPECT_FALSE(compile("#include \"unit.cpp\"\n").ok());
}

TEST_P(SandboxedCompiler, StopsConstexprBombByTime) {
  const Exit exit = compile(
      "constexpr long spin(long n) { long s = 0; for (long i = 0; i < 200000; ++i) s += i ^ n; return s; }\n"
      "template <long N> struct Spin { static constexpr long value = spin(N) + Spin<N - 1>::value; };\n"
      "template <> struct Spin<0> { static constexpr long value = 0; };\n"
      "long x = Spin<800>::value;\n",
      700ms);
  EXPECT_TRUE(exit.timed_out) << exit.err;
}

TEST_P(SandboxedCompiler, StopsTemplateBombByMemory) {
  const Exit exit = compile(
      "template <class A, class B> struct Pair {};\n"
      "template <int N, class T> struct Tree : Tree<N - 1, Pair<T, int>>, Tree<N - 1, Pair<T, char>> {};\n"
      "template <class T> struct Tree<0, T> {};\n"
      "Tree<40, int> tree;\n",
      30s, 160u << 20);
  EXPECT_THAT(exit.err, HasSubstr("memory")) << exit.code;
  EXPECT_FALSE(exit.timed_out);
}

TEST_P(SandboxedCompiler, StopsGiantObjectBySize) {
  const Exit exit = compile("char giant[1ul << 30] = {1};\nasm(\".space 0x40000000, 1\");\n");
  EXPECT_FALSE(exit.ok());
  EXPECT_LE(bytes_left(), 48u << 20);
}

}  // namespace
}  // namespace hone::os
