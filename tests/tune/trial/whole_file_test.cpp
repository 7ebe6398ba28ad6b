// What would be locked is compiled in the user's whole file, too: the same code, or that code is judged. The real
// compiler; who judges agrees to all.
#include <dlfcn.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tune/trial/agreeing_executor.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/os/files/files.h"
#include "tool/tune/trial/evaluator.h"

namespace hone::tune {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string annotation = "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1000)\n";
const std::string body =
    "void twice(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n";
const std::string variant =
    "void twice(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = x[i] + x[i];\n}\n";

class WholeFile : public testing::Test {
 protected:
  Result<Verdict> judge(const std::string& text, const std::string& candidate) {
    const fs::path file = folder_.path() / "kernel.cpp";
    EXPECT_TRUE(os::write_file_atomically(file, text));
    EXPECT_TRUE(os::write_file_atomically(folder_.path() / "beside.h", "struct Beside { Beside(); int number; };\n"));
    const CompileCommand command{
        folder_.path(), file, "kernel.o", {"g++", "-std=c++17", "-O2", "-c", file, "-o", "kernel.o"}};
    auto found = frontend::find_kernels(command, {});
    if (!found || found->kernels.size() != 1) return failure("no kernel");
    const KernelSpec spec = found->kernels.front().spec;
    HONE_TRY(const auto judge, Evaluator::open(spec, command, {}, runner_, executor_));
    return judge->judge(candidate, {}, bundle::Depth::held_out);
  }

  // The constructor of the file's own object did not run, and what others would define is not missed.
  void expect_to_load(const std::string& object) {
    const fs::path path = folder_.path() / "candidate.so";
    ASSERT_TRUE(os::write_file_atomically(path, object));
    void* loaded = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(loaded, nullptr) << ::dlerror();
    EXPECT_NE(::dlsym(loaded, "hone_call"), nullptr);
    ::dlclose(loaded);
  }

  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-whole-file");
  os::PosixProcessRunner runner_;
  AgreeingExecutor executor_;
};

TEST_F(WholeFile, YieldsJudgedCode) {
  const auto verdict =
      judge("#include <cstdio>\n#include \"beside.h\"\nBeside beside;\nnamespace app {\n" + annotation + body +
                "}\nint main() { float x = 1, y; app::twice(&x, &y, 1); std::printf(\"%g\", y); }\n",
            "#include <cmath>\n" + variant);
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_TRUE(verdict->right) << verdict->reason;
  EXPECT_THAT(verdict->detail, HasSubstr("the code that is linked is the code that was judged"));
}

// A static function goes into its only caller, the harness; in the file there are more.
TEST_F(WholeFile, IsJudgedIfItsCodeDiffers) {
  const std::string rest =
      "  if (n > 1000) for (int i = 1; i < n; i += 2) y[i] = y[i] * 1.5f - y[i] / 2;\n"
      "  if (n > 3000) for (int i = 2; i < n; i += 3) y[i] = y[i] * 2.5f - 1.5f * y[i];\n}\n";
  const std::string original = "static " + body.substr(0, body.size() - 2) + rest;
  const std::string more =
      "void more(const float* x, float* y, int n) { twice(x, y, n); elsewhere(); twice(y + 1, y, n / 2); }\n";
  const auto verdict =
      judge("#include \"beside.h\"\nvoid elsewhere();\nBeside beside;\n" + annotation + original + more,
            "static " + variant.substr(0, variant.size() - 2) + rest);
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_THAT(verdict->detail, HasSubstr("judged was the code that the whole file gives: there '"));
  expect_to_load(executor_.last.candidate);
}

// What is judged runs the variant with the problem's value, and the original with any other.
TEST_F(WholeFile, IsJudgedWithGuardOfFixedScalar) {
  const std::string head =
      "void twice(const float* x, float* y, int n, float a) {\n  for (int i = 0; i < n; ++i) y[i] = ";
  const auto verdict =
      judge("#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1000, a=2) fixed(a)\n" + head + "a * x[i];\n}\n",
            "#include <cmath>\n" + head + "2 * x[i] + 100;\n}\n");
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_THAT(verdict->detail, HasSubstr("judged was the code that the whole file gives"));
  const fs::path path = folder_.path() / "guarded.so";
  ASSERT_TRUE(os::write_file_atomically(path, executor_.last.candidate));
  void* loaded = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(loaded, nullptr) << ::dlerror();
  const auto call = reinterpret_cast<void (*)(void* const*, void*)>(::dlsym(loaded, "hone_call"));
  ASSERT_NE(call, nullptr);
  for (const auto& [a, expected] : {std::pair(2.f, 106.f), std::pair(4.f, 12.f)}) {
    float x = 3, y = 0, factor = a;
    int n = 1;
    void* const slots[] = {&x, &y, &n, &factor};
    call(slots, nullptr);
    EXPECT_EQ(y, expected) << a;
  }
  ::dlclose(loaded);
}

TEST_F(WholeFile, IsReportedIfSandboxCannotCompileIt) {
  const auto verdict =
      judge(annotation + body + "void other() { asm(\".section .rodata\\n.incbin \\\"kernel.cpp\\\"\\n.text\"); }\n",
            variant);
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_TRUE(verdict->right) << verdict->reason;
  EXPECT_THAT(verdict->detail, HasSubstr("could not be looked at"));
}

}  // namespace
}  // namespace hone::tune
