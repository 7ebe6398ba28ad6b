#include "tool/compile/compiler.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/os/files/files.h"

namespace hone::compile {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// As the frontend makes it: what the kernel reaches, cut where a variant goes in.
KernelSpec spec_in(const std::string& folder) {
  KernelSpec spec;
  spec.file = folder + "/src/orig.cpp";
  spec.line = 19;
  const std::string at = "#line ", file = " \"" + spec.file + "\"\n";
  spec.unit.prologue = at + "1" + file +
                       "#include <cmath>\n#include <cassert>\n#include <cerrno>\n#include <vector>\n"
                       "#include \"beside.h\"\n#include <from_include_path.h>\n"
                       "#define SCALE 3\n"
                       "#define twice(x) twice((x) + 1)\n"
                       "static int (twice)(int x) { return 2 * x; }\n"
                       "static int use() { return twice(1); }\n";
  spec.unit.opening =
      at + "15" + file + "namespace app {\nstatic float helper(float x) { assert(x == x); return x; }\n";
  spec.unit.definition = "float kernel(const float* x) {\n  return helper(x[0]) * SCALE + FLAG + use();\n}";
  spec.unit.definition_line = 20;
  spec.unit.closing = "}\n";
  spec.unit.harness =
      "extern \"C\" __attribute__((visibility(\"default\"))) void hone_call(void* const* slots, void* result) {\n"
      "  *static_cast<float*>(result) = app::kernel(static_cast<const float*>(slots[0])) + BESIDE + INCLUDED;\n}\n";
  return spec;
}

// A project and its compiler, made once: asking a compiler what it is takes a dozen processes.
struct Project {
  explicit Project(const std::string& program) {
    EXPECT_TRUE(os::write_file_atomically(folder.path() / "src/beside.h", "#pragma once\n#define BESIDE 100\n"));
    EXPECT_TRUE(os::write_file_atomically(folder.path() / "inc/from_include_path.h",
                                          "#ifndef G\n#define G\nenum { INCLUDED = 1000 };\n#endif\n"));
    CompileCommand command;
    command.directory = folder.path();
    command.file = folder.path() / "src/orig.cpp";
    command.arguments = {program,   "-Iinc", "-DFLAG=7", "-O2", "-std=c++17", "-Wall",
                         "-Werror", "-g",    "-o",       "x.o", "-c",         "src/orig.cpp"};
    compiler = std::make_unique<Compiler>(runner, command);
    if (compiler->identity().empty()) return;
    const auto frozen = compiler->freeze(spec_in(folder.path()));
    EXPECT_TRUE(frozen) << frozen.error().message();
    if (frozen) unit = *frozen;
    // From here on nothing of the project is needed.
    std::filesystem::remove_all(folder.path() / "src");
    std::filesystem::remove_all(folder.path() / "inc");
  }
  os::TemporaryFolder folder = os::TemporaryFolder::create("hone-compiler-test").value();
  os::PosixProcessRunner runner;
  std::unique_ptr<Compiler> compiler;
  FrozenUnit unit;
};

Project& project_of(const std::string& program) {
  static std::map<std::string, Project> projects;
  return projects.try_emplace(program, program).first->second;
}

class CompilerTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (compiler_->identity().empty()) GTEST_SKIP() << "no " << GetParam() << " on this machine";
  }

  std::variant<Objects, Verdict> compile(const std::string& source) { return compile(unit_, source); }
  std::variant<Objects, Verdict> compile(const FrozenUnit& unit, const std::string& source) {
    auto result = compiler_->compile(unit, source);
    EXPECT_TRUE(result) << result.error().message();
    return std::move(*result);
  }
  Objects objects(const std::string& source) { return objects(unit_, source); }
  Objects objects(const FrozenUnit& unit, const std::string& source) {
    auto result = compile(unit, source);
    if (const Verdict* verdict = std::get_if<Verdict>(&result))
      ADD_FAILURE() << verdict->reason << "\n" << verdict->detail;
    return std::holds_alternative<Objects>(result) ? std::get<Objects>(result) : Objects{};
  }
  Verdict refused(const std::string& source) {
    auto result = compile(source);
    EXPECT_TRUE(std::holds_alternative<Verdict>(result));
    return std::holds_alternative<Verdict>(result) ? std::get<Verdict>(result) : Verdict{};
  }
  float call(const std::string& object, float x) {
    const std::string path = folder_ / "loaded.so";
    EXPECT_TRUE(os::write_file_atomically(path, object));
    void* loaded = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr) return ADD_FAILURE() << ::dlerror(), 0;
    auto* hone_call = reinterpret_cast<void (*)(void* const*, void*)>(::dlsym(loaded, "hone_call"));
    float result = 0;
    void* slots[] = {&x};
    if (hone_call != nullptr) hone_call(slots, &result);
    ::dlclose(loaded);
    return result;
  }

  Project& project_ = project_of(GetParam());
  const std::filesystem::path& folder_ = project_.folder.path();
  const FrozenUnit& unit_ = project_.unit;
  Compiler* compiler_ = project_.compiler.get();
};

