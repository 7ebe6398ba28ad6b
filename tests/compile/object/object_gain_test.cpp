// What candidates' objects bring beside code, by real compilers.
#include "tool/compile/object/object_gain.h"

#include <gmock/gmock.h>

#include "tests/compile/compiled_text.h"
#include "tool/compile/object/needed_names.h"

namespace hone::compile {
namespace {

using testing::HasSubstr;

const std::string head = "#include <cmath>\n#include <cstdlib>\n#include <cstring>\n#include <vector>\n";
const std::string kernel =
    "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] = std::sqrt(x[i]) * 2;\n}\n";
const std::string behind = "extern \"C\" void hone_call(void** p) { scale((float*)p[0], *(int*)p[1]); }\n";

class ObjectGain : public testing::TestWithParam<std::string> {
 protected:
  std::string gain(const std::string& candidate, bool threads = false, const std::vector<std::string>& flags = {}) {
    return object_gain(compiled(GetParam(), head + kernel + behind, flags),
                       compiled(GetParam(), head + candidate + behind, flags), threads);
  }
};

TEST_P(ObjectGain, IsEmptyForOriginalAndPlainVariants) {
  EXPECT_EQ(gain(kernel), "");
  EXPECT_EQ(gain("static const float table[9] = {1, 2, 3};\n"
                 "template <int N> static float twice(float x) { return N * std::sqrt(x) + table[N]; }\n"
                 "void scale(float* x, int n) {\n  std::vector<float> copy(x, x + n);\n"
                 "  for (int i = 0; i < n; ++i) x[i] = twice<2>(copy[i]);\n"
                 "  std::memmove(x, copy.data(), n * sizeof *x);\n}\n"),
            "");
  EXPECT_EQ(gain("void scale(float* x, int n) {\n  static thread_local std::vector<double> scratch;\n"
                 "  scratch.resize(n);\n  for (int i = 0; i < n; ++i) scratch[i] = std::exp2(std::sin((double)x[i]));\n"
                 "  for (int i = 0; i < n; ++i) x[i] = scratch[i];\n}\n"),
            "");
  EXPECT_EQ(
      gain("void scale(float* x, int n) {\n  switch (n) {\n"
           "    case 0: return;\n    case 1: x[0] = std::tgamma(x[0]); return;\n    case 2: x[1] = 3; return;\n"
           "    case 3: x[2] = std::pow(x[0], x[1]); return;\n    case 4: throw n;\n    case 5: x[0] = 9; return;\n"
           "  }\n  x[0] = (__int128)(x[1]) / n;\n}\n"),
      "");
}

#if defined(__x86_64__)
TEST_P(ObjectGain, IsEmptyForFunctionVersions) {
  EXPECT_EQ(gain("__attribute__((target_clones(\"avx2\", \"default\"))) void scale(float* x, int n) {\n"
                 "  for (int i = 0; i < n; ++i) x[i] = std::sqrt(x[i]) * 2;\n}\n"),
            "");
}
#endif

TEST_P(ObjectGain, NamesCodeThatRunsAtLoad) {
  EXPECT_THAT(gain("__attribute__((constructor)) static void early() { std::abort(); }\n" + kernel),
              HasSubstr("it brings a constructor (.init_array)"));
  EXPECT_THAT(gain("static int early() { return std::rand(); }\nstatic const int value = early();\n" + kernel),
              HasSubstr("a constructor"));
  EXPECT_THAT(gain("asm(\".section .init_array,\\\"aw\\\"\\n.quad 0\\n.text\\n\");\n" + kernel),
              HasSubstr("a constructor"));
  EXPECT_THAT(gain("asm(\".section .init,\\\"ax\\\"\\nnop\\n.text\\n\");\n" + kernel),
              HasSubstr("code that runs at start (.init)"));
  EXPECT_THAT(gain("asm(\".section .fini_array,\\\"aw\\\"\\n.quad 0\\n.text\\n\");\n" + kernel),
              HasSubstr("a destructor"));
}

TEST_P(ObjectGain, NamesNewSections) {
  EXPECT_THAT(gain("asm(\".section .evil,\\\"a\\\"\\n.quad 7\\n.text\\n\");\n" + kernel),
              HasSubstr("a section of its own (.evil)"));
  EXPECT_THAT(gain("asm(\".section .note.own,\\\"a\\\",@note\\n.long 1\\n.text\\n\");\n" + kernel),
              HasSubstr(".note.own"));
  EXPECT_THAT(gain("__attribute__((section(\".text.odd\"), used)) static void f() {}\n" + kernel),
              HasSubstr("code in a section of its own (.text.odd)"));
  EXPECT_THAT(gain("asm(\".section .both,\\\"awx\\\"\\nnop\\n.text\\n\");\n" + kernel), HasSubstr("can be changed"));
  EXPECT_THAT(gain("asm(\".section .gnu.warning.main\\n.string \\\"x\\\"\\n.text\\n\");\n" + kernel),
              HasSubstr(".gnu.warning"));
}

TEST_P(ObjectGain, NamesMutableData) {
  const std::string counts = "void scale(float* x, int n) {\n  static int calls;\n  x[0] = ++calls;\n}\n";
  EXPECT_THAT(gain(counts), HasSubstr("data that lasts and can be changed"));
  EXPECT_THAT(gain("asm(\".data\\n.quad 7\\n.text\\n\");\n" + kernel), HasSubstr("data that lasts and can be changed"));
  EXPECT_THAT(gain("asm(\".comm shared,8\");\n" + kernel), HasSubstr("'shared'"));
}

TEST_P(ObjectGain, NamesExportedSymbols) {
  EXPECT_THAT(gain("void helper(int) {}\n" + kernel), HasSubstr("a name that other files see ('_Z6helperi')"));
  EXPECT_THAT(gain("extern \"C\" __attribute__((weak)) int puts(const char*) { return 0; }\n" + kernel),
              HasSubstr("'puts'"));
  EXPECT_THAT(gain("void* operator new(std::size_t n) { return std::malloc(n); }\n" + kernel), HasSubstr("'_Znwm'"));
  EXPECT_THAT(gain("extern \"C\" void* choose() { return nullptr; }\nstatic void one() {}\n"
                   "static void other() __attribute__((ifunc(\"choose\")));\n" +
                   kernel + "void (*volatile const keep)() = other;\n"),
              testing::Not(""));
}

TEST_P(ObjectGain, NamesForeignFunctions) {
  EXPECT_THAT(gain("extern \"C\" int fork();\nvoid scale(float* x, int n) { x[0] = fork(); }\n"),
              HasSubstr("it needs 'fork'"));
  EXPECT_THAT(gain("void scale(float* x, int n) { x[0] = std::system(\"\"); }\n"), HasSubstr("'system'"));
  const std::string team =
      "#include <omp.h>\nvoid scale(float* x, int n) {\n#pragma omp parallel for\n"
      "  for (int i = 0; i < n; ++i) x[i] = std::sqrt(x[i]) * 2;\n}\n";
  if (GetParam() != "g++") return;  // LLVM's OpenMP need not be here
  EXPECT_EQ(gain(team, true, {"-fopenmp"}), "");
  EXPECT_THAT(gain(team, false, {"-fopenmp"}), testing::AnyOf(HasSubstr("'GOMP_parallel'"), HasSubstr("'omp_get")));
}

INSTANTIATE_TEST_SUITE_P(Compilers, ObjectGain, testing::ValuesIn(compilers()),
                         [](const auto& info) { return info.param == "g++" ? "gcc" : "clang"; });

TEST(ObjectGain, RefusesMalformedObject) {
  const std::string good = compiled(compilers().front(), head + kernel);
  EXPECT_NE(object_gain(good, good.substr(0, good.size() / 2), false), "");
  EXPECT_NE(object_gain(good, "", false), "");
}

TEST(NeededNames, AllowOnlyComputation) {
  for (const char* name :
       {"sqrt", "sqrtf", "cosl", "__exp_finite", "_ZGVdN4v_sin", "memcpy", "_Znwm", "_ZdlPvm", "malloc", "__cxa_throw",
        "_Unwind_Resume", "__udivti3", "__extendhfsf2", "__popcountdi2", "_ZSt20__throw_length_errorPKc"})
    EXPECT_TRUE(is_for_computing(name)) << name;
  for (const char* name : {"fork", "open", "system", "getenv", "clock_gettime", "dlsym", "gethostid", "__gethostid",
                           "syscall", "pthread_create", "GOMP_parallel", "_ZNSt6chrono3_V212steady_clock3nowEv",
                           "_ZSt4cout", "time", "rand", "signal", "mprotect", "atexit"})
    EXPECT_FALSE(is_for_computing(name)) << name;
  EXPECT_TRUE(is_for_threads("GOMP_parallel"));
  EXPECT_FALSE(is_for_threads("fork"));
}

}  // namespace
}  // namespace hone::compile
