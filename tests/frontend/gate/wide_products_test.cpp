// Products that a candidate computes in 32 bits, and its annotation in 64.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/cuda_kernels.h"
#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/policy_gate.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;

// Rows of `columns` elements are doubled, one at a time.
std::string doubled(const std::string& row) {
  return "void twice(const float* x, float* y, int rows, int columns) {\n  for (int r = 0; r < rows; ++r) {\n    " +
         row + "\n  }\n}\n";
}
const std::string wide_row =
    "for (int c = 0; c < columns; ++c) y[(size_t)r * columns + c] = 2 * x[(size_t)r * columns + c];";

std::string check(const std::string& candidate_row, const std::string& original_row = wide_row,
                  const std::string& elements = "(size_t)rows*columns", const std::string& clauses = "") {
  const Snippet snippet("#include <algorithm>\n#include <cstddef>\n#pragma hone kernel in(x[0:" + elements +
                        "]) out(y[0:" + elements + "]) problem(rows=8, columns=8) " + clauses + "\n" +
                        doubled(original_row));
  return Gate::open(snippet.kernel(), snippet.command(), {}).value().check(doubled(candidate_row));
}

TEST(WideProducts, AreNotToBeComputedInFewerBits) {
  EXPECT_THAT(check("for (int c = 0; c < columns; ++c) y[r * columns + c] = 2 * x[r * columns + c];"),
              HasSubstr("<candidate>:3: 'r * columns' is computed in 32 bits, and an extent of the annotation "
                        "multiplies by 'columns' in 64"));
  EXPECT_THAT(
      check("const unsigned at = columns * unsigned(r); for (int c = 0; c < columns; ++c) y[at + c] = 2 * x[at + c];"),
      HasSubstr("'columns * unsigned(r)' is computed in 32 bits"));
}

TEST(WideProducts, MayBeWrittenInAnyWayOf64Bits) {
  EXPECT_EQ(check(wide_row), "");
  EXPECT_EQ(
      check("const size_t at = r * (size_t)columns; for (int c = 0; c < columns; ++c) y[at + c] = 2 * x[at + c];"), "");
  EXPECT_EQ(check("const long long n = columns; for (int c = 0; c < columns; ++c) y[r * n + c] = 2 * x[r * n + c];"),
            "");
}

TEST(WideProducts, OfSmallNumbersMayHave32Bits) {
  const auto check_rows = [](const std::string& beside) {
    return check("const float* own = x + (size_t)r * columns; " + beside + " " + wide_row);
  };
  EXPECT_EQ(check_rows("for (int k = 0; k < 4; ++k) y[0] = own[k * columns];"), "");
  EXPECT_EQ(check_rows("y[0] = own[(r % 4) * columns] + own[(r & 3) * columns] + own[3 * columns];"), "");
  EXPECT_EQ(check_rows("y[0] = own[std::min(8, rows) * columns];"), "");
  EXPECT_EQ(check_rows("const int few = r % 8 / 2 + 1; y[0] = own[few * columns];"), "");
  EXPECT_EQ(check_rows("for (int k = 0; k < std::min(4, rows - r) && r + k < rows; ++k) y[0] = own[k * columns];"), "");
  EXPECT_EQ(check_rows("for (int k = 7; k >= 0; --k) y[0] = own[k * columns];"), "");
  EXPECT_EQ(check_rows("int few = r % 8; y[0] = own[few * columns];"), "");
}

TEST(WideProducts, AreNotSmallForALimitElsewhere) {
  const auto check_rows = [](const std::string& beside) { return check(beside + " " + wide_row); };
  const auto refusal = HasSubstr("is computed in 32 bits");
  EXPECT_THAT(check_rows("int some = 1; some = rows; y[0] = x[some * columns];"), refusal);
  EXPECT_THAT(check_rows("for (int k = rows - 1; k >= 0; --k) y[0] = x[k * columns];"), refusal);
  EXPECT_THAT(check_rows("for (int k = 0; k < rows; ++k) y[0] = x[k * columns];"), refusal);
  EXPECT_THAT(check_rows("y[0] = x[(r & ~3) * columns];"), refusal);
  EXPECT_THAT(check_rows("y[0] = x[r % 1000000 * columns];"), refusal);
  EXPECT_THAT(check_rows("int at = r; at *= columns; y[0] = x[at];"), refusal);
  EXPECT_THAT(check_rows("const auto at = [&](auto k) { return columns * int(k); }; y[0] = x[at(r)];"), refusal);
}

