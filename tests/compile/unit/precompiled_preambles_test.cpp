// Compiles of many variants behind one preamble: the real compilers, in the real sandbox.
#include "tool/compile/unit/precompiled_preambles.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/compile/compiler.h"
#include "tool/os/files/files.h"

namespace hone::compile {
namespace {
using testing::HasSubstr;

// Counts the compiles behind a precompiled preamble.
class Watch final : public os::ProcessRunner {
 public:
  Result<os::Exit> run(const os::Process& process) override {
    const auto has = [&](const char* word) {
      return std::ranges::find(process.arguments, word) != process.arguments.end();
    };
    if (process.sandbox && (has("-include") || has("-include-pch"))) ++behind;
    if (has("c++-header") || has("c-header")) ++precompiled;
    return runner_.run(process);
  }
  std::atomic<int> behind = 0, precompiled = 0;

 private:
  os::PosixProcessRunner runner_;
};

// A line of flags, and what the unit begins with.
struct Given {
  std::string compiler;
  std::string includes;
  std::vector<std::string> flags;
  std::string harness = "extern \"C\" ";
};

const std::string cxx_includes = "#include <cmath>\n#include <vector>\n#include \"own.h\"\n";

// A project's unit with a compiler of its own, so that each test counts from nothing.
class Bench {
 public:
  explicit Bench(const Given& given) {
    EXPECT_TRUE(os::write_file_atomically(folder_.path() / "own.h",
                                          "#pragma once\n#include <cstddef>\n#define OWN 3\n"
                                          "enum { own_first = __COUNTER__, own_line = __LINE__ };\n"));
    KernelSpec spec;
    spec.file = folder_.path() / "orig.cpp";
    const std::string line = fmt::format("#line {} \"{}\"\n", "{}", spec.file);
    spec.unit.prologue = fmt::format(fmt::runtime(line), 1) + given.includes +
                         "#define TWICE 2\nstatic int helper(int x) { return x + TWICE; }\n";
    spec.unit.definition = "float kernel(const float* x) { return helper(1) + sqrtf(x[0]); }";
    spec.unit.definition_line = 30;
    spec.unit.harness =
        given.harness +
        "void hone_call(void* const* slots, float* result) { *result = kernel((const float*)slots[0]); }\n";
    std::vector<std::string> words = {given.compiler, "-O2"};
    words.insert(words.end(), given.flags.begin(), given.flags.end());
    words.insert(words.end(), {"-c", spec.file, "-o", "orig.o"});
    compiler_.emplace(watch, CompileCommand{folder_.path(), spec.file, "orig.o", words});
    is_there = !compiler_->identity().empty();
    if (!is_there) return;
    auto frozen = compiler_->freeze(spec);
    EXPECT_TRUE(frozen) << frozen.error().message();
    if (frozen) unit = std::move(*frozen);
  }

  std::variant<Objects, Verdict> compile(const std::string& source) {
    auto result = compiler_->compile(unit, source);
    EXPECT_TRUE(result) << result.error().message();
    return result ? std::move(*result) : Verdict{};
  }
  Objects objects(const std::string& source) {
    auto result = compile(source);
    if (const auto* verdict = std::get_if<Verdict>(&result))
      ADD_FAILURE() << verdict->reason << '\n' << verdict->detail;
    return std::holds_alternative<Objects>(result) ? std::get<Objects>(result) : Objects();
  }
  Verdict refused(const std::string& source) {
    auto result = compile(source);
    EXPECT_TRUE(std::holds_alternative<Verdict>(result)) << source;
    return std::holds_alternative<Verdict>(result) ? std::get<Verdict>(result) : Verdict{};
  }
  // The original's plain object alone.
  std::string plain() {
    const auto result = compiler_->compile(unit, unit.definition, {}, Builds::plain);
    EXPECT_TRUE(result && std::holds_alternative<Objects>(*result));
    return result && std::holds_alternative<Objects>(*result) ? std::get<Objects>(*result).plain : std::string();
  }
  // Until compiles are behind a preamble.
  void warm_up() {
    for (int i = 0; i < 5; ++i) plain();
  }

  Watch watch;
  FrozenUnit unit;
  bool is_there = false;

