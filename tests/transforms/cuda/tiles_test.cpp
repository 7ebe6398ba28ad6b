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

// Neighbors along rows overlap; weights are the same for all columns and rows.
const std::string convolving_rows =
    "for (int q = 0; q < batch + 1; ++q) for (int d = 0; d < 3; ++d)\n"
    "sum += x[((b * 3 + q) * (rows + 2) + j + d) * columns + k] * w[(c * 3 + q) * 3 + d];";
// Fewer rows and planes than a tile has, as many, and some more; several blocks, the last one not full.
const std::string planes =
    "for (int planes : {1, 5, 8, 9}) for (int rows : {1, 3, 4, 11}) {\n"
    "const int columns = 37;\n"
    "auto x = numbers<float>(2 * 3 * 13 * 37), w = numbers<float>(9 * 9), y = numbers<float>(2 * 9 * 11 * 37);\n"
    "run(x.data(), w.data(), y.data(), 2, planes, rows, columns);\nkeep(y);\n}";

TEST_F(CudaTransforms, RegisterTileTakesColumnsAcrossMemoryAndRowsForWholeBlocks) {
  CudaBench bench(box(convolving_rows));
  const std::string across = bench.apply({{"register_tile", 0, {8, 4, 1}}});
  EXPECT_THAT(across, AllOf(Says("const int j_first = i_rest1 % (((rows) + 3) / 4) * 4;"),
                            Says("const bool inside = j_digit >= j_first && c_own < (planes);")));
  const std::string together = bench.apply({{"register_tile", 0, {8, 4, 1, 1}}});
  EXPECT_THAT(together, AllOf(Says("const int i_thread = i_reached ? i_number : i_threads - 1;"),
                              Says("const int c_first = i_block % (((planes) + 7) / 8) * 8;"),
                              Says("const bool inside = i_reached && j_digit >= j_first && c_own < (planes);")));
  EXPECT_EQ(bench.refusal(together), "");
  EXPECT_EQ(complaint_of_nvcc({across, together}), "");
  EXPECT_EQ(bench.difference(across, planes), "");
  EXPECT_EQ(bench.difference(together, planes), "");
}

TEST_F(CudaTransforms, StageSharedLoadsWeightsOnceForWholeBlock) {
  CudaBench bench(box(convolving_rows));
  Genome genome{{"register_tile", 0, {8, 4, 1, 1}}, {"vectorise_outer", 0, {32, 40}}};
  EXPECT_THAT(bench.apply(genome),
              Says("#pragma unroll\nfor (int d = 0; d < 3; ++d) {\n#pragma unroll\nfor (int lane"));
  genome.push_back({"stage_shared", 0, {2}});
  const std::string text = bench.apply(genome);
  EXPECT_THAT(text, AllOf(Says("__shared__ __align__(16) float w_staged[48];"),
                          Says("const int lane = stage % 8 * 4; const int d = stage / 8 % 3;"),
                          Says("if (q < ((batch + 1))) w_staged[stage] = w[(c * 3 + q) * 3 + d];"),
                          Says("* w_staged[(((q - q_first)) * 3 + d) * 8 + lane / 4];")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
  EXPECT_EQ(bench.difference(text, planes), "");
}

TEST_F(CudaTransforms, StageSharedRunsLoopWithinQuestions) {
  CudaBench bench(box("for (int q = 0; q < batch + 1; ++q) {\n" +
                      std::regex_replace(transposed, std::regex("w\\[\\(c"), "w[((c + q)") + "\n}"));
  const std::string text = bench.apply({{"raise_conditions", 0, {}},
                                        {"register_tile", 0, {8, 1, 0, 1, 2}},
                                        {"vectorise_outer", 0, {8}},
                                        {"stage_shared", 0, {2, 1}}});
  EXPECT_THAT(text,
              AllOf(Says("if (e >= 0 && e_now < columns) { for (int q = q_first; q < q_end; ++q) {\n#pragma unroll"),
                    Says("const int di = stage / 8 / 3 % 3;"),
                    Says("const bool inside = i_reached && k_own < (columns) && c_own < (planes);")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
  const std::string drive = std::regex_replace(boxes, std::regex("planes \\* 9\\)"), "(planes + 2) * 9)");
  EXPECT_EQ(bench.difference(text, drive), "");
}

TEST_F(CudaTransforms, RecipesOfConvolutionsStageWeights) {
  CudaBench bench(box(convolving_rows));
  const Genome& first = bench.catalog().recipes.front();
  EXPECT_EQ(first.back(), (Gene{"stage_shared", 0, {8}}));
  EXPECT_EQ(bench.difference(bench.apply(first), planes), "");
}

TEST_F(CudaTransforms, StageSharedLeavesWhatThreadsDoNotShare) {
  const Gene tile{"register_tile", 0, {8, 4, 1, 1}}, jam{"vectorise_outer", 0, {32, 40}};
  const auto stages = [&](const std::string& work, const Gene& first) {
    return CudaBench(box(work)).workshop().render({first, jam, {"stage_shared", 0, {2}}}).applied.size() == 3;
  };
  EXPECT_TRUE(stages(convolving_rows, tile));
  // Threads that leave early cannot wait for the others.
  EXPECT_FALSE(stages(convolving_rows, {"register_tile", 0, {8, 4, 1, 0}}));
  // Each thread has weights of its own.
  EXPECT_FALSE(stages(std::regex_replace(convolving_rows, std::regex("w\\[\\(c"), "w[((c + k)"), tile));
  // How many there are is not known.
  EXPECT_FALSE(stages(std::regex_replace(convolving_rows, std::regex("d < 3"), "d < planes"), tile));
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
