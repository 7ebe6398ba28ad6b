// What a kernel calls, in place of the calls: it computes the same, and what cannot be put there stays a call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/transforms/workbench.h"
#include "tool/os/files/files.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::Not;

const Gene inline_calls{"inline_calls", 0, {}};

const std::string headers = "#include <cmath>\n#include <cstddef>\n#include <vector>\n";

// The kernel with `levels` functions put in, one after the other.
std::string inlined(Workbench& bench, std::size_t levels = 1) {
  return bench.apply(Genome(levels, inline_calls));
}

bool stays_a_call(const Snippet& snippet) {
  return Workbench(snippet).workshop().render({inline_calls}).applied.empty();
}

// A kernel that calls f(x[i], i), which is written in `callee`.
Snippet calling(const std::string& callee) {
  return {"void kernel(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = f(x[i], i);\n}",
          "auto x = numbers<float>(n), y = numbers<float>(n); kernel(x.data(), y.data(), n); keep(y);",
          headers + callee};
}

TEST(InlineCalls, PutPixelFunctionIntoItsStatement) {
  Workbench bench(calling("static float f(float v, int i) { return v * 2 + i; }"));
  const std::string text = inlined(bench);
  EXPECT_THAT(text, HasSubstr("y[i] = (x[i] * 2 + i);"));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, ConvertArgumentsAndValueAsCallDoes) {
  Workbench bench({R"(void kernel(const double* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = half(x[i]) / 4 + wrapped(i * 100) + half(7);
})",
                   "auto x = numbers<double>(n); auto y = numbers<float>(n);"
                   "kernel(x.data(), y.data(), n); keep(y);",
                   headers + "static int half(int v) { return v / 2; }\n"
                             "static unsigned char wrapped(int v) { return v + 200; }\n"});
  EXPECT_EQ(bench.difference(inlined(bench, 2)), "");
}

