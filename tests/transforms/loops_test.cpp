#include <gtest/gtest.h>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

const Snippet gemm{
    R"(void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float s = 0;
      for (int k = 0; k < K; ++k) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    }
})",
    "auto a = numbers<float>(n * 9), b = numbers<float>(9 * (n + 3)), c = numbers<float>(n * (n + 3));"
    "kernel(a.data(), b.data(), c.data(), n, n + 3, 9); keep(c);"};

// The same with other habits: size_t, <=, +=1, C-style counters, braces everywhere, work around the inner loop.
const Snippet odd_gemm{
    R"(void kernel(const double *__restrict left, const double *right, double *out, size_t rows, size_t cols, size_t depth, double alpha) {
  size_t r, c, d;
  for (r = 0; r != rows; r++) {
    for (c = 0; c < cols; c += 1) {
      double total = 0.0, seen = 0.0;
      const double *row = left + r * depth;
      for (d = 0; d + 1 <= depth; d++) {
        if (row[d] > 0) { total += row[d] * right[d * cols + c]; }
        seen = seen + 1;
      }
      if (seen > 4) out[r * cols + c] = alpha * total;
      else out[r * cols + c] += total;
    }
  }
})",
    "auto a = numbers<double>(n * 5), b = numbers<double>(5 * (n + 1)), c = numbers<double>(n * (n + 1));"
    "kernel(a.data(), b.data(), c.data(), n, n + 1, 5, 0.5); keep(c);",
    "#include <cstddef>\nusing std::size_t;\n"};

const Snippet transposed_product{
    R"(void kernel(const float* A, const float* x, float* y, int m, int n) {
  for (int j = 0; j <= n - 1; ++j) {
    y[j] = 0.f;
    for (int i = 0; i < m; i++)
      y[j] += A[i * n + j] * x[i];
  }
})",
    "auto a = numbers<float>((n + 2) * n), x = numbers<float>(n + 2), y = numbers<float>(n);"
    "kernel(a.data(), x.data(), y.data(), n + 2, n); keep(y);"};

const Snippet transpose{
    R"(void kernel(const int* in, int* out, long rows, long cols) {
  for (long i = 0; i < rows; ++i) { for (long j = 0; j < cols; ++j) { out[j * rows + i] = in[i * cols + j]; } }
})",
    "auto a = numbers<int>(n * (n + 5)), b = numbers<int>(n * (n + 5)); kernel(a.data(), b.data(), n, n + 5); "
    "keep(b);"};

const Snippet blur{
    R"(void kernel(const unsigned char* src, unsigned char* dst, int w, int h) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int sum = 0, count = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          int yy = y + dy, xx = x + dx;
          if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
          sum += src[yy * w + xx];
          ++count;
        }
      dst[y * w + x] = (unsigned char)(sum / count);
    }
})",
    "auto a = numbers<unsigned char>(n * (n + 1)), b = numbers<unsigned char>(n * (n + 1));"
    "kernel(a.data(), b.data(), n, n + 1); keep(b);"};

TEST(VectoriseOuter, GivesEachLaneItsOwnAccumulator) {
  Workbench bench(gemm);
  EXPECT_EQ(bench.difference(bench.apply({{"vectorise_outer", 1, {16}}})), "");
}

TEST(VectoriseOuter, VectorizesOutermostLoop) {
  Workbench bench(gemm);
  EXPECT_EQ(bench.difference(bench.apply({{"vectorise_outer", 0, {8}}})), "");
}

TEST(VectoriseOuter, HandlesUnusualLoopHeaders) {
  Workbench bench(odd_gemm);
  EXPECT_EQ(bench.difference(bench.apply({{"vectorise_outer", 1, {4}}})), "");
}

TEST(UnrollJam, MakesRegisterBlocksOfLanes) {
  Workbench bench(gemm);
  EXPECT_EQ(bench.difference(bench.apply({{"vectorise_outer", 1, {16}}, {"unroll_jam", 0, {4}}})), "");
}

