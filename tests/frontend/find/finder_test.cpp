// From a pragma in a file to a described kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tool/frontend/find/kernel_finder.h"

namespace hone::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kBlur = R"(#include <cmath>
#pragma hone kernel in(src[0:w*h]) out(dst[0:w*h]) \
    problem(w=1920, h=1080) problem(w=641, h=479, weight=0.5) tolerance(rtol=1e-5)
void blur(const float* src, float* dst, int w, int h) {
  for (int i = 0; i < w * h; ++i) dst[i] = std::sqrt(src[i]);
}
int main() { return 0; }
)";

TEST(Finder, DescribesKernel) {
  const KernelSpec spec = Snippet(kBlur).kernel();
  EXPECT_EQ(spec.name, "blur");
  EXPECT_EQ(spec.signature, "void blur(const float *, float *, int, int)");
  EXPECT_EQ(spec.mangled_name, "_Z4blurPKfPfii");
  EXPECT_EQ(spec.language, "c++17");
  EXPECT_EQ(spec.line, 2u);
  EXPECT_THAT(spec.target, HasSubstr("x86_64 "));
  EXPECT_THAT(spec.key, SizeIs(64));
  ASSERT_THAT(spec.parameters, SizeIs(4));
  EXPECT_TRUE(spec.parameters[0].pointer);
  EXPECT_EQ(spec.parameters[0].role, Role::in);
  EXPECT_EQ(spec.parameters[1].role, Role::out);
  EXPECT_EQ(spec.parameters[1].tolerance.rtol, 1e-5);
  EXPECT_EQ(spec.parameters[1].element.fields.front().type, (ScalarType{ScalarKind::floating, 4}));
  EXPECT_FALSE(spec.parameters[2].pointer);
  ASSERT_THAT(spec.problems, SizeIs(2));
  EXPECT_THAT(spec.problems[1].assigned, ElementsAre(2u, 3u));
  EXPECT_EQ(spec.problems[1].weight, 0.5);
  EXPECT_EQ(spec.expression_count, 2u);
}

// A compiler would convert each in silence.
TEST(Finder, RefusesValuesThatParameterCannotHave) {
  const auto complaint = [](const std::string& problem) {
    const std::string pragma = "#pragma hone kernel inout(x[0:n]) problem(" + problem + ")\n";
    const Snippet snippet("constexpr int kMany = 1 << 20;\nint runtime();\n" + pragma +
                          "void f(float* x, int n, unsigned short s, bool b, float r) {\n"
                          "  for (int i = 0; i < n; ++i) x[i] += s + b + r;\n}\n");
    const std::vector<std::string> all = snippet.complaints();
    return all.empty() ? std::string() : all.front();
  };
  EXPECT_EQ(complaint("n=4.5"), "3:45: 'n' is of type 'int', and 4.5 is no whole number");
  EXPECT_EQ(complaint("n=9, s=100000"),
            "3:50: 's' is of type 'unsigned short', which holds 0 to 65535, and not 100000");
  EXPECT_EQ(complaint("n=9, s=kMany"),
            "3:50: 's' is of type 'unsigned short', which holds 0 to 65535, and not 1048576");
  EXPECT_EQ(complaint("n=9, s=-1"), "3:50: 's' is of type 'unsigned short', which holds 0 to 65535, and not -1");
  EXPECT_EQ(complaint("n=9, r=1e60"), "3:50: 'r' is of type 'float', and 1e+60 is too large for it");
  EXPECT_EQ(complaint("n=1e3, s=65535, b=true, r=0.1"), "");
  EXPECT_EQ(complaint("n=kMany, s=sizeof(int)"), "");
  EXPECT_EQ(complaint("n=9, s=n+1"), "") << "what depends on another is known when it is called";
  EXPECT_EQ(complaint("n=runtime()"), "");
}

