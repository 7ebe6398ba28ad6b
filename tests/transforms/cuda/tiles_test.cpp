// Tiles in registers, questions asked early, rounds of a warp, merged launches: what they make runs on the host beside
// the original, on sizes that fill tiles and that do not.
#include <gmock/gmock.h>

#include <regex>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;

// One thread for each element of planes × rows × columns; `work` computes `sum` for plane c, row j, column k.
std::string box(const std::string& work) {
  return R"(__global__ void each(const float* x, const float* w, float* y, int batch, int planes, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * planes * rows * columns) return;
  int k = i % columns;
  int j = i / columns % rows;
  int c = i / (columns * rows) % planes;
  int b = i / (columns * rows * planes);
  float sum = 0;
)" + work +
         R"(
  y[i] += sum;
}
#pragma hone kernel in(x[0 : 9], w[0 : 9]) inout(y[0 : batch * planes * rows * columns]) \
    problem(batch = 2, planes = 64, rows = 64, columns = 64)
void run(const float* x, const float* w, float* y, int batch, int planes, int rows, int columns) {
  each<<<(batch * planes * rows * columns + 255) / 256, 256>>>(x, w, y, batch, planes, rows, columns);
}
)";
}
const std::string convolving =
    "for (int q = 0; q < 2; ++q) for (int d = 0; d < 3; ++d)\n"
    "sum += x[((b * 2 + q) * rows + j) * (columns + 2) + k + d] * w[(c * 2 + q) * 3 + d];";
const std::string transposed =
    "for (int di = 0; di < 3; ++di) {\nfor (int dj = 0; dj < 3; ++dj) {\nint a = j + 1 - di;\nint e = k + 1 - dj;\n"
    "if (a < 0 || e < 0 || a % 2 != 0 || e % 2 != 0) continue;\na /= 2;\ne /= 2;\n"
    "if (a < rows && e < columns) { sum += x[(b * rows + a) * columns + e] * w[(c * 3 + di) * 3 + dj]; }\n}\n}";
// Fewer planes and columns than a tile has, as many, and some more.
const std::string boxes =
    "for (int planes : {1, 5, 8}) for (int columns : {1, 3, 4, 11}) {\n"
    "auto x = numbers<float>(2 * 2 * 3 * 20), w = numbers<float>(planes * 9), y = numbers<float>(2 * planes * 3 * "
    "11);\n"
    "run(x.data(), w.data(), y.data(), 2, planes, 3, columns);\nkeep(y);\n}";

TEST_F(CudaTransforms, RegisterTileComputesPlanesAndNeighborsTogether) {
  CudaBench bench(box(convolving));
  const std::string plain = bench.apply({{"register_tile", 0, {8, 4}}});
  EXPECT_THAT(plain, AllOf(Says("const int c_first = i_rest2 % (((planes) + 7) / 8) * 8;"),
                           Says("const bool inside = k_digit >= k_first && c_own < (planes);"),
                           Says("if (inside) { y[i] += sum; }")));
  const std::string jammed = bench.apply({{"register_tile", 0, {8, 4}}, {"vectorise_outer", 0, {32}}});
  EXPECT_THAT(jammed,
              AllOf(Says("float sum_lanes[32];"), Says("int b = b_digit;\n#pragma unroll\nfor (int lane = 0;")));
  EXPECT_EQ(bench.refusal(jammed), "");
  EXPECT_EQ(complaint_of_nvcc({plain, jammed}), "");
  EXPECT_EQ(bench.difference(plain, boxes), "");
  EXPECT_EQ(bench.difference(jammed, boxes), "");
}

TEST_F(CudaTransforms, RegisterTileSplitsDigitThatIsTakenApart) {
  const std::string work =
      "int group = c / 4;\nfor (int d = 0; d < 3; ++d) sum += x[group * 3 + k + d] * w[c % 4 + d];";
  CudaBench bench(std::regex_replace(box(work), std::regex("([%*]) planes"), "$1 (4 * planes)"));
  const std::string text = bench.apply({{"register_tile", 0, {4, 1}}});
  EXPECT_THAT(text,
              AllOf(Says("const int c_low_first = i_rest2 % (((4) + 3) / 4) * 4;"), Says("int group = c_high_digit;")));
}

TEST_F(CudaTransforms, RegisterTileNeedsLoadsThatRepeat) {
  for (const std::string work : {"for (int d = 0; d < 2; ++d) sum += x[2 * k + d];", "sum = x[k];",
                                 "for (int d = 0; d < 3; ++d) { sum += x[k + d]; y[i] = sum; }"})
    EXPECT_FALSE(CudaBench(box(work)).applies({"register_tile", 0, {8, 4}})) << work;
}