TEST(UnrollJam, RenamesLocalsOfEachCopy) {
  Workbench bench(odd_gemm);
  EXPECT_EQ(bench.difference(bench.apply({{"unroll_jam", 0, {3}}})), "");
}

TEST(Interchange, KeepsScalarInItsFinalMemory) {
  Workbench bench(gemm);
  EXPECT_EQ(bench.difference(bench.apply({{"interchange", 1, {}}})), "");
}

TEST(Interchange, SplitsOffInitializationOfMemoryAccumulator) {
  Workbench bench(transposed_product);
  EXPECT_EQ(bench.difference(bench.apply({{"interchange", 0, {}}})), "");
}

TEST(PromoteScalar, ReplacesMemoryAccumulator) {
  Workbench bench(transposed_product);
  EXPECT_EQ(bench.difference(bench.apply({{"promote_scalar", 0, {}}})), "");
}

TEST(PromoteScalar, AllowsVectorizationAfterwards) {
  Workbench bench(transposed_product);
  EXPECT_EQ(bench.difference(bench.apply({{"promote_scalar", 0, {}}, {"vectorise_outer", 0, {16}}})), "");
}

TEST(Tile, CoversEveryIterationOnce) {
  Workbench bench(transpose);
  EXPECT_EQ(bench.difference(bench.apply({{"tile", 0, {16}}})), "");
  EXPECT_EQ(bench.difference(bench.apply({{"tile_nest", 0, {8, 32}}})), "");
  EXPECT_EQ(bench.difference(bench.apply({{"interchange", 0, {}}, {"tile_nest", 0, {5, 7}}})), "");
}

TEST(SplitIndex, RemovesBorderTestsFromInterior) {
  Workbench bench(blur);
  std::string candidate = bench.apply({{"split_index", 0, {}}});
  EXPECT_EQ(bench.difference(candidate), "");
  EXPECT_NE(candidate.find("y_first"), std::string::npos);
}

TEST(SplitIndex, WorksAfterFullUnroll) {
  Workbench bench(blur);
  EXPECT_EQ(bench.difference(bench.apply({{"unroll_full", 0, {}}, {"split_index", 0, {}}})), "");
}

TEST(SplitIndex, ResolvesClampsAndSelects) {
  Workbench bench({R"(void kernel(const float* in, float* out, int w, int h) {
  for (int row = 0; row < h; ++row) {
    const int up = std::max(row - 2, 0), down = row + 2 > h - 1 ? h - 1 : row + 2;
    for (int col = 0; col < w; ++col) {
      int left = col > 0 ? col - 1 : 0;
      int right = std::min(col + 1, w - 1);
      out[row * w + col] = in[up * w + left] + in[down * w + right];
      if (col == 0) out[row * w + col] += 7;
      else if (!(col < w - 1)) out[row * w + col] -= 7;
    }
  }
})",
                   "auto a = numbers<float>(n * (n + 4)), b = a; kernel(a.data(), b.data(), n + 4, n); keep(b);",
                   "#include <algorithm>\n"});
  std::string candidate = bench.apply({{"split_index", 0, {}}});
  EXPECT_EQ(bench.difference(candidate), "");
}

TEST(SplitIndex, RespectsWrappingOfUnsignedOffsets) {
  Workbench bench({R"(void kernel(const int* in, int* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    int s = 0;
    for (int d = -2; d <= 2; ++d) { unsigned at = i + d; if (at < n) s += in[at]; }
    out[i] = s;
  }
})",
                   "auto a = numbers<int>(n), b = numbers<int>(n); kernel(a.data(), b.data(), n); keep(b);"});
  EXPECT_EQ(bench.difference(bench.apply({{"split_index", 0, {}}})), "");
}