TEST(WideProducts, OfClausesThatAreNoExtentsPromiseNothing) {
  const std::string narrow = "for (int c = 0; c < columns; ++c) y[r * columns + c] = 2 * x[r * columns + c];";
  EXPECT_EQ(check(narrow, wide_row, "rows*columns", "requires((long long)rows * columns < (1ll << 31))"), "");
}

TEST(WideProducts, MayHaveShorterOnesIn32Bits) {
  const auto check_cube = [](const std::string& row) { return check(row, wide_row, "(size_t)rows*columns*rows"); };
  EXPECT_EQ(
      check_cube("const int own = r * columns; for (int c = 0; c < columns; ++c) y[((size_t)own + c) * rows] = 0;"),
      "");
  EXPECT_THAT(check_cube("for (int c = 0; c < columns; ++c) y[(r * columns + c) * rows] = 0;"),
              HasSubstr("'(r * columns + c) * rows' is computed in 32 bits"));
}

TEST(WideProducts, MayBeComputedIn32BitsWhereOriginalOrAnnotationDoes) {
  const std::string narrow = "for (int c = 0; c < columns; ++c) y[r * columns + c] = 2 * x[r * columns + c];";
  EXPECT_EQ(check(narrow, "y[r * columns] = 0; " + wide_row), "");
  EXPECT_EQ(check(narrow, wide_row, "rows*columns"), "");
}

TEST(WideProducts, OfDeviceCodeKnowThreadsOfABlock) {
  HONE_NEEDS_CUDA();
  const auto kernel = [](const std::string& index) {
    return "static __global__ void scale(float* x, int rows, int columns) {\n"
           "  for (int c = threadIdx.x; c < columns; c += blockDim.x) x[" +
           index + " + c] *= 2;\n}\n";
  };
  const std::string launcher =
      "void twice(float* x, int rows, int columns) { scale<<<rows, 256>>>(x, rows, columns); }\n";
  const std::string wide = "blockIdx.x * (size_t)columns";
  const Snippet snippet = cuda_snippet(kernel(wide) +
                                       "#pragma hone kernel inout(x[0:(size_t)rows*columns]) "
                                       "problem(rows=8, columns=8)\n" +
                                       launcher);
  Gate gate = Gate::open(snippet.kernel(), snippet.command(), {}).value();
  const auto renamed = [&](const std::string& index) {
    std::string text = kernel(index) + launcher;
    for (std::size_t at = 0; (at = text.find("scale", at)) != std::string::npos; at += 5) text.replace(at, 5, "again");
    return gate.check(text);
  };
  EXPECT_EQ(renamed(wide), "");
  EXPECT_EQ(renamed("(threadIdx.x + blockDim.x) * columns + " + wide), "");
  EXPECT_THAT(renamed("blockIdx.x * columns"), HasSubstr("is computed in 32 bits"));
}

// The launcher alone calls them, and the original kernel stands beside them as it was.
TEST(WideProducts, OfKernelsThatCandidateLaunchesAreLookedAt) {
  HONE_NEEDS_CUDA();
  const std::string original =
      "static __global__ void scale(float* x, int rows, int columns) {\n"
      "  for (int c = threadIdx.x; c < columns; c += blockDim.x) x[blockIdx.x * (size_t)columns + c] *= 2;\n}\n";
  const Snippet snippet = cuda_snippet(
      "#pragma hone kernel inout(x[0:(size_t)rows*columns]) problem(rows=8, columns=8) launch(grid(rows), "
      "block(256))\n" +
      original + "void run(float* x, int rows, int columns) { scale<<<rows, 256>>>(x, rows, columns); }\n");
  Gate gate = Gate::open(snippet.kernel(), snippet.command(), {}).value();
  const auto check_own = [&](const std::string& row) {
    return gate.check(original +
                      "static __global__ void own(float* x, int rows, int columns) {\n"
                      "  for (int c = threadIdx.x; c < columns; c += blockDim.x) x[" +
                      row +
                      " + c] *= 2;\n}\n"
                      "static void hone_launch_scale(float* x, int rows, int columns, cudaStream_t stream) {\n"
                      "  own<<<rows, 128, 0, stream>>>(x, rows, columns);\n}\n");
  };
  EXPECT_EQ(check_own("(size_t)blockIdx.x * columns"), "");
  EXPECT_THAT(check_own("blockIdx.x * columns"), HasSubstr("'blockIdx.x * columns' is computed in 32 bits"));
}

}  // namespace
}  // namespace hone::frontend
