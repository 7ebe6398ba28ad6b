// Reductions in shared memory that become shuffles, and prefix sums that threads share.
#include <gmock/gmock.h>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;
using ::testing::Not;

// A launcher of blocks that reduce in shared memory: the declaration, the tree, what comes behind it.
std::string trees(const std::string& tree, const std::string& behind = "if (tid == 0) y[blockIdx.x] = s[0];",
                  const std::string& block = "256") {
  return "__global__ void each(const float* x, float* y, int n) {\n__shared__ float s[1024];\nint tid = threadIdx.x;\n"
         "s[tid] = x[blockIdx.x * n + tid];\n__syncthreads();\n" +
         tree + "\n" + behind +
         "\n}\n#pragma hone kernel in(x[0:m * n]) out(y[0:m]) problem(m=100, n=1024)\n"
         "void run(const float* x, float* y, int m, int n) { each<<<m, " +
         block + ">>>(x, y, n); }\n";
}
const std::string halving =
    "for (int d = blockDim.x / 2; d > 0; d >>= 1) {\nif (tid < d) s[tid] += s[tid + d];\n__syncthreads();\n}";

TEST_F(CudaTransforms, WarpShufflesReplaceSharedMemoryTree) {
  CudaBench bench(trees(halving));
  const std::string text = bench.apply({{"warp_shuffles", 0, {}}});
  EXPECT_THAT(text, AllOf(Says("const unsigned tree_span = 128;"), Says("__shared__ float s_parts[32];"),
                          Says("s_value = s[tid]; s_other = s[tid + tree_span]; s_value += s_other;"),
                          Says("s_other = __shfl_down_sync(0xffffffffu, s_value, tree_lanes); s_value += s_other;"),
                          Says("s[0] = s_value;"), Not(Says("d >>= 1"))));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
}

TEST_F(CudaTransforms, WarpShufflesKeepLoopAsFallbackForUnknownBlock) {
  CudaBench bench(trees(halving, "if (tid == 0) y[blockIdx.x] = s[0];", "n"));
  const std::string text = bench.apply({{"warp_shuffles", 0, {}}});
  EXPECT_THAT(text, AllOf(Says("const unsigned tree_span = blockDim.x / 2;"),
                          Says("(tree_span & (tree_span - 1)) == 0 && tree_span <= blockDim.x && blockDim.x >= 32"),
                          Says("} else { for (int d = blockDim.x / 2; d > 0; d >>= 1)")));
  EXPECT_EQ(bench.workshop().render({{"warp_shuffles", 0, {}}, {"warp_shuffles", 0, {}}}).applied.size(), 1u);
}

TEST_F(CudaTransforms, WarpShufflesRejectUnsuitableBlockSize) {
  for (const char* block : {"96", "16"})
    EXPECT_FALSE(CudaBench(trees(halving, "y[blockIdx.x] = s[0];", block)).applies({"warp_shuffles", 0, {}})) << block;
}

TEST_F(CudaTransforms, WarpShufflesCanKeepOrderOfTree) {
  EXPECT_THAT(CudaBench(trees(halving)).apply({{"warp_shuffles", 0, {1}}}),
              AllOf(Says("for (unsigned d = tree_span; d >= 32; d /= 2) {"), Says("s[tid] += s[tid + d];"),
                    Says("tree_lanes = tree_span < 16 ? tree_span : 16"), Not(Says("s_parts"))));
}

TEST_F(CudaTransforms, WarpShufflesRecognizeEverySpellingOfTree) {
  const std::vector<std::string> written{
      "for (unsigned d = 128; d >= 1; d /= 2) { if (tid < d) { s[tid] = s[tid] + s[d + tid]; } __syncthreads(); }",
      "for (int d = 128; d; d = d / 2) { __syncthreads(); if (d > tid) s[tid] = fmaxf(s[tid], s[tid + d]); }",
      "int d = blockDim.x / 2; while (d != 0) { if (tid < d) s[tid] += s[tid + d]; __syncthreads(); d /= 2; }",
      "for (int d = 1; d < blockDim.x; d *= 2) { if (tid % (2 * d) == 0) s[tid] += s[tid + d]; __syncthreads(); }",
      "for (int d = 1; d < 256; d <<= 1) { if ((tid & (2 * d - 1)) == 0) s[tid] *= s[tid + d]; __syncthreads(); }",
      "for (int d = 128; d > 0; d >>= 1) { if (tid < d) if (s[tid + d] < s[tid]) s[tid] = s[tid + d]; __syncthreads(); "
      "}"};
  std::vector<std::string> candidates;
  for (const std::string& tree : written)
    candidates.push_back(CudaBench(trees(tree)).apply({{"warp_shuffles", 0, {}}}));
  EXPECT_EQ(complaint_of_nvcc(candidates), "");
}