const Snippet normalize{
    R"(void kernel(const float* x, const float* scale, float* y, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = 0; c < cols; ++c) { float d = x[r * cols + c] - scale[1]; sum += d * d; }
    for (int c = 0; c < cols; ++c) y[r * cols + c] = x[r * cols + c] / std::sqrt(sum + 1e-5f) * scale[0];
    for (int c = 0; c < cols; ++c) { float& v = y[r * cols + c]; v = v > 1 ? 1 : v; }
  }
})",
    "auto x = numbers<float>(n * (n + 1)), s = numbers<float>(2), y = x; kernel(x.data(), s.data(), y.data(), n, n + "
    "1); keep(y);",
    "#include <cmath>\n"};

TEST(Hoist, ComputesRootsAndLoadsOnce) {
  Workbench bench(normalize);
  std::string candidate = bench.apply({{"hoist", 0, {}}, {"hoist", 0, {}}});
  EXPECT_EQ(bench.difference(candidate), "");
  EXPECT_NE(candidate.find(" = std::sqrt(sum + 1e-5f);"), std::string::npos) << candidate;
}

TEST(Hoist, LeavesWhatAssemblyChanges) {
  const auto sites = [](const std::string& statement) {
    Workbench bench(
        {"void kernel(const float* x, float* y, int n) {\n  int d = n + 1;\n"
         "  for (int i = 0; i < n; ++i) {\n    y[i] = x[i] + 1000 / d;\n    " +
             statement + "\n  }\n}",
         "auto x = numbers<float>(n), y = x; kernel(x.data(), y.data(), n); keep(y);"});
    const Catalog catalog = bench.workshop().survey();
    return std::ranges::count(catalog.transforms, "hoist", &TransformSite::transform);
  };
  EXPECT_EQ(sites(";"), 1);
  EXPECT_EQ(sites("asm(\"\" : \"+r\"(d));"), 0);
}

TEST(Fusion, JoinsLoopsOverTheSameRange) {
  Workbench bench(normalize);
  EXPECT_EQ(bench.difference(bench.apply({{"fusion", 1, {}}})), "");
}

TEST(Fission, PassesLocalsInArrays) {
  Workbench bench({R"(struct Body { float x, y, m; };
void kernel(Body* bodies, const float* f, int* near, int count) {
  for (int i = 2; i <= count; i++) {
    Body& b = bodies[i - 2];
    float dx = f[i - 2] * 2, dy = std::fabs(f[i - 1]);
    b.x += dx;
    float d2 = dx * dx + dy * dy;
    if (d2 > 30) { b.m = std::sqrt(d2); near[i - 2] = 0; }
    else near[i - 2] += i;
    b.y -= dy * b.m;
  }
})",
                   "auto f = numbers<float>(n + 1); std::vector<Body> b(n); auto near = numbers<int>(n);"
                   "for (int i = 0; i < n; ++i) b[i] = {f[i], 1, f[i] * f[i]};"
                   "kernel(b.data(), f.data(), near.data(), n + 1); keep(near);"
                   "for (auto& v : b) keep(std::vector<float>{v.x, v.y, v.m});",
                   "#include <cmath>\n"});
  EXPECT_EQ(bench.difference(bench.apply({{"fission", 0, {16}}})), "");
}

TEST(Fission, KeepsTogetherWhatIterationsHandOn) {
  Workbench state({R"(void kernel(const float* x, float* y, float* z, int n) {
  float s = 1;
  for (int i = 0; i < n; ++i) {
    s = s * 0.5f + x[i];
    y[i] = s;
    z[i] = x[i] * 2;
  }
})",
                   "auto x = numbers<float>(n), y = numbers<float>(n), z = numbers<float>(n);"
                   "kernel(x.data(), y.data(), z.data(), n); keep(y); keep(z);"});
  EXPECT_EQ(state.difference(state.apply({{"fission", 0, {16}}})), "");
  Workbench memory({R"(void kernel(const float* x, float* y, float* z, int n) {
  for (int i = 1; i < n; ++i) {
    y[i] = x[i] + z[i - 1];
    z[i] = y[i] * 0.5f;
    y[i - 1] += x[i] * 2;
  }
})",
                    "auto x = numbers<float>(n), y = numbers<float>(n), z = numbers<float>(n);"
                    "kernel(x.data(), y.data(), z.data(), n); keep(y); keep(z);"});
  EXPECT_EQ(memory.difference(memory.apply({{"fission", 0, {16}}})), "");
}