INSTANTIATE_TEST_SUITE_P(Compilers, CompilerTest, testing::Values("g++", "clang++-19"), [](const auto& info) {
  return std::string(info.param).starts_with("clang") ? "Clang" : "Gcc";
});

TEST_P(CompilerTest, CompilesOriginalLikeItsProject) {
  const Objects both = objects(unit_.definition);
  EXPECT_EQ(call(both.plain, 2), 2 * 3 + 7 + 4 + 100 + 1000);
}

TEST_P(CompilerTest, CompilesCandidateWithProjectMacrosAndOwnIncludes) {
  const Objects both = objects(
      "#include <immintrin.h>\n#include <cmath>\n#include <algorithm>\n"
      "static inline float more(float x) { return std::max(x, 0.f) + SCALE; }\n"
      "float kernel(const float* x) { return std::isnan(NAN) ? more(helper(x[0])) + errno * 0 : INFINITY; }\n");
  EXPECT_EQ(call(both.plain, 2), 2 + 3 + 100 + 1000);
}

// What the compiler takes from its own archive is not among what may be missing.
TEST_P(CompilerTest, LoadsClonesInWholeFile) {
  FrozenUnit file = unit_;
  file.whole_file = true;
  const Objects both = objects(file,
                               "__attribute__((target_clones(\"avx2\", \"default\"))) float kernel(const float* x) {\n"
                               "  return x[0] * 2;\n}\n");
  EXPECT_EQ(call(both.plain, 2), 2 * 2 + 100 + 1000);
}

// Beside the unit, with another source's own command.
TEST_P(CompilerTest, LinksWhatOtherSourcesDefine) {
  KernelSpec spec = spec_in(folder_);
  spec.unit.prologue = "extern \"C\" int elsewhere(int x);\n" + spec.unit.prologue;
  spec.unit.definition = "float kernel(const float* x) {\n  return elsewhere(static_cast<int>(x[0]));\n}";
  const os::TemporaryFolder project = os::TemporaryFolder::create("hone-called-test").value();
  ASSERT_TRUE(os::write_file_atomically(project.path() / "src/beside.h", "#pragma once\nenum { BESIDE = 100 };\n"));
  ASSERT_TRUE(
      os::write_file_atomically(project.path() / "from_include_path.h", "#pragma once\nenum { INCLUDED = 1000 };\n"));
  ASSERT_TRUE(os::write_file_atomically(project.path() / "src/here.h", "#define MORE 3\n"));
  spec.file = project.path() / "src/orig.cpp";
  spec.called = {{project.path() / "src/other.c",
                  project.path(),
                  {"gcc", "-DTWO=2", "-Werror", "-c", "src/other.c", "-o", "other.o"},
                  "#include \"here.h\"\nint elsewhere(int x) { int new = TWO * x; return new + MORE; }\n"}};
  Compiler compiler(project_.runner,
                    {project.path(), spec.file, "x.o", {GetParam(), "-I.", "-DFLAG=7", "-c", spec.file}});
  const auto unit = compiler.freeze(spec);
  ASSERT_TRUE(unit) << unit.error().message();
  const auto compiled = compiler.compile(*unit, unit->definition);
  ASSERT_TRUE(compiled) << compiled.error().message();
  if (const auto* verdict = std::get_if<Verdict>(&*compiled)) FAIL() << verdict->reason << verdict->detail;
  EXPECT_EQ(call(std::get<Objects>(*compiled).plain, 5), 2 * 5 + 3 + 100 + 1000);
  EXPECT_EQ(std::get<Objects>(*compiled).sanitized.empty(), compiler.sanitizer_runtime().empty());
  // The cut may have lost something.
  spec.called.front().whole = spec.called.front().text;
  spec.called.front().text = "int elsewhere(int x) { return y; }\n";
  EXPECT_TRUE(compiler.freeze(spec));
  spec.called.front().whole = spec.called.front().text;
  const auto broken = compiler.freeze(spec);
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message(), AllOf(HasSubstr("other.c"), HasSubstr("'y' undeclared")));
}

