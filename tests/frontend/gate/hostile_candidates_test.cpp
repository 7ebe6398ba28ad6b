// Attacks on the gate: each is refused, for its own reason, at its own line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/policy_gate.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kHostileKernel = R"code(
#include <cmath>
#include <vector>
#include "own.h"
#define SCALE 2
namespace app {
template <class T> struct Trait { static constexpr int value = 1; };
template <class T> T identity(T v) { return v; }
static inline float twice(float v) { return SCALE * identity(v) * Trait<int>::value; }
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)
void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = twice(x[i]); }
}
)code";

struct Attack {
  const char* name;
  std::string text;
  const char* reason;  // with the line
};

void PrintTo(const Attack& attack, std::ostream* out) {
  *out << attack.name;
}

class HostileCandidate : public testing::TestWithParam<Attack> {
 protected:
  static void SetUpTestSuite() {
    snippet_ = std::make_unique<Snippet>(kHostileKernel, std::vector<std::string>{"-std=c++20", "-fopenmp"});
    snippet_->with_file("own.h", "#pragma once\ninline int own_unused() { return 2; }\ninline int own_counter = 0;\n");
    gate_ = std::make_unique<Gate>(Gate::open(snippet_->kernel(), snippet_->command(), {}).value());
  }
  static void TearDownTestSuite() {
    gate_.reset();
    snippet_.reset();
  }
  static std::unique_ptr<Snippet> snippet_;
  static std::unique_ptr<Gate> gate_;
};
std::unique_ptr<Snippet> HostileCandidate::snippet_;
std::unique_ptr<Gate> HostileCandidate::gate_;

TEST_P(HostileCandidate, IsRejectedForExpectedReason) {
  std::string objection = gate_->objection(GetParam().text);
  EXPECT_NE(take_code(objection), DiagnosticCode::none) << objection;
  EXPECT_THAT(objection, HasSubstr(GetParam().reason)) << GetParam().text;
}

#define HEAD "void f(const float* x, float* y, int n) {\n"
#define BODY HEAD "}\n"

const auto named = [](const auto& info) { return info.param.name; };

INSTANTIATE_TEST_SUITE_P(
    System, HostileCandidate,
    testing::Values(
        Attack{"DeclaredSystem", "extern \"C\" int system(const char*);\n" HEAD "system(\"x\");\n}",
               ":1: extern \"C\" is not allowed ('system')"},
        Attack{"DeclaredInABlock", HEAD "extern int rename(const char*, const char*);\n rename(\"a\", \"b\");\n}",
               "'rename'"},
        Attack{"AddressOfSystem", "#include <cstdlib>\n" HEAD "  auto* p = &std::system; p(\"x\");\n}",
               ":3: 'system' is not allowed"},
        Attack{"InATemplate",
               "#include <cstdlib>\ntemplate <class T> static int g(T s) { return system(s); }\n" HEAD "  g(\"x\");\n}",
               ":2: 'system' is not allowed"},
        Attack{"InALambda", "#include <cstdlib>\n" HEAD "  [](auto s) { return std::getenv(s); }(\"x\");\n}",
               ":3: 'getenv' is not allowed"},
        Attack{"ByAliasOfANamespace", "#include <cstdlib>\n" HEAD "  namespace s = std;\n  s::exit(0);\n}",
               ":4: 'exit' is not allowed"},
        Attack{"ByUsing", "#include <cstdlib>\n" HEAD "  using std::rand;\n  y[0] = rand();\n}",
               "'rand' is not allowed"},
        Attack{"RandomDevice", "#include <random>\n" HEAD "  std::random_device d;\n}",
               ":3: 'std::random_device::random_device' is not allowed"},
        Attack{"PrintsByBuiltin", HEAD "  __builtin_printf(\"x\");\n}", ":2: '__builtin_printf' is not allowed"},
        Attack{"JumpsByBuiltin", HEAD "  void* b[5];\n  __builtin_setjmp(b);\n}", ":3: '__builtin_setjmp'"},
        Attack{"LooksAtTheStack", HEAD "  y[0] = __builtin_return_address(0) != nullptr;\n}",
               ":2: '__builtin_return_address'"},
        Attack{"ReadsTheClock", "#include <x86intrin.h>\n" HEAD "  y[0] = __rdtsc();\n}",
               ":3: '__rdtsc' is not allowed"},
        Attack{"ReadsTheClockByBuiltin", HEAD "  y[0] = __builtin_ia32_rdtsc();\n}", "rdtsc' is not allowed"},
        Attack{"DrawsRandomBits",
               "#include <immintrin.h>\n__attribute__((target(\"rdrnd\"))) " HEAD
               "  unsigned r;\n  _rdrand32_step(&r);\n}",
               "'_rdrand32_step'"},
        Attack{"ChangesRounding", "#include <cfenv>\n" HEAD "  std::fesetround(FE_UPWARD);\n}",
               ":3: 'fesetround' is not allowed"},
        Attack{"FlushesDenormals", "#include <immintrin.h>\n" HEAD "  _mm_setcsr(_mm_getcsr() | 0x8040);\n}",
               ":3: '_mm_setcsr' is not allowed"},
        Attack{"HooksNew", "#include <new>\n" HEAD "  std::set_new_handler(nullptr);\n}", "set_new_handler"},
        Attack{"Threads", "#include <thread>\n" BODY,
               ":1: #include <thread> is not allowed: the annotation allows no threads"},
        Attack{"OpenMpThreads", HEAD "#pragma omp parallel for\n  for (int i = 0; i < n; ++i) y[i] = x[i];\n}",
               ":2: '#pragma omp parallel' starts threads"},
        Attack{"OpenMpTarget", HEAD "#pragma omp target\n  y[0] = 0;\n}", ":2: '#pragma omp target'"},
        Attack{"FixedAddress", HEAD "  y[0] = *reinterpret_cast<volatile float*>(0x7fff0000);\n}",
               ":2: a fixed address is not allowed"}),
    named);