TEST(Finder, RefusesDataThatNothingCanBeDrawnFrom) {
  const auto complaint = [](const std::string& init) {
    const std::string pragma = "#pragma hone kernel inout(x[0:n]) problem(n=9) init(x: " + init + ")\n";
    const Snippet snippet("constexpr int kMany = 1 << 20;\n" + pragma +
                          "void f(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] += 1;\n}\n");
    const std::vector<std::string> all = snippet.complaints();
    return all.empty() ? std::string() : all.front();
  };
  EXPECT_THAT(complaint("uniform(1, 0)"), HasSubstr("uniform(1, 0) has no values: the lower bound comes first"));
  EXPECT_THAT(complaint("uniform(kMany, 0)"), HasSubstr("uniform(1.04858e+06, 0) has no values"));
  EXPECT_THAT(complaint("index(3, 3)"), HasSubstr("index(3, 3) has no values"));
  EXPECT_THAT(complaint("normal(0, -1)"), HasSubstr("normal(0, -1) has a deviation below zero"));
  EXPECT_EQ(complaint("uniform(0, 1)"), "");
  EXPECT_EQ(complaint("index(0, n)"), "");
}

TEST(Finder, EvaluatesConstantExpressionsInClauses) {
  const KernelSpec spec = Snippet(R"(
namespace app { constexpr double kTight = 1.0 / 1024; enum { kThreads = 3 }; }
#define HALF 0.5
namespace app {
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64, weight=HALF*2) tolerance(rtol=kTight) threads(kThreads)
void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }
}
)")
                              .kernel();
  EXPECT_EQ(spec.parameters[1].tolerance.rtol, 1.0 / 1024);
  EXPECT_EQ(spec.threads, 3u);
  EXPECT_EQ(spec.problems[0].weight, 1.0);
  EXPECT_EQ(spec.qualified_name, "app::f");
}

TEST(Finder, CollectsConstantsOfKernelAndHelpers) {
  const KernelSpec spec = Snippet(R"(
#define LIMIT 255
constexpr float half = 0.5f;
constexpr int elsewhere = 77;
static float clamped(float x) { return x > LIMIT ? LIMIT : x; }
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)
void f(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] > half ? clamped(x[i]) : 'a';
}
)")
                              .kernel();
  EXPECT_THAT(spec.constants, ElementsAre(0, 0.5, 97, 255));
}

TEST(Finder, KnowsTextThatAsksForNan) {
  const auto asks = [](const std::string& value) {
    return Snippet(R"(
#include <cmath>
static float known(float x) { return std::isnan(x) ? 0 : x; }
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)
void f(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = )" +
                   value + ";\n}\n")
        .kernel()
        .asks_for_nan;
  };
  EXPECT_TRUE(asks("std::isnan(x[i]) ? 0 : x[i]"));
  EXPECT_TRUE(asks("known(x[i])"));
  EXPECT_TRUE(asks("__builtin_isfinite(x[i]) ? x[i] : 0"));
  EXPECT_TRUE(asks("x[i] != (x[i]) ? 0 : x[i]"));
  EXPECT_FALSE(asks("x[i] != x[0] ? 0 : x[i]"));
  EXPECT_FALSE(asks("std::isinf(x[i]) ? 0 : x[i]"));
  EXPECT_FALSE(asks("i == i ? x[i] : 0"));
}

TEST(Finder, AttachesAcrossAttributesLinkageAndOtherPragmas) {
  const FoundKernels found = Snippet(R"code(
#define API __attribute__((noinline))
#pragma hone kernel inout(x[0:8])
static inline void a(float* x) { x[0] = 1; }
#pragma hone kernel inout(x[0:8])
[[gnu::cold]] void b(float* x) { x[0] = 1; }
#pragma hone kernel inout(x[0:8])
extern "C" void c(float* x) { x[0] = 1; }
#pragma hone kernel inout(x[0:8])
// a remark
#pragma GCC diagnostic ignored "-Wunused"
/* another */ API void d(float* x) { x[0] = 1; }
namespace n { namespace {
#pragma hone kernel inout(x[0:8])
constexpr void e(float* x) noexcept { x[0] = 1; }
} }
extern "C" {
#  pragma   hone kernel inout(x[0:8])
void g(float* x) { x[0] = 1; }
}
_Pragma("hone kernel inout(x[0:8])") void h(float* x) try { x[0] = 1; } catch (...) {}
)code")
                                 .find();
  for (const Diagnostic& diagnostic : found.diagnostics) ADD_FAILURE() << diagnostic.rendered;
  std::vector<std::string> names;
  for (const FoundKernel& kernel : found.kernels) names.push_back(kernel.spec.name + " " + kernel.spec.mangled_name);
  EXPECT_THAT(names, ElementsAre("a _ZL1aPf", "b _Z1bPf", "c c", "d _Z1dPf", "n::e _ZN1n12_GLOBAL__N_11eEPf", "g g",
                                 "h _Z1hPf"));
  EXPECT_EQ(found.kernels[2].spec.unit.definition, "extern \"C\" void c(float* x) { x[0] = 1; }");
  EXPECT_EQ(found.kernels[3].spec.unit.definition, "API void d(float* x) { x[0] = 1; }");
}