 private:
  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-preamble-test").value();
  std::optional<Compiler> compiler_;
};

// What a variant is told of files, lines and counts stands in its object, and so do the names of its locals.
const std::string variant =
    "#include <stddef.h>\nstatic const char* const told = __FILE__;\n"
    "float kernel(const float* x) {\n"
    "  static int calls = __COUNTER__;\n  return sqrtf(x[0]) + told[calls++] + __LINE__;\n}\n";

const std::vector<std::string> wrong = {
    "\n\nfloat kernel(const float* x) {\n  return nothing[0];\n}\n",
    "#include <stddef.h>\nfloat kernel(const float* x) { return x[0] }\n",
    "float kernel;\n",
    "#include \"/etc/passwd\"\nfloat kernel(const float* x) { return x[0]; }\n",
    "float kernel(const float* x) { return *std::vector<float>(x, \"\").data(); }\n",
};

// Texts compiled without a preamble and behind one, once for all tests.
struct BothWays {
  explicit BothWays(const Given& given) : bench(given) {
    if (!bench.is_there) return;
    for (const std::string& source : wrong) refused_without.push_back(bench.refused(source));
    without = bench.objects(variant);
    at_first = bench.watch.behind;
    bench.objects(bench.unit.definition);
    behind = bench.objects(variant);
    uses = bench.watch.behind;
    for (const std::string& source : wrong) refused_behind.push_back(bench.refused(source));
  }
  Bench bench;
  std::vector<Verdict> refused_without, refused_behind;
  Objects without, behind;
  int at_first = 0, uses = 0;
};

BothWays& both_ways(const Given& given) {
  static std::map<std::string, BothWays> all;
  return all.try_emplace(given.compiler, given).first->second;
}

class PrecompiledPreamblesTest : public testing::TestWithParam<Given> {
 protected:
  void SetUp() override {
    if (!both.bench.is_there) GTEST_SKIP() << "no " << GetParam().compiler << " on this machine";
  }
  BothWays& both = both_ways(GetParam());
};

INSTANTIATE_TEST_SUITE_P(
    Compilers, PrecompiledPreamblesTest,
    testing::Values(Given{"g++", cxx_includes, {"-std=c++17", "-O3", "-march=native", "-fopenmp", "-fno-exceptions"}},
                    Given{"clang++-19", cxx_includes, {"-std=c++20", "-O3", "-march=native", "-fno-rtti"}},
                    Given{"gcc", "#include <math.h>\n#include <immintrin.h>\n", {"-std=gnu11", "-x", "c"}, ""}),
    [](const auto& info) { return info.index == 0   ? "Gcc"
                                  : info.index == 1 ? "Clang"
                                                    : "C"; });

TEST_P(PrecompiledPreamblesTest, GiveSameObjects) {
  EXPECT_EQ(both.at_first, 0);
  EXPECT_GE(both.uses, 2);  // the look at it, and the compile itself
  EXPECT_TRUE(both.behind.plain == both.without.plain);
  EXPECT_TRUE(both.behind.relocatable == both.without.relocatable);
  EXPECT_EQ(both.behind.sanitized.empty(), both.without.sanitized.empty());
}

TEST_P(PrecompiledPreamblesTest, LeaveErrorsInSameWords) {
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_EQ(both.refused_behind[i].reason, both.refused_without[i].reason);
    EXPECT_EQ(both.refused_behind[i].detail, both.refused_without[i].detail);
  }
  const int before = both.bench.watch.behind;
  both.bench.objects(both.bench.unit.definition);
  EXPECT_GT(both.bench.watch.behind, before) << "what refused wrong texts was dropped";
}

TEST_P(PrecompiledPreamblesTest, AreNotInFrontOfTextThatTellsItsDepth) {
  const int before = both.bench.watch.behind;
  both.bench.objects("float kernel(const float* x) { return x[0] + __INCLUDE_LEVEL__; }\n");
  EXPECT_EQ(both.bench.watch.behind, before);
}

Given usual() {
  return {"g++", cxx_includes, {"-std=c++17"}};
}

// TMPDIR, while it lives.
struct TemporaryFiles {
  explicit TemporaryFiles(const std::filesystem::path& folder) { ::setenv("TMPDIR", folder.c_str(), 1); }
  ~TemporaryFiles() { ::unsetenv("TMPDIR"); }
};

TEST(PrecompiledPreambles, ServeSeveralThreadsThatCompileMoreThanTwoTexts) {
  Bench bench(usual());
  const std::string expected = bench.plain();
  bench.plain();
  EXPECT_EQ(bench.watch.precompiled, 0);
  std::vector<std::string> plain(6);
  {
    std::vector<std::jthread> threads;
    for (std::string& one : plain) threads.emplace_back([&] { one = bench.plain(); });
  }
  EXPECT_THAT(plain, testing::Each(expected));
  EXPECT_EQ(bench.watch.precompiled, 1);
}

TEST(PrecompiledPreambles, GoOnWithoutWhatIsLost) {
  const os::TemporaryFolder own = os::TemporaryFolder::create("hone-preamble-test").value();
  std::filesystem::permissions(own.path(), std::filesystem::perms::all);
  const TemporaryFiles there(own.path());
  Bench bench(usual());
  bench.warm_up();
  const std::string plain = bench.plain();
  std::filesystem::path lost;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(own.path()))
    if (entry.path().extension() == ".gch") std::filesystem::remove(lost = entry.path());
  ASSERT_FALSE(lost.empty());
  EXPECT_EQ(bench.plain(), plain);
  const int before = bench.watch.behind;
  EXPECT_EQ(bench.plain(), plain);
  EXPECT_EQ(bench.watch.behind, before) << "it is tried again";
}

TEST(PrecompiledPreambles, LeaveNothingBehind) {
  const os::TemporaryFolder own = os::TemporaryFolder::create("hone-preamble-test").value();
  std::filesystem::permissions(own.path(), std::filesystem::perms::all);
  const TemporaryFiles there(own.path());
  {
    Bench bench(usual());
    bench.warm_up();
    EXPECT_GT(bench.watch.behind, 0);
  }
  EXPECT_TRUE(std::filesystem::is_empty(own.path()));
}

// The date of a compile is in its object, which no two compiles have in common then.
TEST(PrecompiledPreambles, AreNotUsedWhereObjectsDiffer) {
  Given given = usual();
  given.includes += "static const char now[] = __DATE__ __TIME__;\n";
  given.harness = "extern \"C\" const char* hone_now() { return now; }\nextern \"C\" ";
  Bench bench(given);
  for (int i = 0; i < 4; ++i) bench.plain();
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_THAT(bench.plain(), HasSubstr("hone_now"));
  const int before = bench.watch.behind;
  bench.plain();
  EXPECT_EQ(bench.watch.behind, before);
}

TEST(PrecompiledPreambles, AreNotMadeOfLittle) {
  Bench bench({"g++", "#include <cstddef>\n#include <math.h>\n", {"-std=c++11"}});
  bench.unit.preamble = std::min(bench.unit.preamble, std::size_t{99'999});
  bench.warm_up();
  EXPECT_EQ(bench.watch.precompiled, 0);
}

}  // namespace
}  // namespace hone::compile
