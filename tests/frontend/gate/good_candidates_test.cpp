// Idioms of good engineers: the gate lets each of them through.
#include <gtest/gtest.h>

#include <memory>

#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/policy_gate.h"

namespace hone::frontend {
namespace {

constexpr const char* kGoodKernel = R"code(
#include <cmath>
#include "own.h"
namespace app {
constexpr int kStep = 1;
static inline float twice(float v) { return own_scale() * v; }
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64) threads(4)
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i += kStep) y[i] = twice(x[i]); }
void g(const float* x, float* y) { f(x, y, 0); }
}
)code";

struct Idiom {
  const char* name;
  const char* text;
};

void PrintTo(const Idiom& idiom, std::ostream* out) {
  *out << idiom.name;
}

class GoodCandidate : public testing::TestWithParam<Idiom> {
 protected:
  static void SetUpTestSuite() {
    snippet_ = std::make_unique<Snippet>(kGoodKernel, std::vector<std::string>{"-std=c++20", "-fopenmp"});
    snippet_->with_file("own.h", "#pragma once\ninline float own_scale() { return 2; }\n");
    gate_ = std::make_unique<Gate>(Gate::open(snippet_->kernel(), snippet_->command(), {}).value());
  }
  static void TearDownTestSuite() {
    gate_.reset();
    snippet_.reset();
  }
  static std::unique_ptr<Snippet> snippet_;
  static std::unique_ptr<Gate> gate_;
};
std::unique_ptr<Snippet> GoodCandidate::snippet_;
std::unique_ptr<Gate> GoodCandidate::gate_;

TEST_P(GoodCandidate, PassesGate) {
  EXPECT_EQ(gate_->check(GetParam().text), "") << GetParam().text;
}

#define HEAD "void f(const float* x, float* y, int n) {\n"
#define LOOP "for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n"