TEST(Finder, RejectsAnnotationWithoutTunableFunction) {
  const std::vector<std::string> complaints = Snippet(R"(
#pragma hone kernel inout(x[0:8])
void declared(float* x);
#pragma hone kernel inout(x[0:8])
struct S { float y; };
#pragma hone kernel inout(x[0:8])
int variable = 1;
#pragma hone kernel inout(x[0:8])
template <class T> void generic(T* x) { x[0] = 1; }
void other() {
#pragma hone kernel inout(x[0:8])
}
#define MAKE(a, b) void a(float* x) { x[0] = 1; } void b(float* x) { x[0] = 2; }
#pragma hone kernel inout(x[0:8])
MAKE(made, too)
#pragma hone kernel inout(x[0:8])
)")
                                                  .complaints();
  EXPECT_THAT(
      complaints,
      ElementsAre("2:1: 'declared' is only declared here; put the annotation directly above its definition",
                  "4:1: the annotation stands above a type; put it directly above a function's definition",
                  HasSubstr("6:1: the annotation stands above a variable"),
                  HasSubstr("8:14: 'generic' is a template; say which instance is to be tuned with instantiate(T=…)"),
                  HasSubstr("11:1: the annotation stands inside"), HasSubstr("14:1: no function definition follows"),
                  HasSubstr("16:1: no function definition follows")));
}

// Applying needs none, so it is said to whoever judges.
TEST(Finder, KnowsThatThereIsNoProblem) {
  const Snippet snippet("#pragma hone kernel in(x[0:n])\nvoid f(const float* x, int n) {}\n");
  EXPECT_TRUE(snippet.complaints().empty());
  EXPECT_THAT(snippet.kernel().lacks_problem, HasSubstr("add problem(n=…), or record some with hone capture"));
}

TEST(Finder, TakesCapturedClausesForThoseThatAreLeftOut) {
  const Snippet snippet(
      "#pragma hone kernel in(x[0:n], i[0:n]) init(x: zeros)\nvoid f(const float* x, const int* i, int n) {}\n");
  Options options;
  options.captures = "/captures";
  options.captured = [](const std::string& kernel) {
    CapturedClauses clauses;
    if (kernel != "_Z1fPKfPKii") return clauses;
    clauses.problems = {{{{"n", "100"}}, 75}, {{{"n", "7"}}, 25}};
    clauses.inits = {{"x", Distribution::uniform, {"0.0", "1.0"}}, {"i", Distribution::index, {"0", "n"}}};
    return clauses;
  };
  const auto found = find_kernels(snippet.command(), options);
  ASSERT_TRUE(found) << found.error().message();
  const KernelSpec& spec = found->kernels.at(0).spec;
  EXPECT_EQ(spec.lacks_problem, "");
  ASSERT_THAT(spec.problems, SizeIs(2));
  EXPECT_EQ(spec.problems[0].weight, 75);
  EXPECT_EQ(spec.parameters[0].init->distribution, Distribution::zeros);
  EXPECT_EQ(spec.parameters[1].init->distribution, Distribution::index);
  EXPECT_EQ(spec.key, snippet.key());
}

TEST(Finder, FillsUnitsOfWantedKernelsAlone) {
  const Snippet snippet(
      "#pragma hone kernel in(x[0:n]) problem(n=4)\nvoid f(const float* x, int n) {}\n"
      "#pragma hone kernel in(x[0:n]) problem(n=4)\nvoid g(const float* x, int n) {}\n");
  Options options;
  options.units_of = {snippet.find().kernels.at(1).spec.key};
  const auto found = find_kernels(snippet.command(), options);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->kernels.at(0).spec.unit.definition, "");
  EXPECT_NE(found->kernels.at(1).spec.unit.definition, "");
}

TEST(Finder, LeavesOutCapturedClausesOfAnotherFunction) {
  const Snippet snippet("#pragma hone kernel in(x[0:n])\nvoid f(const float* x, int n) {}\n");
  Options options;
  options.captured = [](const std::string&) { return CapturedClauses{{{{{"m", "100"}}, 1}}, {}}; };
  const auto found = find_kernels(snippet.command(), options);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_TRUE(found->diagnostics.empty());
  EXPECT_THAT(found->kernels.at(0).spec.lacks_problem, HasSubstr("no problem is given"));
}