TEST(Fission, LeavesLoopWhoseStatementsAllShareState) {
  Workbench bench(
      {"void kernel(const float* x, float* y, int n) { float s = 1; for (int i = 0; i < n; ++i) "
       "{ s = s * 0.5f + x[i]; y[i] = s; } }",
       "auto x = numbers<float>(n), y = numbers<float>(n); kernel(x.data(), y.data(), n); keep(y);"});
  EXPECT_TRUE(bench.workshop().render({{"fission", 0, {16}}}).applied.empty());
}

TEST(Unroll, CopiesBodyWithContinue) {
  Workbench bench(
      {R"(int kernel(const int* a, int* out, long n) {
  int last = -1;
  for (long i = 0; i < n; i += 3) {
    if (a[i] < 0) continue;
    last = a[i];
    out[i] = last + (int)i;
  }
  return last;
})",
       "auto a = numbers<int>(n), b = numbers<int>(n); b.push_back(kernel(a.data(), b.data(), n)); keep(b);"});
  EXPECT_EQ(bench.difference(bench.apply({{"unroll", 0, {4}}})), "");
}

// Evolution strings genes together as it likes: what comes out must compile and be defined, whatever it computes.
TEST(Workshop, KeepsLongGenomesCompilable) {
  Workbench bench(odd_gemm);
  Rendered rendered = bench.workshop().render({{"unroll", 0, {2}},
                                               {"tile_nest", 7, {}},
                                               {"vectorise_outer", 1, {8, 3}},
                                               {"no_such_gene", 0, {}},
                                               {"unroll_jam", 0, {-5}},
                                               {"split_index", 0, {}},
                                               {"hoist", 1, {}},
                                               {"fission", 0, {}}});
  EXPECT_GE(rendered.applied.size(), 2u);
  EXPECT_EQ(bench.difference(rendered.source), "");
}

TEST(Workshop, RendersSameGenomeToSameText) {
  Workbench one(gemm), two(gemm);
  Genome genome{{"vectorise_outer", 1, {32}}, {"unroll_jam", 0, {8}}};
  two.apply({{"interchange", 1, {}}});
  EXPECT_EQ(one.apply(genome), two.apply(genome));
}

TEST(Workshop, SurveysSitesOfOriginal) {
  Workbench bench(blur);
  Catalog catalog = bench.workshop().survey();
  unsigned splits = 0;
  for (const TransformSite& site : catalog.transforms)
    if (site.transform == "split_index") splits = site.sites;
  EXPECT_EQ(splits, 2u);
  EXPECT_FALSE(catalog.recipes.empty());
}

TEST(LoopTransforms, KeepResultWhenMacrosHideMovedCode) {
  Workbench bench({R"(void kernel(const float* a, float* y, int n) {
  for (int j = 0; j < n; ++j) {
    float s = 0;
    for (int i = 0; i < ROWS; ++i) s += AT(a, i, j);
    y[j] = s;
  }
})",
                   "auto a = numbers<float>(6 * n), y = numbers<float>(n); kernel(a.data(), y.data(), n); keep(y);",
                   "#define ROWS 6\n#define AT(m, r, c) m[(r) * n + (c)]\n"});
  EXPECT_EQ(bench.difference(bench.apply({{"vectorise_outer", 0, {8}}})), "");
  EXPECT_EQ(bench.difference(bench.workshop().render({{"unroll_jam", 0, {4}}}).source), "");
}

}  // namespace
}  // namespace hone::frontend