TEST(InlineCalls, EvaluateArgumentsOnce) {
  Workbench bench({R"(void kernel(const float* x, float* y, int n) {
  int k = 0;
  while (k < n) {
    const int at = k;
    y[at] = cube(x[k++]);
  }
})",
                   "auto x = numbers<float>(n), y = numbers<float>(n); kernel(x.data(), y.data(), n); keep(y);",
                   headers + "inline float cube(float v) { return v * v * v; }"});
  const std::string text = inlined(bench);
  EXPECT_THAT(text, HasSubstr("const float v = x[k++];"));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, TurnRowFunctionIntoLoopOverWholeArray) {
  Workbench bench(
      {R"(void kernel(const float* in, float* out, int w, int h) {
  for (int r = 0; r < h; ++r) smooth_row(in + r * w, &out[r * w], w);
})",
       "auto a = numbers<float>(n * 5), b = numbers<float>(n * 5); kernel(a.data(), b.data(), n, 5); keep(b);",
       headers + R"(static void smooth_row(const float* row, float* to, int n) {
  if (n < 1) return;
  *to = row[0];
  for (int i = 1; i < n - 1; ++i) to[i] = (row[i - 1] + row[i] + row[i + 1]) / 3;
  to[n - 1] = row[n - 1];
})"});
  const std::string text = inlined(bench);
  EXPECT_THAT(text, HasSubstr("(in[r * w + i - 1] + in[r * w + i] + in[r * w + i + 1]) / 3;"));
  EXPECT_THAT(text, HasSubstr("out[r * w] = in[r * w];"));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, TakeFunctionsOfHeaders) {
  const auto folder = os::TemporaryFolder::create("hone-header").value();
  const std::string header = (folder.path() / "rows.h").string();
  std::ofstream(header) << R"(#pragma once
#define ROWS_INLINE static inline
#define SQUARE(a) ((a) * (a))
namespace rows {
constexpr float weight = 2;
ROWS_INLINE float squares(const float* v, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += SQUARE(v[i]) * weight;
  return sum;
}
})";
  Workbench bench({R"(void kernel(const float* x, float* y, int w, int h) {
  for (int r = 0; r < h; ++r) y[r] = rows::squares(x + r * w, w);
})",
                   "auto x = numbers<float>(n * 3), y = numbers<float>(n); kernel(x.data(), y.data(), 3, n); keep(y);",
                   headers + "#include \"" + header + "\"\n"});
  const std::string text = inlined(bench);
  EXPECT_THAT(text, HasSubstr("SQUARE(x[r * w + i]) * ::rows::weight"));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, DoNotAddIndicesThatWrapAround) {
  Workbench bench({R"(void kernel(const float* in, float* out, unsigned n) {
  for (unsigned r = 1; r < n; ++r) out[r] = before(in + r);
})",
                   "auto a = numbers<float>(n + 1), b = numbers<float>(n + 1); kernel(a.data(), b.data(), n); keep(b);",
                   headers + "static float before(const float* at) { return at[-1] + at[0]; }"});
  const std::string text = inlined(bench);
  EXPECT_THAT(text, HasSubstr("(in + r)[-1]"));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, KeepNamesThatClashApart) {
  Workbench bench({R"(void kernel(const float* x, float* y, int n) {
  float sum = 0, scale = 3;
  for (int i = 0; i < n; ++i) {
    const float v = f(x, n - i) + scale;
    sum += v;
    y[i] = sum;
  }
})",
                   "auto x = numbers<float>(n), y = numbers<float>(n); kernel(x.data(), y.data(), n); keep(y);",
                   headers + R"(static float scale = 0.5f;
static float f(const float* v, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) { float y = v[i] * scale; for (int i = 0; i < 2; ++i) y += i; sum += y; }
  return sum;
})"});
  const std::string text = inlined(bench);
  EXPECT_THAT(text, HasSubstr("::scale"));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, FindNamesOfOtherNamespaces) {
  Workbench bench(
      {"void kernel(const float* x, float* y, int n) {\n"
       "  for (int i = 0; i < n; ++i) y[i] = image::lit(x[i], image::strong);\n}",
       "auto x = numbers<float>(n), y = numbers<float>(n); kernel(x.data(), y.data(), n); keep(y);",
       headers + R"(static float gain(float) { return 0; }
namespace image {
namespace { constexpr float shift = 2; float gain(float v) { return v * 3; } }
using real = float;
enum Mode { weak, strong };
struct Light { real by; };
inline real lit(float v, Mode mode) {
  const Light light{gain(v)};
  if (mode == weak) return v;
  const real sum = light.by + shift;
  return std::sqrt(sum * sum) + real(mode);
}
})"});
  const std::string text = inlined(bench);
  EXPECT_THAT(text, HasSubstr("::image::gain"));
  EXPECT_THAT(text, Not(HasSubstr("image::lit")));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, TakeElementAccessOfClasses) {
  Workbench bench({R"(void kernel(const Grid& a, Grid& b, float* y, int n) {
  for (int j = 1; j < n; ++j)
    for (int i = 0; i < 3; ++i) b(i, j) = a(i, j - 1) * 2 + a[j * 3 + i] + b.cells[i];
  for (int i = 0; i < n; ++i) y[i] = b(i % 3, i) + a[i];
})",
                   "Grid a{3, numbers<float>(3 * n + 3)}, b{3, numbers<float>(3 * n + 3)}; auto y = numbers<float>(n);"
                   "kernel(a, b, y.data(), n); keep(y); keep(b.cells);",
                   headers + R"(struct Grid {
  int width;
  std::vector<float> cells;
  std::size_t at(int i, int j) const { return std::size_t(j) * width + i; }
  float operator()(int i, int j) const { return cells[at(i, j)]; }
  float& operator()(int i, int j) { return cells[at(i, j)]; }
  float operator[](int k) const { return cells[k]; }
};
)"});
  const std::string text = inlined(bench, 5);
  EXPECT_THAT(text, HasSubstr("a.cells[(std::size_t((j - 1)) * a.width + i)]"));
  for (const char* call : {"a(", "b(", "a[", "at("}) EXPECT_THAT(text, Not(HasSubstr(call)));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, CloseSeveralReturns) {
  Workbench bench({R"(void kernel(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = chain(x[i], i);
    y[i] += nested(x[i], i);
    y[i] += block(x[i], i) * 2;
    y[i] -= partly(x[i], i);
    y[i] += choice(x[i], i);
    touch(y, i);
  }
})",
                   "auto x = numbers<float>(n), y = numbers<float>(n); kernel(x.data(), y.data(), n); keep(y);",
                   headers + R"(