TEST(Finder, ReportsPlaceOfEachMistake) {
  Snippet snippet(R"(
#pragma hone kernel ^typo^inn(x[0:n])
void a(const float* x, int n) {}
#pragma hone kernel in(^unknown^src[0:n]) out(dst[0:n]) problem(n=4)
void b(const float* scr, float* dst, int n) {}
#pragma hone kernel in(x[0:n]) problem(n=4)
void c(const float* x, float* y, int n) {}
#pragma hone kernel out(^const^x[0:n]) problem(n=4)
void d(const float* x, int n) {}
#pragma hone kernel in(x[0:^expr^m]) problem(n=4)
void e(const float* x, int n) {}
#pragma hone kernel in(x[0:n*m]) ^problem^problem(n=4)
void g(const float* x, int n, int m) {}
#pragma hone kernel in(x[0:n]) problem(n=4, ^pointer^x=2)
void h(const float* x, int n) {}
#pragma hone kernel problem(n=4)
void i(const float* x, int n) {}
#pragma hone kernel inout(x[0:n]) problem(n=4) tolerance(rtol=^negative^-1)
void j(float* x, int n) {}
#pragma hone kernel inout(x[0:n]) problem(n=4) threads(^runtime^n)
void k(float* x, int n) {}
#pragma hone kernel inout(x[0:n]) problem(n=4) workload(^missing^fn)
void l(float* x, int n) {}
)");
  const auto place = [&](const char* mark) {
    const auto [line, column] = snippet.at(mark);
    return std::to_string(line) + ":" + std::to_string(column) + ": ";
  };
  const std::vector<std::string> complaints = snippet.complaints();
  for (const std::string& complaint : complaints) SCOPED_TRACE(complaint);
  ASSERT_THAT(complaints, SizeIs(11));
  EXPECT_THAT(complaints[0], testing::StartsWith(place("typo")));
  EXPECT_THAT(complaints[1], testing::AllOf(testing::StartsWith(place("unknown")), HasSubstr("did you mean 'scr'?")));
  EXPECT_THAT(complaints[2], HasSubstr("the function may change what 'y' holds"));
  EXPECT_THAT(complaints[3], testing::AllOf(testing::StartsWith(place("const")), HasSubstr("const")));
  EXPECT_THAT(complaints[4],
              testing::AllOf(testing::StartsWith(place("expr")), HasSubstr("undeclared identifier 'm'")));
  EXPECT_THAT(complaints[5], testing::AllOf(testing::StartsWith(place("problem")), HasSubstr("no value to 'm'")));
  EXPECT_THAT(complaints[6], testing::StartsWith(place("pointer")));
  EXPECT_THAT(complaints[7], HasSubstr("the extent of 'x' is missing"));
  EXPECT_THAT(complaints[8], testing::StartsWith(place("negative")));
  EXPECT_THAT(complaints[9], testing::StartsWith(place("runtime")));
  EXPECT_THAT(complaints[10], testing::AllOf(testing::StartsWith(place("missing")), HasSubstr("no function 'fn'")));
}

TEST(Finder, ReportsParameterTypesWithoutClause) {
  const auto complaint = [](const std::string& parameter) {
    const std::vector<std::string> all = Snippet(
                                             "#include <vector>\nstruct P { float x; float* p; };\nstruct V { virtual "
                                             "~V(); };\n#pragma hone kernel threads(1)\nvoid f(" +
                                             parameter + " p) {}\n")
                                             .complaints();
    return all.empty() ? std::string() : all.front();
  };
  for (const char* type : {"float*&", "std::vector<std::vector<float>>&", "float***", "void*", "std::vector<P>",
                           "void (*)(int)", "__int128", "volatile float*"}) {
    std::string text = type;
    std::string declared = text == "void (*)(int)" ? "decltype(static_cast<void (*)(int)>(nullptr))" : text;
    EXPECT_THAT(complaint(declared), testing::AllOf(HasSubstr("parameter 'p'"), HasSubstr("plain arrays and scalars")))
        << type;
  }
}