INSTANTIATE_TEST_SUITE_P(
    State, HostileCandidate,
    testing::Values(
        Attack{"StaticInATemplate",
               "template <class T> static int count() { static int n; return ++n; }\n" HEAD "  y[0] = count<int>();\n}",
               ":1: static state that can change"},
        Attack{"StaticMember", "namespace { struct S { static inline int n; }; }\n" BODY,
               ":1: static state that can change"},
        Attack{"VariableTemplate", "template <int N> static int slot = N;\n" BODY, ":1: static state that can change"},
        Attack{"ThreadLocal", "struct T { ~T() {} int t; };\nstatic thread_local T t;\n" BODY,
               ":2: thread-local state"},
        Attack{"OldThreadLocal", "extern __thread int t;\n" BODY, "declared but not defined"},
        Attack{"MutableInConst", "struct S { mutable int n; };\nstatic constexpr S s{};\n" BODY, ":2: static state"},
        Attack{"KeptTemporary", "static constexpr int&& kept = 5;\n" BODY, ":1: static state that can change"},
        Attack{"CachedAnswer", HEAD "  static const float first = x[0];\n  y[0] = first;\n}",
               ":2: static state that is computed when the program runs"},
        Attack{"CachedVector", "#include <vector>\n" HEAD "  static const std::vector<float> v(x, x + n);\n}",
               ":3: static state that is computed"},
        Attack{"RunsBeforeMain", "static float early() { return 1; }\nstatic const float e = early();\n" BODY,
               ":2: static state that is computed"},
        Attack{"OthersVariable", HEAD "  ++own_counter;\n}",
               ":2: 'own_counter' is a variable that other code can change"},
        Attack{"OthersFunction", HEAD "  y[0] = own_unused();\n}", ":2: 'own_unused' is not used by the original"},
        Attack{"Environ", "extern char** environ;\n" HEAD "  y[0] = environ[0][0];\n}",
               ":1: 'environ' is declared but not defined"}),
    named);