static float chain(float v, int i) { if (v < 0) return -v; if (v > 5) { v -= 5; return v * i; } return v; }
static float nested(float v, int i) {
  if (v < 0) { return 1; } else if (v < 3) { if (i % 2) return 2; else return 3; } else { v += 1; }
  return v;
}
static float block(float v, int i) { { if (i == 3) { return 9; } } float w = v; w += i; if (w > 4) return w; return 0; }
static float partly(float v, int i) { if (v > 1) { if (i & 1) return v; v = 2; } return v + i; }
static float choice(float v, int i) { switch (i & 3) { case 0: v = 1; break; case 1: v += 2; } return v; }
static void touch(float* y, int i) { if (i == 2) return; if (y[i] > 3) { y[i] = 3; return; } y[i] += 1; }
)"});
  EXPECT_EQ(bench.difference(inlined(bench, 6)), "");
}

TEST(InlineCalls, KeepReturnsWhereKernelReturnsValueToo) {
  Workbench bench({"int kernel(const float* x, int n) { return find(x, n, 3.f); }",
                   "auto x = numbers<float>(n); keep(std::vector<int>{kernel(x.data(), n)});",
                   headers + "static int find(const float* v, int n, float what) {\n"
                             "  for (int i = 0; i < n; ++i) if (v[i] > what) return i;\n  return -1;\n}"});
  const std::string text = inlined(bench);
  EXPECT_THAT(text, HasSubstr("return i;"));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, GoThroughSeveralLevels) {
  Workbench bench({"void kernel(const float* x, float* y, int n) { all(x, y, n); }",
                   "auto x = numbers<float>(n), y = numbers<float>(n); kernel(x.data(), y.data(), n); keep(y);",
                   headers + R"(static inline float one(float v, float low) { return v < low ? low : v; }
static float two(const float* v, int i) { float s = one(v[i], -2) * one(v[i] + 1, 3); return one(s, one(s, 1)); }
static void all(const float* v, float* to, int n) { for (int i = 0; i < n; ++i) to[i] = two(v, i); })"});
  const std::string text = inlined(bench, 4);
  EXPECT_THAT(text, Not(HasSubstr("one(")));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, WriteThroughReferencesAndAddresses) {
  Workbench bench({R"(void kernel(const float* x, float* y, int n) {
  float low = 0, high = 0; Range range{0, 0};
  for (int i = 0; i < n; ++i) { widen(x[i], low, &high, &range); swap_two(y[i], low); }
  y[n] = low + high + range.least + range.most;
})",
                   "auto x = numbers<float>(n), y = numbers<float>(n + 1); kernel(x.data(), y.data(), n); keep(y);",
                   headers + R"(struct Range { float least, most; };
inline void widen(const float& v, float& low, float* high, Range* range) {
  if (v < low) low = v;
  if (v > *high) *high = v;
  range->most = *high; range->least = low;
}
inline void swap_two(float& a, float& b) { const float t = a; a = b; b = t; })"});
  const std::string text = inlined(bench, 2);
  EXPECT_THAT(text, HasSubstr("range.most = high;"));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, ReachMembersOfOwnAndOtherObjects) {
  Workbench bench({R"(void kernel(Mixer* mixer, Mixer& other, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float gain = mixer->weighted(y[i]);
    y[i] = gain + other.weighted(1);
    mixer->add(y[i]);
  }
})",
                   "Mixer a{2, 0}, b{3, 1}; auto y = numbers<float>(n); kernel(&a, b, y.data(), n); keep(y);"
                   "keep(std::vector<float>{a.total});",
                   headers + "struct Mixer {\n  float gain, total;\n"
                             "  float weighted(float v) const { return this->gain * v + bias(); }\n"
                             "  static float bias() { return 0.5f; }\n"
                             "  void add(float v) { total += v; }\n};\n"});
  const std::string text = inlined(bench, 3);
  EXPECT_THAT(text, HasSubstr("other.gain"));
  EXPECT_THAT(text, HasSubstr("mixer->total += v;"));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, WriteArgumentsOfTemplates) {
  Workbench bench(
      {"void kernel(const float* x, float* y, int n) {\n"
       "  for (int i = 0; i < n; ++i) y[i] = sum<3>(x + i) + mean<float>(x[i], y[i]);\n}",
       "auto x = numbers<float>(n + 3), y = numbers<float>(n); kernel(x.data(), y.data(), n); keep(y);",
       headers + "template <int Count, class T> T sum(const T* v) {\n"
                 "  T all = 0; for (int k = 0; k < Count; ++k) all += v[k]; return all;\n}\n"
                 "template <class T> T mean(T a, T b) { return T(a + b) / 2; }"});
  const std::string text = inlined(bench, 2);
  EXPECT_THAT(text, HasSubstr("k < 3"));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, TakeConditionsOfLoopsAsExpressions) {
  Workbench bench(
      {"void kernel(const float* x, float* y, int n) {\n"
       "  int i = 0;\n  while (inside(i, n) && small(x[i])) { y[i] = x[i]; ++i; }\n"
       "  for (; inside(i, n); ++i) y[i] = i % 2 || big(y[i]) ? 1 : 2;\n}",
       "auto x = numbers<float>(n), y = numbers<float>(n); kernel(x.data(), y.data(), n); keep(y);",
       headers + "static bool inside(int i, int n) { return i >= 0 && i < n; }\n"
                 "static bool small(float v) { return v < 9; }\n"
                 "static bool big(float v) { if (v > 3) return true; return v < -3; }"});
  const std::string text = inlined(bench, 2);
  EXPECT_THAT(text, HasSubstr("while ((i >= 0 && i < n) && (x[i] < 9))"));
  EXPECT_THAT(text, HasSubstr("big(y[i])"));
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, LeaveOrderOfEffects) {
  Workbench bench({R"(void kernel(float* y, int n) {
  int k = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = (bump(&k), k) + bump(&k) * 2;
    if (i > 2 && bump(&k) % 2) y[i] += 1;
    else if (bump(&k) % 3) y[i] += bump(&k) ? 5 : k;
  }
})",
                   "auto y = numbers<float>(n); kernel(y.data(), n); keep(y);",
                   headers + "static int bump(int* k) { *k += 3; return *k; }"});
  const std::string text = bench.workshop().render({inline_calls, inline_calls}).source;
  EXPECT_EQ(bench.difference(text), "");
}