TEST_F(CudaTransforms, RaiseConditionsAsksEarlyAndStepsByTwo) {
  CudaBench bench(box(transposed));
  const std::string text = bench.apply({{"raise_conditions", 0, {}}});
  EXPECT_THAT(text, AllOf(Says("for (int di = ((j + 1 - 0) % 2 + 2) % 2; di < 3; di += 2) {"),
                          Says("const int a_now = a / (2); if (a >= 0 && a_now < rows) { for (int dj")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(bench.difference(text, boxes), "");
  const std::string tiled =
      bench.apply({{"raise_conditions", 0, {}}, {"register_tile", 0, {8, 1}}, {"vectorise_outer", 0, {8}}});
  EXPECT_THAT(tiled, Says("if (e >= 0 && e_now < columns) {\n#pragma unroll\nfor (int lane = 0; lane < 8; ++lane)"));
  EXPECT_EQ(complaint_of_nvcc({text, tiled}), "");
  EXPECT_EQ(bench.difference(tiled, boxes), "");
}

TEST_F(CudaTransforms, RaiseConditionsLeavesQuestionsOfMemory) {
  EXPECT_FALSE(CudaBench(box("for (int a = 0; a < 3; ++a) for (int d = 0; d < 3; ++d) { if (x[a] > 0) sum += w[d]; }"))
                   .applies({"raise_conditions", 0, {}}));
}

// Each stream's number is made of those `lags` before.
std::string streams(const std::string& number) {
  return "__global__ void each(const float* x, float* y, int m, int n) {\n"
         "int r = blockIdx.x * blockDim.x + threadIdx.x;\nif (r >= m) return;\n"
         "for (int i = 0; i < n; ++i) { " +
         number +
         " }\n}\n#pragma hone kernel in(x[0:m]) inout(y[0:m * n]) problem(m=1000, n=1024)\n"
         "void run(const float* x, float* y, int m, int n) { each<<<(m + 127) / 128, 128>>>(x, y, m, n); }\n";
}

TEST_F(CudaTransforms, RowGroupTakesLaggedStreamInRounds) {
  CudaBench bench(streams("y[r * n + i] = (i < 40 ? x[r] : y[r * n + i - 40] / 2) + i;"));
  const std::string text = bench.apply({{"row_group", 0, {32}}});
  EXPECT_THAT(text, AllOf(Says("for (int i_first = 0; i_first < n; i_first += 32)"), Says("} __syncwarp(); }")));
  EXPECT_FALSE(bench.applies({"row_group", 0, {64}}));
  EXPECT_EQ(complaint_of_nvcc({text}), "");
  EXPECT_EQ(bench.difference(text,
                             "auto x = numbers<float>(5), y = numbers<float>(5 * 333);\n"
                             "run(x.data(), y.data(), 5, 333);\nkeep(y);"),
            "");
}

TEST_F(CudaTransforms, RowGroupRejectsLagsOfUnknownLength) {
  for (const std::string number :
       {"y[r * n + i] = i < m ? x[r] : y[r * n + i - m];", "y[r * n + i] = y[r * n + 2 * i];",
        "y[r * n + i] = i < 4 ? x[r] : y[r * n + i - 4];"})
    EXPECT_FALSE(CudaBench(streams(number)).applies({"row_group", 0, {32}})) << number;
}

// Steps over time, each a launch.
std::string stepping(const std::string& work, const std::string& arguments = "x + t * n, y, z + t * n, n") {
  return "__global__ void each(const float* x, float* y, float* z, int n) {\n"
         "int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i >= n) return;\n" +
         work +
         "\n}\n#pragma hone kernel in(x[0:steps * n]) inout(y[0:n], z[0:steps * n]) problem(steps=100, n=1024)\n"
         "void run(const float* x, float* y, float* z, int steps, int n) {\n"
         "for (int t = 0; t < steps; ++t) each<<<(n + 127) / 128, 128>>>(" +
         arguments + ");\n}\n";
}

TEST_F(CudaTransforms, MergeLaunchesLoopsInThread) {
  CudaBench bench(stepping("y[i] = y[i] / 2 + x[i];\nz[i] = y[i] + x[(i + 1) % n];"));
  const std::string text = bench.apply({{"merge_launches", 0, {4}}});
  EXPECT_THAT(text, AllOf(Says("if (i < n) {\n#pragma unroll 4\nfor (int launch = 0; launch < launches; ++launch) {"),
                          Says("const auto x = x_first + launch * x_step;"), Says("if (0 < steps) {")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
  EXPECT_EQ(bench.difference(text,
                             "for (int steps : {0, 1, 7}) {\n"
                             "auto x = numbers<float>(7 * 300), y = numbers<float>(300), z = numbers<float>(7 * 300);\n"
                             "run(x.data(), y.data(), z.data(), steps, 300);\nkeep(y);\nkeep(z);\n}"),
            "");
}

TEST_F(CudaTransforms, MergeLaunchesRejectsStepsThatNeedOthersElements) {
  for (const std::string work :
       {"y[i] = y[(i + 1) % n] + x[i];", "y[i] = x[i]; z[i] = y[n - 1 - i];", "y[0] += x[i];", "z[i] = z[i] + 1;"})
    EXPECT_FALSE(CudaBench(stepping(work)).applies({"merge_launches", 0, {4}})) << work;
  for (const char* arguments : {"z, y, z + t * n, n", "x, y, z + t * t * n, n"})
    EXPECT_FALSE(CudaBench(stepping("y[i] = x[i]; z[i] = y[i];", arguments)).applies({"merge_launches", 0, {4}}))
        << arguments;
}

}  // namespace
}  // namespace hone::frontend