TEST(Finder, FlattensPlainStructs) {
  const KernelSpec spec = Snippet(R"(
#include <cstdint>
struct Vec { float x, y, z; };
struct Base { bool on; };
typedef struct : Base { Vec pos; double w; std::uint8_t rgb[2][3]; Vec path[2]; } Body;
#pragma hone kernel inout(b[0:n]) problem(n=4)
void f(Body* __restrict b, int n) { for (int i = 0; i < n; ++i) b[i].w = 1; }
)")
                              .kernel();
  const ElementType& element = spec.parameters[0].element;
  EXPECT_EQ(element.size, 56u);
  const ScalarType single{ScalarKind::floating, 4};
  EXPECT_THAT(element.fields, ElementsAre(Field{"on", {ScalarKind::boolean, 1}, 0, 1}, Field{"pos.x", single, 4, 1},
                                          Field{"pos.y", single, 8, 1}, Field{"pos.z", single, 12, 1},
                                          Field{"w", {ScalarKind::floating, 8}, 16, 1},
                                          Field{"rgb", {ScalarKind::unsigned_integer, 1}, 24, 6},
                                          Field{"path[0].x", single, 32, 1}, Field{"path[0].y", single, 36, 1},
                                          Field{"path[0].z", single, 40, 1}, Field{"path[1].x", single, 44, 1},
                                          Field{"path[1].y", single, 48, 1}, Field{"path[1].z", single, 52, 1}));
}

TEST(Finder, DescribesArraysEnumsAndReturnValue) {
  const KernelSpec spec = Snippet(R"(
enum class Mode : unsigned char { add = 2, mul = 5 };
#pragma hone kernel in(a[0:m][0:4]) alias(a, b) tolerance(atol=0.25) problem(m=3) init(a: index(0, 4))
double f(const int a[][4], const float b[16], Mode mode, const bool flag, unsigned m) { return a[0][0] + b[0]; }
)")
                              .kernel();
  EXPECT_EQ(spec.parameters[0].element.fields.front().type, (ScalarType{ScalarKind::signed_integer, 4}));
  EXPECT_THAT(spec.parameters[0].extent, SizeIs(2));
  EXPECT_THAT(spec.parameters[1].extent, SizeIs(1));
  EXPECT_THAT(spec.parameters[2].enumerators, ElementsAre(2, 5));
  EXPECT_EQ(spec.parameters[3].element.fields.front().type.kind, ScalarKind::boolean);
  EXPECT_EQ(spec.parameters[0].alias_group, 0);
  EXPECT_EQ(spec.parameters[1].alias_group, 0);
  EXPECT_EQ(spec.parameters[2].alias_group, -1);
  EXPECT_EQ(spec.parameters[0].init->distribution, Distribution::index);
  ASSERT_TRUE(spec.result);
  EXPECT_EQ(spec.result->size, 8u);
  EXPECT_EQ(spec.result_tolerance.atol, 0.25);
}

TEST(Finder, AdvisesWorkloadOnceForParameterThatNoClauseDescribes) {
  const Snippet snippet(R"cpp(
#include <vector>
struct Sample { std::vector<float> values; };
#pragma hone kernel problem(n = 8)
float total(const std::vector<Sample>& samples, int n) { return samples[0].values[0] * n; }
)cpp");
  ASSERT_THAT(snippet.complaints(), SizeIs(1));
  const std::string said = snippet.complaints().front(), advice = "named by workload(fn)";
  ASSERT_THAT(said, HasSubstr(advice));
  EXPECT_EQ(said.find(advice), said.rfind(advice)) << said;
}

TEST(Finder, NamesOverloadsByParameters) {
  const Snippet snippet(R"cpp(
#pragma hone kernel in(x [0:n])problem(n = 8)
    float sum(const float* x, int n) {
      float s = 0;
      for (int i = 0; i < n; ++i) s += x[i];
      return s;
    }
#pragma hone kernel in(x [0:n])problem(n = 8)
    double sum(const double* x, int n) {
      double s = 0;
      for (int i = 0; i < n; ++i) s += x[i];
      return s;
    }
  )cpp");
  const FoundKernels found = snippet.find();
  ASSERT_EQ(found.kernels.size(), 2u);
  EXPECT_EQ(found.kernels[0].spec.name, "sum(const float *, int)");
  EXPECT_EQ(found.kernels[1].spec.name, "sum(const double *, int)");
}