TEST_P(CompilerTest, StopsEndlessCompileByProcessorTime) {
  Project& project = project_of(GetParam());
  Compiler compiler(project.runner, {"/", "/a.cpp", "a.o", {GetParam(), "-c", "/a.cpp", "-o", "a.o"}},
                    {.time = std::chrono::seconds(1)});
  FrozenUnit unit;
  const auto result = compiler.compile(
      unit,
      "template <int N, int M> struct F { enum : unsigned { v = F<N - 1, M>::v + F<N - 2, M + 1>::v }; };\n"
      "template <int M> struct F<0, M> { enum : unsigned { v = 1 }; };\n"
      "template <int M> struct F<1, M> { enum : unsigned { v = 1 }; };\n"
      "unsigned kernel() { return F<800, 0>::v; }\n");
  ASSERT_TRUE(result) << result.error().message();
  ASSERT_TRUE(std::holds_alternative<Verdict>(*result));
  EXPECT_THAT(std::get<Verdict>(*result).reason, HasSubstr("it did not compile within 1 s of a processor"));
}

TEST_P(CompilerTest, InstrumentsSecondObject) {
  const Objects both = objects(unit_.definition);
  if (both.sanitizer_runtime.empty()) GTEST_SKIP() << "no sanitizers installed for " << GetParam();
  EXPECT_THAT(both.sanitized, HasSubstr("__asan_report_load4"));
  EXPECT_THAT(both.plain, Not(HasSubstr("__asan")));
  EXPECT_TRUE(std::filesystem::path(both.sanitizer_runtime).is_absolute());
}

TEST_P(CompilerTest, ReportsErrorAtLineOfCandidate) {
  const Verdict verdict = refused("#include <cmath>\n\nfloat kernel(const float* x) {\n  return nothing(x[0]);\n}\n");
  EXPECT_EQ(verdict.stage, Stage::compile);
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, StartsWith("candidate:4:10: error: "));
  EXPECT_THAT(verdict.reason, HasSubstr("nothing"));
  EXPECT_THAT(verdict.detail, HasSubstr("return nothing(x[0]);"));
  EXPECT_FALSE(verdict.sandbox.empty());
}

TEST_P(CompilerTest, RefusesCandidateWithoutDefinition) {
  EXPECT_EQ(refused("float colonel(const float*);\n").stage, Stage::compile);
}

TEST_P(CompilerTest, ShortensLongOutput) {
  std::string many = "float kernel(const float* x) {\n";
  for (int i = 0; i < 500; ++i) many += "  x = nothing" + std::to_string(i) + ";\n";
  const Verdict verdict = refused(many + "}\n");
  EXPECT_LE(std::count(verdict.detail.begin(), verdict.detail.end(), '\n'), 61);
}