TEST_F(CudaTransforms, WarpShufflesRejectLoopsThatAreNotTrees) {
  for (const std::string tree :
       {"for (int d = 128; d > 1; d /= 2) { if (tid < d) s[tid] += s[tid + d]; __syncthreads(); }",  // not to the end
        "for (int d = 128; d > 0; d /= 2) { if (tid < d) s[tid] += s[tid + 2 * d]; __syncthreads(); }",  // further away
        "for (int d = 128; d > 0; d /= 2) { if (tid < d) s[tid] += d * s[tid + d]; __syncthreads(); }",  // by distance
        "for (int d = 128; d > 0; d /= 2) { if (tid <= d) s[tid] += s[tid + d]; __syncthreads(); }",     // one too many
        "for (int d = 128; d > 0; d /= 2) { if (tid < d) { s[tid] += s[tid + d]; y[tid] = 0; } __syncthreads(); }",
        "for (int d = 128; d > 0; d /= 3) { if (tid < d) s[tid] += s[tid + d]; __syncthreads(); }"})
    EXPECT_FALSE(CudaBench(trees(tree)).applies({"warp_shuffles", 0, {}})) << tree;
}

TEST_F(CudaTransforms, WarpShufflesRequireOnlyFirstElementRead) {
  for (const char* behind : {"y[tid] = s[tid];", "if (tid == 0) y[blockIdx.x] = s[0] + s[1];"})
    EXPECT_FALSE(CudaBench(trees(halving, behind)).applies({"warp_shuffles", 0, {}})) << behind;
  // Another tree on the same array, filled anew.
  CudaBench two(trees(halving, "float first = s[0];\n__syncthreads();\ns[tid] = first;\n__syncthreads();\n" + halving +
                                   "\nif (tid == 0) y[blockIdx.x] = s[0];"));
  EXPECT_THAT(two.apply({{"warp_shuffles", 1, {}}, {"warp_shuffles", 0, {}}}), Not(Says("d >>= 1")));
}

TEST_F(CudaTransforms, WarpShufflesWorkInKernelThatKeepsItsLaunch) {
  CudaBench bench(R"(namespace app {
#pragma hone kernel in(x[0:m * n]) out(y[0:m]) problem(m=100, n=1024) launch(grid(m), block(256))
__global__ void each(const float* x, float* y, int m, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = x[blockIdx.x * n + threadIdx.x];
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
auto* const pointer = each;
}
)");
  const std::string text = bench.apply({{"warp_shuffles", 0, {}}});
  EXPECT_THAT(text, AllOf(Says("const unsigned tree_span = 128; if ("), Says("} else { for (int d = 128;")));
  EXPECT_EQ(bench.refusal(text), "");
}

// A launcher of one thread for each row, whose body is given.
std::string row_by_row(const std::string& body) {
  return "__global__ void each(const float* x, float* y, int m, int n) {\n"
         "int r = blockIdx.x * blockDim.x + threadIdx.x;\nif (r >= m) return;\n" +
         body +
         "\n}\n#pragma hone kernel in(x[0:m * n]) out(y[0:m * n]) problem(m=1000, n=1024)\n"
         "void run(const float* x, float* y, int m, int n) { each<<<(m + 127) / 128, 128>>>(x, y, m, n); }\n";
}