// The lock file has one entry for a name: the result of one of them would be thrown away.
TEST(Finder, NamesFunctionsThatShareOneNameClause) {
  const Snippet snippet(R"cpp(
#pragma hone kernel inout(x [0:n]) problem(n = 8) name(hot)
    void twice(float* x, int n) {
      for (int i = 0; i < n; ++i) x[i] *= 2;
    }
#pragma hone kernel inout(x [0:n]) problem(n = 8) name(hot)
    void thrice(float* x, int n) {
      for (int i = 0; i < n; ++i) x[i] *= 3;
    }
  )cpp");
  const FoundKernels found = snippet.find();
  ASSERT_EQ(found.kernels.size(), 2u);
  EXPECT_EQ(found.kernels[0].spec.name, "hot(float *, int) of twice");
  EXPECT_EQ(found.kernels[1].spec.name, "hot(float *, int) of thrice");
}

TEST(Finder, GivesOutputItsNamedTolerance) {
  const KernelSpec spec = Snippet(R"cpp(
#pragma hone kernel in(x [0:n])out(y [0:n], z [0:n]) problem(n = 8) tolerance(rtol = 1e-3) tolerance(y : ulp = 4)
                            void copy(const float* x, float* y, float* z, int n) {
                              for (int i = 0; i < n; ++i) y[i] = z[i] = x[i];
                            }
                          )cpp")
                              .kernel();
  EXPECT_EQ(spec.parameters[1].tolerance.ulp, 4.0);
  EXPECT_EQ(spec.parameters[1].tolerance.rtol, std::nullopt);
  EXPECT_EQ(spec.parameters[2].tolerance.rtol, 1e-3);
  EXPECT_EQ(spec.parameters[2].tolerance.ulp, std::nullopt);
}

TEST(Finder, RejectsKernelThatUsesForeignVariableOrFunction) {
  EXPECT_THAT(Snippet("int gain;\n#pragma hone kernel inout(x[0:4])\nvoid f(int* x) { x[0] = gain; }\n").complaints(),
              ElementsAre(HasSubstr("uses the variable 'gain'")));
  EXPECT_THAT(Snippet("int far(int);\nlong off(int);\n#pragma hone kernel inout(x[0:4])\nvoid f(int* x) { x[0] = "
                      "far(1) + off(2); }\n")
                  .complaints(),
              ElementsAre(HasSubstr("uses 'far' and 'off', which no source of the compile_commands.json defines")));
}

TEST(Finder, IgnoresSystemHeadersAndInactiveBranches) {
  Snippet snippet("#include <k.h>\n#if 0\n#pragma hone kernel nonsense\n#endif\nint x;\n");
  snippet.with_file("system/k.h", "#pragma hone kernel inout(x[0:4])\ninline void f(int* x) { x[0] = 1; }\n");
  snippet.with_flags({"-isystem", (snippet.folder() / "system").string()});
  const FoundKernels found = snippet.find();
  EXPECT_THAT(found.kernels, IsEmpty());
  EXPECT_THAT(found.diagnostics, IsEmpty());
}

TEST(Finder, ReportsParseErrorOfClang) {
  Snippet snippet("#pragma hone kernel inout(x[0:4])\nvoid f(int* x) { nonsense; }\n");
  const auto found = find_kernels(snippet.command(), {});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message(),
              HasSubstr("main.cpp:2:18: Clang cannot parse it: use of undeclared identifier 'nonsense'"));
}

TEST(Finder, RendersMistakeWithCaret) {
  Snippet snippet("#pragma hone kernel inn(x[0:4])\nvoid f(int* x) {}\n");
  const FoundKernels found = snippet.find();
  ASSERT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_THAT(found.diagnostics[0].rendered, testing::StartsWith("main.cpp:1:21: error: "));
  EXPECT_THAT(found.diagnostics[0].rendered,
              testing::EndsWith("\n#pragma hone kernel inn(x[0:4])\n                    ^\n"));
}

TEST(Finder, ClausesMeanMacrosOfTheirPlace) {
  const Snippet snippet(
      "#define TAPS 5\n#pragma hone kernel in(x[0:n + TAPS]) out(y[0:n]) problem(n=TAPS*8)\n"
      "void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i + TAPS - 1]; }\n"
      "#undef TAPS\n");
  const FoundKernels found = snippet.find();
  ASSERT_THAT(found.diagnostics, testing::IsEmpty()) << found.diagnostics[0].rendered;
  EXPECT_EQ(found.kernels.size(), 1u);
}

}  // namespace
}  // namespace hone::frontend