INSTANTIATE_TEST_SUITE_P(
    Names, HostileCandidate,
    testing::Values(
        Attack{"OwnMain", BODY "int main() { return 0; }\n", "'main'"},
        Attack{"OperatorNew", "#include <cstddef>\nvoid* operator new(std::size_t, int);\n" BODY, "'operator new'"},
        Attack{"ExportsMalloc", "extern \"C\" void* malloc(unsigned long) { return nullptr; }\n" BODY,
               ":1: extern \"C\" is not allowed ('malloc')"},
        Attack{"CollidingHelper", "float helper(float v) { return v; }\n" BODY, ":1: 'helper' could collide"},
        Attack{"CollidingData", "extern const int table[2] = {1, 2};\n" BODY, ":1: 'table' could collide"},
        Attack{"OverloadsTheKernel", "static void f(const double*, float*, int) {}\n" BODY,
               ":1: another function is called 'f'"},
        Attack{"OverloadsTheClosure", "static inline float twice(double v) { return v; }\n" BODY,
               ":1: another function is called 'twice'"},
        Attack{"OperatorForOthers",
               "#include <vector>\ninline bool operator<(const std::vector<float>&, int) { return false; }\n" BODY,
               "for types that are not the candidate's own"},
        Attack{"SpecializesTheClosure", "template <> struct Trait<long> { static constexpr int value = 0; };\n" BODY,
               ":1: it specialises 'app::Trait'"},
        Attack{"SpecializesAFunction", "template <> float identity(float v) { return 0 * v; }\n" BODY, "identity"},
        Attack{"UsingDirective", "using namespace std;\n" BODY, ":1: 'using namespace' at file scope"},
        Attack{"UsingDeclaration", "#include <vector>\nusing std::vector;\n" BODY, ":2: 'using "},
        Attack{"LeavesTheNamespace", "}\n" BODY "namespace app {\n", ":1: a bracket closes more than"},
        Attack{"FriendOfOthers", "struct S { friend float twice(float); };\n" BODY,
               ":1: 'app::twice' is declared again"},
        Attack{"Constructor", "__attribute__((constructor)) static void early() {}\n" BODY,
               ":1: the attribute 'constructor' is not allowed"},
        Attack{"StandardConstructor", "[[gnu::destructor]] static void late() {}\n" BODY,
               ":1: the attribute 'destructor'"},
        Attack{"UsingConstructor", "[[using gnu: hot, constructor]] static void early() {}\n" BODY, "'constructor'"},
        Attack{"HiddenConstructor",
               "#define hot constructor\n__attribute__((hot)) static void early() {}\n" BODY "#undef hot\n",
               ":1: the macro 'hot' has the name of an attribute"},
        Attack{"PastedAttribute",
               "#define A(a, b, c) a##b((c))\nA(__attri, bute__, constructor) static void early() {}\n" BODY
               "#undef A\n",
               ":2: a function that runs by itself"},
        Attack{"Alias", "static void other() {}\n__attribute__((alias(\"other\"))) void second();\n" BODY,
               ":2: the attribute 'alias'"},
        Attack{"Section", "__attribute__((section(\".init_array\"))) static void* const p = nullptr;\n" BODY,
               ":1: the attribute 'section'"},
        Attack{"Weak", "__attribute__((weak)) void w() {}\n" BODY, "'weak'"},
        Attack{"EscapesSanitizers", "__attribute__((no_sanitize(\"address\")))\n" BODY,
               "'no_sanitize' is not allowed: the judge's sanitizers"},
        Attack{"AsmLabel", "static void g() __asm__(\"main\");\n" BODY, ":1: inline assembly"},
        Attack{"PastedAsm", "#define A(a, b) a##b\n" HEAD "  A(as, m)(\"nop\");\n}\n#undef A\n", ":3: inline assembly"},
        Attack{"TopLevelAsm", "asm(\".incbin \\\"/etc/passwd\\\"\");\n" BODY, ":1: inline assembly"},
        Attack{"RegisterVariable", HEAD "  register int r __asm__(\"rax\");\n}", ":2: inline assembly"},
        Attack{"CallsTheHarness", HEAD "  hone_call(nullptr, nullptr);\n}", ":2: 'hone_call' is the judge's name"}),
    named);