TEST_F(CudaTransforms, RowGroupScansRunningSumOfRow) {
  CudaBench bench(
      row_by_row("float sum = 0;\nfor (int i = 0; i < n; ++i) { sum += x[r * n + i]; y[r * n + i] = sum; }"));
  const std::string text = bench.apply({{"row_group", 0, {32}}});
  EXPECT_THAT(text, AllOf(Says("for (int i_first = 0; i_first < n; i_first += 32) {"),
                          Says("if (i < n) { sum_own = x[r * n + i]; }"),
                          Says("sum_before = run_prefix<32>(sum_own, sum_all);"),
                          Says("if (i < n) { sum = sum_carried + sum_before; sum += sum_own; y[r * n + i] = sum; }"),
                          Says("sum_carried += sum_all;")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
  EXPECT_EQ(complaint_of_nvcc({bench.apply({{"row_group", 0, {256}}})}), "");
}

TEST_F(CudaTransforms, RowGroupRejectsSumsThatAreNotPrefixSums) {
  for (const std::string body :
       {"float sum = 0;\nfor (int i = 0; i < n; ++i) { sum += x[r * n + i] * sum; y[r * n + i] = sum; }",
        "float sum = 0;\nfor (int i = 0; i < n; ++i) { if (x[r * n + i] > 0) sum += 1; y[r * n + i] = sum; }",
        "float sum = 0;\nfor (int i = 0; i < n; ++i) { sum += x[r * n + i]; y[r * n] = sum; }",
        "float sum = 0;\nfor (int i = 1; i < n; ++i) { sum += y[r * n + i - 1]; y[r * n + i] = sum; }",
        "float sum = 0;\nfor (int i = 0; i < n; ++i) { sum += x[r * n + i]; y[r * n + i] = sum; sum *= 0.5f; }"})
    EXPECT_FALSE(CudaBench(row_by_row(body)).applies({"row_group", 0, {32}})) << body;
}

// Every thread goes through a loop that cannot be shared, and one of them writes.
TEST_F(CudaTransforms, RowGroupKeepsLoopThatCannotBeShared) {
  CudaBench bench(row_by_row(
      "float sum = 0, decayed = 0;\nfor (int i = 0; i < n; ++i) sum += x[r * n + i];\n"
      "for (int i = 0; i < n; ++i) { decayed = decayed / 2 + x[r * n + i]; y[r * n + i] = decayed / sum; }"));
  EXPECT_THAT(bench.apply({{"row_group", 0, {32}}}),
              AllOf(Says("i += 32"), Says("for (int i = 0; i < n; ++i) { decayed = decayed / 2 + x[r * n + i];"),
                    Says("if (lane == 0) { y[r * n + i] = decayed / sum; }")));
}

// A launcher of one thread for each column, whose body is given.
std::string column_by_column(const std::string& body, const std::string& guard = "if (c >= n) return;") {
  return "__global__ void each(const float* x, float* y, int m, int n) {\n"
         "int c = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         guard + "\n" + body +
         "\n}\n#pragma hone kernel in(x[0:m * n]) out(y[0:n]) problem(m=1000, n=1024)\n"
         "void run(const float* x, float* y, int m, int n) { each<<<(n + 127) / 128, 128>>>(x, y, m, n); }\n";
}

TEST_F(CudaTransforms, ColumnGroupSharesLoopAlongY) {
  CudaBench bench(column_by_column("float sum = 1;\nfor (int r = 0; r < m; ++r) sum += x[r * n + c];\ny[c] = sum;"));
  const std::string text = bench.apply({{"column_group", 0, {16}}});
  EXPECT_THAT(text, AllOf(Says("const int c = c_own < (n) ? c_own : (n)-1;"), Says("if (lane != 0) sum = 0;"),
                          Says("for (int r = 0 + lane; r < m; r += 16)"), Says("sum = run_column_sum<16>(sum);"),
                          Says("if (lane == 0 && c_own < (n)) { y[c] = sum; }"), Says("dim3(32, 16)>>>")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text, bench.apply({{"column_group", 0, {2}}})}), "");
}

TEST_F(CudaTransforms, ColumnGroupSharesLoopsThatAllItemsReach) {
  CudaBench bench(
      column_by_column("float best = x[c];\nfor (int k = 0; k < 3; ++k) {\nif (m > 1) {\n"
                       "for (int r = 1; r < m; ++r) best = fmaxf(best, x[r * n + c]);\n}\n}\ny[c] = best;"));
  EXPECT_THAT(bench.apply({{"column_group", 0, {8}}}), Says("best = run_column_largest<8>(best);"));
}

TEST_F(CudaTransforms, ColumnGroupKeepsRunningSum) {
  CudaBench bench(
      column_by_column("float sum = 0, running = 0;\nfor (int r = 0; r < m; ++r) sum += x[r * n + c];\n"
                       "for (int r = 0; r < m; ++r) { running += x[r * n + c]; y[c] = running / sum; }"));
  EXPECT_THAT(bench.apply({{"column_group", 0, {8}}}),
              AllOf(Says("for (int r = 0 + lane; r < m; r += 8)"), Says("for (int r = 0; r < m; ++r) { running +="),
                    Says("if (lane == 0 && c_own < (n)) { y[c] = running / sum; }")));
}

// All threads of a block wait for each other where sums meet, so nothing that a column decides may keep one away.
TEST_F(CudaTransforms, ColumnGroupRejectsLoopsThatNotAllItemsReach) {
  const std::string loop = "for (int r = 0; r < m; ++r) sum += x[r * n + c];\n";
  for (const std::string& body : {"float sum = 0;\nif (x[c] > 0) {\n" + loop + "}\ny[c] = sum;",
                                  "float last = 0;\nfor (int k = 0; k < c; ++k) {\nfloat sum = last;\n" + loop +
                                      "last = sum / 2;\n}\ny[c] = last;",
                                  std::string("for (int r = 0; r < m; ++r) y[r * n + c] = x[r * n + c];")})
    EXPECT_FALSE(CudaBench(column_by_column(body)).applies({"column_group", 0, {16}})) << body;
  const std::string plain = "float sum = 0;\n" + loop + "y[c] = sum;";
  for (const char* guard : {"if (c >= n || m < 3) return;", "if (c == n) return;", "if (c + 1 >= n) return;"})
    EXPECT_FALSE(CudaBench(column_by_column(plain, guard)).applies({"column_group", 0, {16}})) << guard;
}

TEST_F(CudaTransforms, TiledScanSplitsOneBlockScanIntoThreeLaunches) {
  CudaBench bench(suite_kernel("scan"));
  const std::string text = bench.apply({{"tiled_scan", 0, {8, 256}}});
  EXPECT_THAT(text, AllOf(Says("scan_tile_sums<<<static_cast<unsigned>(tiles), 256>>>(x, y, n); "
                               "scan_tile_fronts<<<1, 1024>>>(x, y, n); "
                               "scan_tiles<<<static_cast<unsigned>(tiles), 256>>>(x, y, n);"),
                          Says("= x[item];"), Says("y[item] = running; running += "),  // exclusive
                          Not(Says("distance < 1024"))));
  EXPECT_EQ(bench.refusal(text), "");
}

// A launcher of one thread that goes through x and y with the given loop.
std::string one_thread(const std::string& loop, const std::string& type = "float", const std::string& clause = "") {
  return "__global__ void each(const float* x, " + type + "* y, float start, int n) {\nfloat sum = start;\n" + loop +
         "\n}\n#pragma hone kernel in(x[0:n]) inout(y[0:n]) problem(n=1000) " + clause + "\nvoid run(const float* x, " +
         type + "* y, int n, cudaStream_t s) { each<<<1, 1, 0, s>>>(x, y, 0.5f, n - 1); }\n";
}

TEST_F(CudaTransforms, TiledScanSplitsOneThreadScanOnItsStream) {
  CudaBench bench(one_thread("for (int i = 0; i <= n; ++i) { sum += 2 * x[i]; y[i] = sum; }", "float", "stream(s)"));
  const std::string text = bench.apply({{"tiled_scan", 0, {4, 128}}});
  EXPECT_THAT(text, AllOf(Says("tiles = (static_cast<long long>((n - 1) + 1) + 512 - 1) / 512;"),
                          Says("run_tile_sums<<<static_cast<unsigned>(tiles), 128, 0, s>>>(x, y, 0.5f, n - 1);"),
                          Says("float carried = start;")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
}

TEST_F(CudaTransforms, TiledScanUsesOneBlockWhenResultCannotHoldSums) {
  const std::string in_place = "for (int i = 0; i < n; ++i) { float own = y[i]; y[i] = sum; sum += own; }";
  const std::string apart = "for (int i = 0; i < n; ++i) { y[i] = sum; sum += x[i]; }";
  for (const std::string& text : {one_thread(in_place, "float", "stream(s)"), one_thread(apart, "double", "stream(s)"),
                                  one_thread(apart, "float", "stream(s) alias(x, y)")}) {
    CudaBench bench(text);
    const std::string block = bench.apply({{"tiled_scan", 0, {8, 256}}});
    EXPECT_THAT(block, AllOf(Says("run_by_tiles<<<1, 1024, 0, s>>>"), Not(Says("tile_fronts"))));
    EXPECT_EQ(complaint_of_nvcc({block}), "");
  }
}

TEST_F(CudaTransforms, TiledScanRejectsLoopsThatDoMore) {
  const std::string walk = suite_kernel("scan");
  const auto with = [&](const std::string& what, const std::string& instead) {
    std::string text = walk;
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), instead);
  };
  for (const std::string& text :
       {with("sums[from][t] + sums[from][t - distance]", "sums[from][t] * sums[from][t - distance]"),
        with("t >= distance ?", "t > distance ?"), with("distance = 1;", "distance = 2;"),
        with("carried += sums[from][1023];", "carried += sums[from][1022];"),
        with("t > 0 ? carried + sums", "t > 0 ? carried * sums"),
        with("? x[start + t] : 0.0f", "? x[start + t] : 1.0f"), with("x[start + t]", "x[start + 2 * t]"),
        with("<<<1, 1024>>>", "<<<1, 512>>>"), with("<<<1, 1024>>>", "<<<2, 1024>>>")})
    EXPECT_FALSE(CudaBench(text).applies({"tiled_scan", 0, {}})) << text;
}

}  // namespace
}  // namespace hone::frontend