TEST(InlineCalls, UseMacrosThatAreStillTheSame) {
  Workbench bench(
      calling("#define TWICE(a) ((a) + (a))\n#define PI 3.0f\n#define FAST static inline\n"
              "FAST float f(float v, int i) { return TWICE(v) * PI + i; }"));
  EXPECT_EQ(bench.difference(inlined(bench)), "");
  EXPECT_TRUE(
      stays_a_call(calling("#define ADD(a) ((a) + 1)\nstatic float f(float v, int) { return ADD(v); }\n"
                           "#undef ADD\n#define ADD(a) ((a) + 2)")));
  EXPECT_TRUE(stays_a_call(calling("#define NEXT v + 1\nstatic float f(float v, int) { return NEXT; }")));
  EXPECT_TRUE(stays_a_call(calling("static float f(float v, int) { return v * __LINE__; }")));
}

TEST(InlineCalls, WriteBranchesThatAreTaken) {
  for (const char* callee : {
           "static float f(float v, int i) {\n#ifdef FAST\n  return FAST(v);\n#endif\n  return v + i;\n}",
           "static float f(float v, int i) {\n#if 1\n#ifndef FAST  // as here\n  v *= 2;\n#else\n  if (i) {\n#endif\n"
           "#elif defined(OTHER)\n  }\n#endif\n  return v + i;\n}",
       }) {
    Workbench bench(calling(callee));
    const std::string text = inlined(bench);
    EXPECT_EQ(bench.difference(text), "") << text;
    EXPECT_THAT(text, Not(HasSubstr("FAST"))) << text;
  }
}