TEST_P(CompilerTest, RefusesIncludeOutsideToolchain) {
  const Verdict verdict = refused("#include \"/etc/passwd\"\nfloat kernel(const float* x) { return x[0]; }\n");
  EXPECT_THAT(verdict.detail, Not(HasSubstr("root")));
  EXPECT_THAT(verdict.reason, StartsWith("candidate:1:10: "));
}

TEST_P(CompilerTest, RefusesIncbinOutsideToolchain) {
  refused("asm(\".incbin \\\"/etc/passwd\\\"\");\nfloat kernel(const float* x) { return x[0]; }\n");
}

TEST_P(CompilerTest, StopsOnRequest) {
  std::stop_source source;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  const auto result =
      compiler_->compile(unit_,
                         "template <int N> struct S { static constexpr int v = S<N-1>::v + S<N-2>::v; };\n"
                         "constexpr long slow(long n) { return n < 2 ? n : slow(n - 1) + slow(n - 2); }\n"
                         "#pragma GCC optimize(\"O0\")\n"
                         "template <long N> struct T { enum { v = slow(22 + N % 2) + T<N - 1>::v * 0 }; };\n"
                         "template <> struct T<0> { enum { v = 0 }; };\n"
                         "float kernel(const float* x) { return x[0] + T<800>::v; }\n",
                         source.get_token());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("stopped"));
}

TEST_P(CompilerTest, WorksInTemporaryFolderClosedToOthers) {
  const std::string closed = folder_ / "closed";
  std::filesystem::create_directory(closed);
  std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
  ::setenv("TMPDIR", closed.c_str(), 1);
  const Objects both = objects(unit_.definition);
  ::unsetenv("TMPDIR");
  EXPECT_FALSE(both.plain.empty());
}

TEST_P(CompilerTest, LeavesNothingInTemporaryFolder) {
  const std::string own = folder_ / "own";
  std::filesystem::create_directory(own);
  ::setenv("TMPDIR", own.c_str(), 1);
  objects(unit_.definition);
  refused("nonsense\n");
  ::unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(own));
}

TEST_P(CompilerTest, FreezesConditionOnCounter) {
  KernelSpec spec;
  spec.file = folder_ / "orig.cpp";
  spec.unit.prologue = "#if __COUNTER__ == 0\n#define TEN 10\n#endif\n";
  spec.unit.harness =
      "extern \"C\" __attribute__((visibility(\"default\"))) void hone_call(void* const* slots, void* result) {\n"
      "  *static_cast<float*>(result) = kernel(static_cast<const float*>(slots[0]));\n}\n";
  const FrozenUnit unit = compiler_->freeze(spec).value();
  EXPECT_EQ(call(objects(unit, "float kernel(const float* x) { return x[0] + TEN; }\n").plain, 2), 12);
}

TEST_P(CompilerTest, NamesItsCompiler) {
  EXPECT_THAT(compiler_->identity(),
              HasSubstr(std::string(GetParam()).substr(0, 3) == "g++" ? "g++" : "clang version 19"));
}

TEST(CompilerSetup, AdvisesIfCompilerIsMissing) {
  os::PosixProcessRunner runner;
  Compiler compiler(runner, {"/", "/a.cpp", "a.o", {"no-such-g++", "-c", "/a.cpp", "-o", "a.o"}});
  EXPECT_THAT(compiler.freeze({}).error().message(),
              HasSubstr("cannot find the project's compiler 'no-such-g++'; install"));
  EXPECT_EQ(compiler.identity(), "");
}

TEST(CompilerSetup, ReportsBrokenUnitAtKernel) {
  os::PosixProcessRunner runner;
  Compiler compiler(runner, {"/", "/a.cpp", "a.o", {"g++", "-c", "/a.cpp", "-o", "a.o"}});
  KernelSpec spec;
  spec.file = "/proj/a.cpp";
  spec.line = 7;
  spec.unit.prologue = "#include <no_such_header.h>\n";
  EXPECT_THAT(compiler.freeze(spec).error().message(), StartsWith("/proj/a.cpp:7: the kernel's unit cannot be"));
}

}  // namespace
}  // namespace hone::compile