INSTANTIATE_TEST_SUITE_P(
    Preprocessor, HostileCandidate,
    testing::Values(
        Attack{"IncludesAFile", "#include \"/etc/passwd\"\n" BODY, ":1: #include \"/etc/passwd\" is not allowed"},
        Attack{"IncludesADevice", "#include </dev/zero>\n" BODY, ":1: #include </dev/zero> is not allowed"},
        Attack{"IncludesComputed", "#define cmath </etc/passwd>\n#include cmath\n" BODY "#undef cmath\n",
               ":2: #include must name its header"},
        Attack{"IncludesNext", "#include_next <cmath>\n" BODY, ":1: #include_next is not allowed"},
        Attack{"Imports", "#import <cmath>\n" BODY, ":1: #import is not allowed"},
        Attack{"Embeds", "static constexpr unsigned char b[] = {\n#embed \"/etc/passwd\"\n};\n" BODY,
               ":2: #embed is not allowed"},
        Attack{"HeaderUnit", "import <iostream>;\n" BODY, ":1: 'import' of modules"},
        Attack{"IncludesByDigraph", HEAD "%:include \"/etc/passwd\"\n}", ":2: #include \"/etc/passwd\""},
        Attack{"IncludesSpliced", HEAD "#inc\\\nlude \"/etc/passwd\"\n}", ":2: "},
        Attack{"IncludesByTrigraph", HEAD "?\?=include \"/etc/passwd\"\n}", ":2: trigraphs"},
        Attack{"AsksForFiles", "#if __has_include(\"/etc/shadow\")\n#endif\n" BODY, ":1: '__has_include'"},
        Attack{"ShowsClangOtherCode", "#include <cstdlib>\n" HEAD "#ifndef __clang__\n  system(\"x\");\n#endif\n}",
               ":4: code under a condition on '__clang__'"},
        Attack{"ShowsGccOtherCode", "#if __GNUC__ > 4\n#define R rand\n#endif\n" BODY "#undef R\n",
               ":2: a macro under a condition on '__GNUC__'"},
        Attack{"KnowsTheSanitizer", HEAD "  if (__has_feature(address_sanitizer)) y[0] = 1;\n}", ":2: '__has_feature'"},
        Attack{"KnowsTheTime", HEAD "  y[0] = __TIME__[0];\n}", ":2: '__TIME__' differs"},
        Attack{"CounterMacro", HEAD "  y[0] = __COUNTER__;\n}", ":2: '__COUNTER__'"},
        Attack{"Line", "#line 7 \"other\"\n" BODY, ":1: #line is not allowed"},
        Attack{"LineMarker", "# 7 \"other\"\n" BODY, ":1: #7 is not allowed"},
        Attack{"Poison", "#pragma GCC poison malloc\n" BODY, ":1: '#pragma GCC poison'"},
        Attack{"PragmaWeak", "#pragma weak f\n" BODY, ":1: '#pragma weak f'"},
        Attack{"Renames", "#pragma redefine_extname f g\n" BODY, ":1: '#pragma redefine_extname"},
        Attack{"PushMacro", "#pragma push_macro(\"SCALE\")\n" BODY, ":1: '#pragma push_macro"},
        Attack{"SystemHeader", "#pragma GCC system_header\n" BODY, ":1: '#pragma GCC system_header'"},
        Attack{"OptimizeForAll", "#pragma GCC optimize(\"fast-math\")\n" BODY,
               ":1: '#pragma GCC optimize' could change code outside"},
        Attack{"PragmaHone", "#pragma hone kernel\n" BODY, ":1: '#pragma hone'"},
        Attack{"PragmaOperator", "_Pragma(\"GCC poison malloc\")\n" BODY, ":1: '#pragma GCC poison'"},
        Attack{"PragmaOperatorInAMacro", "#define P _Pragma(\"weak f\")\n" BODY "#undef P\n", ":1: '#pragma weak f'"},
        Attack{"PragmaOperatorComputed", "#define P(x) _Pragma(#x)\nP(weak f)\n" BODY "#undef P\n",
               ":1: _Pragma needs a string"},
        Attack{"Undefines", "#undef SCALE\n" BODY, ":1: #undef SCALE takes a macro away"},
        Attack{"Redefines", "#define SCALE 3\n" BODY "#undef SCALE\n", "the macro 'SCALE' has a meaning already"},
        Attack{"MacroIsNotUndefined", "#define MINE 3\n" BODY,
               ":1: the macro 'MINE' outlives the candidate; add #undef MINE"},
        Attack{"MacroKeyword", "#define float double\n" BODY "#undef float\n",
               ":1: the macro name 'float' is reserved"},
        Attack{"MacroOfTheHarness", "#define hone_f g\n" BODY "#undef hone_f\n",
               ":1: the macro name 'hone_f' is reserved"},
        Attack{"HalfABracket", "#define EAT(x)\n#define ID(x) x\n#define OPEN (\n" BODY "ID(EAT OPEN)\n",
               ":3: the macro 'OPEN' opens a bracket"},
        Attack{"ElseWithoutIf", "#else\n" BODY, ":1: #else without an #if"},
        Attack{"HalfACondition", BODY "#if 0\n", "an #if is not closed"},
        Attack{"LateInclude", "static int a();\n#include <vector>\n" BODY,
               ":2: #include <vector> must stand in front"}),
    named);