TEST(InlineCalls, RefuseWhatMeansSomethingElseElsewhere) {
  for (const char* callee : {
           "static float f(float v, int i) { return i > 0 ? f(v, i - 1) : v; }",
           "float g(float, int); static float f(float v, int i) { return i ? g(v, i - 1) : v; }\n"
           "float g(float v, int i) { return f(v, i); }",
           "static float f(float v, ...) { return v; }",
           "static float f(float v, int i) { if (i > 3) goto out; v += 1; out: return v; }",
           "static float f(float v, int i) { static int calls = 0; return v + ++calls * i; }",
           "static float f(float v, int i) { for (int k = 0; k < 3; ++k) if (k == i) return v; return 2; }",
           "static float f(float v, int i) { switch (i) { case 1: return v; } return 2; }",
           "static float f(float v, int) { return v + sizeof(__func__); }",
           "static float f(float v, int) { asm(\"\" : \"+r\"(v)); return v; }",
           "static float f(float v, int) { auto g = [&] { return v; }; return g(); }",
           "__attribute__((target(\"avx2\"))) static float f(float v, int) { return v; }",
           "__attribute__((weak)) float f(float v, int) { return v; }",
           "__attribute__((optimize(\"O0\"))) static float f(float v, int) { return v; }",
           "float f(float v, int);",
           "static float f(float v, int) noexcept { if (v > 1e9f) throw 1; return v; }",
           "static float f(float v, int i) {\n#define HALF 0.5f\n  return v * HALF + i;\n}",
           "struct S { virtual float at(float v, int i) { return v + i; } };\n"
           "static S* object; static float f(float v, int i);",
       })
    EXPECT_TRUE(stays_a_call(calling(callee))) << callee;
}

TEST(InlineCalls, RefuseVirtualCallsAndLongFunctions) {
  const std::string drive = "";
  EXPECT_TRUE(stays_a_call({"float kernel(S* s, float v) { return s->at(v); }", drive,
                            "struct S { virtual float at(float v) { return v + 1; } };"}));
  EXPECT_FALSE(stays_a_call({"float kernel(S* s, float v) { return s->at(v); }", drive,
                             "struct S final { virtual float at(float v) { return v + 1; } };"}));
  std::string body;
  for (int i = 0; i < 400; ++i) body += "v = v * 3 + " + std::to_string(i) + ";";
  EXPECT_TRUE(stays_a_call(calling("static float f(float v, int) { " + body + " return v; }")));
}

TEST(InlineCalls, LetRecipesSeeLoopsOfThinWrapper) {
  Workbench bench({"void kernel(const float* m, float* sums, int rows, int cols) { column_sums(m, sums, rows, cols); }",
                   "auto m = numbers<float>(n * 9), s = numbers<float>(n); kernel(m.data(), s.data(), 9, n); keep(s);",
                   headers + "static void column_sums(const float* m, float* sums, int rows, int cols) {\n"
                             "  for (int c = 0; c < cols; ++c) {\n    sums[c] = 0;\n"
                             "    for (int r = 0; r < rows; ++r) sums[c] += m[r * cols + c];\n  }\n}"});
  const Catalog catalog = bench.workshop().survey();
  const auto has = [&](const char* name) {
    return std::ranges::count(catalog.transforms, name, &TransformSite::transform) == 1;
  };
  EXPECT_TRUE(has("interchange") && has("vectorise_outer") && has("inline_calls"));
  ASSERT_GE(catalog.recipes.front().size(), 2u);
  EXPECT_EQ(catalog.recipes.front().front().transform, "inline_calls");
  EXPECT_EQ(bench.difference(bench.apply(catalog.recipes.front()), 1e-5), "");
}

}  // namespace
}  // namespace hone::frontend
