#include "tool/search/knowledge/shape.h"

#include <gtest/gtest.h>

#include "tool/search/knowledge/index_form.h"

namespace hone::search {
namespace {

using Terms = std::vector<IndexForm::Product>;

IndexForm form_of(
    const std::string& text, const IndexReader::Meaning& meaning = [](auto) { return std::nullopt; }) {
  const CodeText code(text);
  return IndexReader(code, meaning).read({0, code.tokens().size()});
}

Shape in_loops(const std::string& statement) {
  return shape_of("void f() { for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) " + statement + " }", false);
}

Shape of_threads(const std::string& statements) {
  return shape_of(
      "__global__ void f() { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; " + statements + " }",
      true);
}

TEST(IndexForm, WritesProductsOut) {
  EXPECT_EQ(form_of("(y + dy) * w + x - 1").terms, (Terms{{"-1", "1"}, {"dy", "w"}, {"w", "y"}, {"x"}}));
  EXPECT_EQ(form_of("(y + dy) * w + x").step_of("dy"), "w");
  EXPECT_EQ(form_of("(y + dy) * w + x").step_of("x"), "");
  EXPECT_EQ(form_of("(long long)row * w + c").step_of("row"), "w");
  EXPECT_EQ(form_of("(y + dy) * w").step_of("x"), std::nullopt);
}

TEST(IndexForm, KeepsWhatIsNoSumAsOneFactor) {
  const IndexForm form = form_of("x[i] >> 3");
  EXPECT_TRUE(form.looked_up);
  EXPECT_TRUE(form.names.contains("i"));
  EXPECT_EQ(form.step_of("i"), std::nullopt);
  EXPECT_EQ(form_of("index % size").terms, (Terms{{"index % size"}}));
}

TEST(IndexForm, EndsOnNamesWithinNames) {
  const std::string text = "a * a * a + b * b";
  const CodeText code(text);
  const IndexReader::Meaning endless = [&](std::string_view) { return TokenRange{0, code.tokens().size()}; };
  EXPECT_FALSE(IndexReader(code, endless).read({0, code.tokens().size()}).terms.empty());
}

TEST(Shape, TellsMatrixProductFromConvolution) {
  EXPECT_TRUE(in_loops("for (int k = 0; k < l; ++k) c[i * m + j] += a[i * l + k] * b[k * m + j];").matrix_product);
  EXPECT_TRUE(in_loops("for (int k = 0; k < l; ++k) c[i][j] += a[i][k] * b[k][j];").matrix_product);
  const Shape convolution = in_loops(
      "for (int y = 0; y < 5; ++y) for (int x = 0; x < 5; ++x) s += in[(i + y) * w + j + x] * weight[y * 5 + x];");
  EXPECT_TRUE(convolution.window);
  EXPECT_FALSE(in_loops("s += a[i * m + j] * x[j];").matrix_product) << "a matrix times a vector";
}

TEST(Shape, FindsGathersByNameOfIndex) {
  EXPECT_TRUE(in_loops("y[j] = x[index[j]];").gather);
  EXPECT_TRUE(in_loops("{ int at = index[j]; y[j] = x[at]; }").gather);
  EXPECT_FALSE(in_loops("y[j] = x[j];").gather);
}

TEST(Shape, FindsHistogramsHoweverTheyCount) {
  for (const char* count : {"++bins[x[j]];", "bins[x[j]]++;", "bins[x[j] >> 3] += 1;",
                            "{ int bin = x[j] / 8; bins[bin] = bins[bin] + 1; }"})
    EXPECT_TRUE(in_loops(count).histogram) << count;
  EXPECT_TRUE(of_threads("atomicAdd(&bins[x[i]], 1);").histogram);
  EXPECT_TRUE(of_threads("int bin = x[i] / 8; atomicAdd(bins + bin, 1);").histogram);
  EXPECT_FALSE(of_threads("atomicAdd(sum, x[i]);").histogram);
  EXPECT_TRUE(of_threads("atomicAdd(sum, x[i]);").atomic_sum);
}

TEST(Shape, TellsBordersFromChoicesByData) {
  EXPECT_TRUE(in_loops("if (j + 1 < m) y[j] = x[j + 1];").border);
  EXPECT_FALSE(in_loops("if (j + 1 < m) y[j] = x[j + 1];").choice);
  EXPECT_TRUE(in_loops("if (x[j] > t) y[j] = 0;").choice);
  EXPECT_TRUE(in_loops("{ float v = x[j]; y[j] = v > t ? v : t; }").choice);
}

TEST(Shape, FindsStridesOfLoopsAndThreads) {
  EXPECT_TRUE(in_loops("s += a[j * n + i];").strided);
  EXPECT_TRUE(in_loops("s += a[j][i];").strided);
  EXPECT_FALSE(in_loops("s += a[i * m + j];").strided);
  EXPECT_TRUE(of_threads("for (int c = 0; c < m; ++c) s += a[i * m + c];").strided) << "neighbours are a row apart";
  EXPECT_FALSE(of_threads("for (int c = 0; c < m; ++c) s += a[c * n + i];").strided);
}

TEST(Shape, FindsScansWhereRunningSumIsStored) {
  EXPECT_TRUE(in_loops("{ s += x[j]; y[j] = s; }").scan);
  EXPECT_TRUE(in_loops("{ y[j] = s; s += x[j]; }").scan) << "exclusive";
  EXPECT_FALSE(
      shape_of("for (int i = 0; i < n; ++i) { float s = 0; for (int j = 0; j < m; ++j) s += x[j]; y[i] = s; }", false)
          .scan);
}

TEST(Shape, CountsGridAsLoops) {
  EXPECT_EQ(of_threads("y[i] = x[i];").depth, 1u);
  EXPECT_EQ(of_threads("for (int c = 0; c < m; ++c) s += x[c];").depth, 2u);
  EXPECT_FALSE(of_threads("y[i] = a * x[i] + y[i];").sums()) << "each thread has its own element";
  EXPECT_TRUE(of_threads("while (r2 < 4) r2 = r2 * r2 + c;").uneven);
  EXPECT_TRUE(shape_of("void f() { for (int k = 0; k < n; ++k) step<<<1, 64>>>(x, k); }", true).launches_in_loop);
}

TEST(Shape, KeepsFunctionsApart) {
  const std::string head = "(float* x, float* y) { int i = threadIdx.x; ";
  const Shape shape =
      shape_of("__global__ void f" + head + "y[i] = x[i]; } __global__ void g" + head + "y[i] = x[i + 1]; }", true);
  EXPECT_FALSE(shape.window);
  EXPECT_TRUE(shape.copy);
}

TEST(Shape, TakesAnyText) {
  for (const char* text :
       {"", "for (", "for (int i = 0; i < n; ++i) x[i", "if (a[", "} ] )", "x = = ; y[ = 3", "for () ;",
        "while (x) { a[b[c[d[e]]]] += ", "atomicAdd(", "?", "[0] = threadIdx.x; [1] = [1] + 2"})
    shape_of(text, true), shape_of(text, false);
}

}  // namespace
}  // namespace hone::search