INSTANTIATE_TEST_SUITE_P(
    Idioms, GoodCandidate,
    testing::Values(
        Idiom{"Plain", HEAD LOOP "}"},
        Idiom{"UsesTheClosure", HEAD "for (int i = 0; i < n; i += kStep) y[i] = twice(x[i]) * own_scale();\n}"},
        Idiom{
            "Intrinsics",
            "#include <immintrin.h>\n__attribute__((target(\"avx2,fma\")))\nstatic void wide(const float* x, float* y, "
            "int n) {\n  int i = 0;\n  for (; i + 8 <= n; i += 8) _mm256_storeu_ps(y + i, "
            "_mm256_add_ps(_mm256_loadu_ps(x + i), "
            "_mm256_loadu_ps(x + i)));\n  _mm_prefetch(reinterpret_cast<const char*>(x), _MM_HINT_T0);\n  "
            "_mm_sfence();\n"
            "  for (; i < n; ++i) y[i] = 2 * x[i];\n}\n" HEAD
            "  if (__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")) {\n    wide(x, y, n);\n  } "
            "else "
            "{\n" LOOP "}\n}"},
        Idiom{"IntrinsicsUnderACondition",
              "#include <immintrin.h>\n" HEAD
              "#ifdef __AVX512F__\n  if (n > 15) _mm512_storeu_ps(y, _mm512_loadu_ps(x));\n#elif defined(__AVX2__)\n"
              "  if (n > 7) _mm256_storeu_ps(y, _mm256_loadu_ps(x));\n#else\n  (void)0;\n#endif\n" LOOP "}"},
        Idiom{"LeadingComment",
              "/* Faster by far:\n * two lines. */\n#include <cmath>\n\n// and a note: don't\n#include "
              "<vector>\n" HEAD LOOP "}"},
        Idiom{"CommentsInAnyLanguage", "// größer — 数\n" HEAD "/* é */ " LOOP "}"},
        Idiom{"Containers", "#include <vector>\n#include <array>\n#include <map>\n#include <string>\n" HEAD
                            "  std::vector<float> v(x, x + n);\n  std::array<float, 4> a{};\n  std::map<int, float> "
                            "m;\n  m[1] = a[0];\n"
                            "  for (int i = 0; i < n; ++i) y[i] = 2 * v[i] + m[1];\n}"},
        Idiom{"Algorithms",
              "#include <algorithm>\n#include <numeric>\n#include <cmath>\n" HEAD
              "  std::transform(x, x + n, y, [](float v) { return 2 * v; });\n  float s = std::accumulate(x, x + n, "
              "0.0f);\n"
              "  y[0] += 0 * std::sqrt(std::max(s, 0.f)) + 0 * std::lgamma(2.0f) + 0 * std::fma(s, s, s);\n}"},
        Idiom{"SpanAndBit",
              "#include <span>\n#include <bit>\n#include <cstdint>\n" HEAD "  std::span<const float> s(x, n);\n"
              "  for (int i = 0; i < n; ++i) y[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(s[i]) + (1u << "
              "23));\n}"},
        Idiom{"Ranges", "#include <ranges>\n" HEAD "  for (int i : std::views::iota(0, n)) y[i] = 2 * x[i];\n}"},
        Idiom{
            "Memory",
            "#include <cstring>\n#include <cstdlib>\n#include <memory>\n" HEAD
            "  std::memset(y, 0, n * sizeof(float));\n  auto* p = static_cast<float*>(std::aligned_alloc(64, 4096));\n"
            "  if (p) std::memcpy(p, x, 4);\n  std::free(p);\n  auto q = std::make_unique<float[]>(16);\n"
            "  float* r = new float[4];\n  delete[] r;\n" LOOP "}"},
        Idiom{"Builtins", HEAD "  const float* a = static_cast<const float*>(__builtin_assume_aligned(x, 4));\n  if (n "
                               "< 0) __builtin_unreachable();\n"
                               "  for (int i = 0; i < n; ++i) { __builtin_prefetch(x + i + 16, 0, 3); y[i] = "
                               "__builtin_fmaf(2, a[i], 0); }\n"
                               "  if (__builtin_expect(n == 0, 0)) return;\n  y[0] += 0 * __builtin_popcount(n) + 0 * "
                               "__builtin_sqrtf(1);\n"
                               "  if (__builtin_cpu_supports(\"avx2\")) { " LOOP " }\n}"},
        Idiom{"VectorExtensions",
              "typedef float v8 __attribute__((vector_size(32), aligned(4), may_alias));\n" HEAD
              "  int i = 0;\n  for (; i + 8 <= n; i += 8) {\n    const v8 v = *reinterpret_cast<const v8*>(x + i);\n"
              "    *reinterpret_cast<v8*>(y + i) = v + v;\n  }\n  for (; i < n; ++i) y[i] = 2 * x[i];\n}"},
        Idiom{
            "Shuffles",
            "typedef int v4i __attribute__((vector_size(16)));\ntypedef float v4 "
            "__attribute__((vector_size(16)));\n" HEAD
            "  v4 a = {1, 2, 3, 4};\n  v4 b = __builtin_shufflevector(a, a, 3, 2, 1, 0);\n  v4i m = a > b;\n"
            "  v4 c = __builtin_shuffle(a, (v4i){3, 2, 1, 0});\n  v4 d = __builtin_shuffle(a, b, (v4i){0, 4, 1, 5});\n"
            "  v4 e = __builtin_convertvector(m, v4);\n  y[0] = 0 * (b[0] + c[0] + d[0] + e[0]);\n" LOOP "}"},
        Idiom{
            "HelpersOfManyKinds",
            "namespace {\ntemplate <int N, class T>\ninline T scaled(T v) { return N * v; }\nstruct Pair { float a, b; "
            "float sum() const { return a + b; } };\n"
            "template <class T> concept Number = requires(T a) { a + a; };\nconsteval int four() { return 4; }\n"
            "enum class Kind { odd, even };\nusing Real = float;\n}\nstatic inline float local(float v) { return v; }\n"
            "static constexpr float kTable[4] = {1, 2, 3, 4};\nconst int kConst = 3;\ninline constexpr int kInline = "
            "5;\n"
            "template <Number T> static T id(T v) { if constexpr (sizeof(T) == 4) return v; else return v + 0; }\n"
            "namespace detail { inline float deep(float v) { return v; } }\n" HEAD
            "  auto [a, b] = Pair{1, 2};\n  for (int i = 0; i < n; ++i) y[i] = "
            "scaled<2>(local(id(detail::deep(x[i])))) + 0 * kTable[four() - 1] * (a + b + kConst + kInline);\n}"},
        Idiom{"ClassTemplates",
              "template <int W> struct Tile { float v[W]; void load(const float* p) { for (int i = 0; i < W; ++i) v[i] "
              "= p[i]; }\n"
              "  static constexpr int width = W;\n  friend Tile operator+(Tile a, const Tile& b) { for (int i = 0; i < "
              "W; ++i) a.v[i] += b.v[i]; return a; } };\n"
              "template <> struct Tile<0> {};\nstruct Own { float v; };\ninline Own operator*(Own a, float s) { return "
              "{a.v * s}; }\n" HEAD
              "  Tile<4> t{};\n  y[0] = 0 * (t + t).v[0] + Tile<4>::width * 0 + (Own{1} * 0).v;\n" LOOP "}"},
        Idiom{"LocalTables", HEAD "  static constexpr float kWeights[] = {2, 0};\n  alignas(64) float block[256];\n  "
                                  "static const int kFour = 4;\n"
                                  "  for (int i = 0; i < n; ++i) { block[i % 256] = x[i]; y[i] = kWeights[0] * block[i "
                                  "% 256] + 0 * kFour; }\n}"},
        Idiom{"ComputedTable",
              "#include <array>\nstatic constexpr auto kSquares = [] { std::array<float, 256> t{}; for (int i = 0; i < "
              "256; ++i) t[i] = i * i; return t; }();\n" HEAD
              "for (int i = 0; i < n; ++i) y[i] = 2 * x[i] + 0 * kSquares[i & 255];\n}"},
        Idiom{
            "ComputedTableInLoops",
            "#include <array>\nstatic constexpr auto kT = [] { std::array<unsigned, 4096> t{}; for (unsigned i = 0; i "
            "< 4096; ++i) { unsigned b = 0; for (unsigned v = i; v; v &= v - 1) ++b; t[i] = b; } return t; }();\n" HEAD
            "for (int i = 0; i < n; ++i) y[i] = 2 * x[i] + 0 * kT[i & 255];\n}"},
        Idiom{"Goto", HEAD "  int i = 0;\nagain:\n  if (i < n) { y[i] = 2 * x[i]; ++i; goto again; }\n}"},
        Idiom{"ComputedGoto",
              HEAD "  static const void* const kGo[] = {&&odd, &&even};\n  goto *kGo[n & 1];\nodd:\neven:\n" LOOP "}"},
        Idiom{"OwnMacros",
              "#define TILE 8\n#define STEP(i) do { y[i] = 2 * x[i]; } while (0)\n#define PRAGMA(p) _Pragma(\"GCC "
              "ivdep\")\n" HEAD "  for (int i = 0; i < n; ++i) STEP(i);\n  y[0] += 0 * TILE;\n}\n#undef TILE\n#undef "
              "STEP\n#undef PRAGMA\n"},
        Idiom{"PastedNames",
              "#define V(k) float v##k = x[0] * k\n" HEAD "  V(1); V(2); y[0] = v1 + v2;\n" LOOP "}\n#undef V\n"},
        Idiom{"PragmasOnLoops", HEAD "#pragma STDC FP_CONTRACT ON\n#pragma GCC unroll 4\n#pragma GCC ivdep\n  " LOOP
                                     "#pragma omp simd\n  " LOOP "#pragma clang loop vectorize(enable)\n  " LOOP "}"},
        Idiom{"PragmasByCompiler", HEAD "#if defined(__clang__)\n#pragma clang loop unroll(full)\n#elif "
                                        "defined(__GNUC__)\n#pragma GCC unroll 8\n#endif\n  " LOOP "}"},
        Idiom{"PushedOptions",
              "#pragma GCC push_options\n#pragma GCC optimize(\"O3\", \"fast-math\")\n#pragma GCC "
              "target(\"sse2\")\n" HEAD LOOP "}\n#pragma GCC pop_options\n"},
        Idiom{"PushedDiagnostics",
              "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wunused\"\n" HEAD LOOP
              "}\n#pragma GCC diagnostic pop\n"},
        Idiom{"Attributes",
              "__attribute__((always_inline, hot)) static inline float a(float v) { return v; }\n[[gnu::noinline]] "
              "static float b(float v) { return v; }\n"
              "__attribute__((const)) static float c(float v) { return v; }\n[[nodiscard, maybe_unused]] static float "
              "d(float v) { return v; }\n"
              "__attribute__((__pure__, __flatten__)) static float e(float v) { "
              "return v; }\n"
              "struct __attribute__((packed, aligned(16))) P { char c; float v; "
              "};\n__attribute__((optimize(\"O3,unroll-loops\"), target_clones(\"avx2\", \"default\")))\n" HEAD
              "  for (int i = 0; i < n; ++i) { if (x[i] > 0) [[likely]] y[i] = a(b(c(d(e(2 * x[i]))))); else "
              "[[unlikely]] y[i] = 2 * x[i]; }\n}"},
        Idiom{"Restrict",
              "void f(const float* __restrict a, float* __restrict__ b, const int m) "
              "{ for (int i = 0; i < m; ++i) b[i] = 2 * a[i]; }"},
        Idiom{"Lambdas",
              "#include <functional>\n" HEAD "  auto at = [&](int i) -> float { return x[i]; };\n  auto twice2 = "
              "[](auto v) { return 2 * v; };\n  std::function<float(int)> fn = at;\n"
              "  for (int i = 0; i < n; ++i) y[i] = twice2(at(i));\n}"},
        Idiom{"OpenMp", HEAD "#pragma omp parallel for simd schedule(static) num_threads(4)\n  " LOOP "}"},
        Idiom{"Threads", "#include <thread>\n#include <vector>\n#include <atomic>\n" HEAD
                         "  std::vector<std::thread> pool;\n  std::atomic<int> next{0};\n"
                         "  for (int t = 0; t < 2; ++t) pool.emplace_back([&] { for (int i; (i = next++) < n;) y[i] = "
                         "2 * x[i]; });\n  for (auto& t : pool) t.join();\n}"},
        Idiom{"Futures", "#include <future>\n" HEAD
                         "  auto half = std::async(std::launch::async, [&] { for (int i = 0; i < n / 2; ++i) y[i] = 2 "
                         "* x[i]; });\n  for (int i = n / 2; i < n; ++i) y[i] = 2 * x[i];\n  half.get();\n}"},
        Idiom{"Alignment",
              "#include <cstdint>\n" HEAD
              "  char raw[4096 + 64];\n  auto* p = reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(raw) + "
              "63) & ~std::uintptr_t{63});\n  p[0] = 0;\n  float* q = nullptr;\n  (void)q;\n" LOOP "}"},
        Idiom{"LocalUsing",
              "#include <algorithm>\n" HEAD "  using namespace std;\n  using std::max;\n  namespace views = std;\n" LOOP
              "  y[0] = max(y[0], y[0]);\n}"},
        Idiom{"Assertions",
              "#include <cassert>\n" HEAD
              "  static_assert(sizeof(float) == 4, \"it's four\");\n  assert(n >= 0 && \"never \\\"less\\\"\");\n" LOOP
              "}"},
        Idiom{
            "Exceptions",
            "#include <stdexcept>\n" HEAD
            "  try { if (n < 0) throw std::invalid_argument(\"n\"); } catch (const std::exception&) { return; }\n" LOOP
            "}"},
        Idiom{"RandomNumbers",
              "#include <random>\n" HEAD "  std::mt19937 engine(42);\n  std::uniform_real_distribution<float> d(0, "
              "1);\n  y[0] = 0 * d(engine);\n" LOOP "}"},
        Idiom{"Digraphs",
              "void f(const float* x, float* y, int n) <% for (int i = 0; i < n; ++i) y<:i:> = 2 * x[i]; %>"},
        Idiom{"WindowsLines",
              "#include <cmath>\r\nvoid f(const float* x, float* y, int n) {\r\n  for (int i = 0; i < n; ++i)\r\n    "
              "y[i] = 2 * x[i];\r\n}\r\n"},
        Idiom{"Unreached", HEAD LOOP "#if 0\n  y[0] = nowhere;\n#endif\n}"},
        Idiom{"PromisedTypes",
              HEAD "  __int128 big = n;\n  _Float16 h = 1;\n  long double l = 2;\n  y[0] = 0 * static_cast<float>(big) "
                   "+ 0 * static_cast<float>(h) + 0 * static_cast<float>(l);\n" LOOP "}"},
        Idiom{"StatementExpressions", HEAD "  for (int i = 0; i < n; ++i) y[i] = ({ float t = x[i]; t + t; });\n  int "
                                           "k = n ?: 1;\n  float w[k];\n  w[0] = 0;\n  y[0] += w[0];\n}"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hone::frontend