INSTANTIATE_TEST_SUITE_P(
    Text, HostileCandidate,
    testing::Values(
        Attack{"OpenComment", BODY "/* the rest", ":3: a comment is not closed"},
        Attack{"OpenCommentAtAnInclude", "#include <cmath> /*\n*/ }\n" BODY, ":1: a comment is not closed"},
        Attack{"OpenString", HEAD "  const char* s = \"abc;\n}", ":2: a quote is not closed"},
        Attack{"OpenBracket", HEAD "  if (n) {\n}", "is not closed"},
        Attack{"OpenParenthesis", BODY "int g(", ":3: the bracket '(' is not closed"},
        Attack{"RawString", HEAD "  const char* s = R\"x(\n#endif)x\";\n}", ":2: raw strings"},
        Attack{"HiddenLine", HEAD "  // what next? \\\n  y[0] = 1;\n}", ":2: a // comment goes on"},
        Attack{"Bidirectional", HEAD "  // \xE2\x80\xAE hidden\n}", ":2: it holds a character that reorders text"},
        Attack{"BidirectionalInFront", "#include <cmath>\n/* \xE2\x81\xA6 return; */\n" BODY,
               ":2: it holds a character that reorders text"},
        Attack{"LookAlike", HEAD "  float \xD1\x85 = 1;\n}", ":2: a name holds characters"},
        Attack{"InvisibleName", HEAD "  float a\xE2\x80\x8B = 1;\n}", ":2: a name holds characters"},
        Attack{"EscapedName", HEAD "  float \\u0445 = 1;\n}", ":2: "},
        Attack{"SplitWord", "#include <cstdlib>\n" HEAD "  sys\\\ntem(\"x\");\n}", ":3: a word is split"},
        Attack{"NulByte", std::string(HEAD) + '\0' + "}", ":2: it holds a NUL byte"},
        Attack{"OldMacLines", HEAD "  // a\r  y[0] = 1;\n}", ":2: it holds a carriage return"},
        Attack{"Huge", HEAD + std::string(300 << 10, ' ') + "}", ":1: it is larger than 256 KiB"},
        Attack{"ManyTokens",
               HEAD +
                   [] {
                     std::string t;
                     for (int i = 0; i < 61000; ++i) t += ';';
                     return t;
                   }() +
                   "}",
               ":2: it has more than 60000 tokens"},
        Attack{"Deep", HEAD + std::string(300, '{') + std::string(300, '}') + "}",
               ":2: brackets nest more than 100 deep"},
        Attack{"LongChain", HEAD "  y[0] = " + std::string(5000, '~') + "n;\n}", ":2: more than 64 operators"}),
    named);

INSTANTIATE_TEST_SUITE_P(
    Bombs, HostileCandidate,
    testing::Values(
        Attack{"Templates",
               "template <int N, int K> struct B { static constexpr int v = B<N - 1, 2 * K>::v + B<N - 1, 2 * K + "
               "1>::v; };\n"
               "template <int K> struct B<0, K> { static constexpr int v = 1; };\n" HEAD "  y[0] = B<28, 0>::v;\n}",
               "Clang cannot take it in"},
        Attack{"DeepTemplates",
               "template <int N> struct D { static constexpr int v = D<N + 1>::v; };\n" HEAD "  y[0] = D<0>::v;\n}",
               ":1: recursive template instantiation"},
        Attack{"Macros",
               "#define A x[0]+x[0]+x[0]+x[0]+x[0]+x[0]+x[0]+x[0]\n#define B A+A+A+A+A+A+A+A\n#define C "
               "B+B+B+B+B+B+B+B\n#define D C+C+C+C+C+C+C+C\n"
               "#define E D+D+D+D+D+D+D+D\n#define F E+E+E+E+E+E+E+E\n#define G F+F+F+F+F+F+F+F\n#define H "
               "G+G+G+G+G+G+G+G\n" HEAD "  y[0] = H;\n}\n"
               "#undef A\n#undef B\n#undef C\n#undef D\n#undef E\n#undef F\n#undef G\n#undef H\n",
               "Clang cannot take it in"},
        Attack{"Constants", HEAD "  constexpr int k = [] { int s = 0; for (;;) ++s; return s; }();\n  y[0] = k;\n}",
               ":2: constexpr variable 'k' must be initialized by a constant expression"}),
    named);

}  // namespace
}  // namespace hone::frontend
