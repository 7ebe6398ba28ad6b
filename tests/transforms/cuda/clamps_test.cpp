// Loops over clamped indices: the copy for the inside runs on the host beside the original, on sizes that have an
// inside and on sizes smaller than a window.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// One thread for each of n elements, which sums `work` into `sum`; `more` is in front of the kernel.
std::string window(const std::string& work, const std::string& more = "") {
  return more + R"(
__global__ void each(const float* x, float* y, int n, int radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
)" + work +
         R"(
  y[i] = sum;
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100000, radius=5) requires(radius >= 0 && radius <= 40)
void run(const float* x, float* y, int n, int radius) { each<<<(n + 63) / 64, 64>>>(x, y, n, radius); }
)";
}
const std::string windows =
    "for (int n : {1, 2, 5, 6, 11, 12, 63, 200}) for (int radius : {0, 1, 2, 5, 40}) {\n"
    "auto x = numbers<float>(n), y = std::vector<float>(n);\nrun(x.data(), y.data(), n, radius);\nkeep(y);\n}";

const Genome interior{{"interior", 0, {}}};

// What the clamps of `work` are asked in front of the loop, where the result is right; else what is wrong with it.
std::string asked_of(const std::string& work) {
  CudaBench bench(window(work));
  const std::string text = bench.apply(interior);
  for (const std::string& complaint : {bench.refusal(text), bench.difference(text, windows), complaint_of_nvcc({text})})
    if (!complaint.empty()) return complaint + text;
  const std::size_t begin = text.find("inside = ") + 9;
  std::string asked = text.substr(begin, text.find(';', begin) - begin);
  std::ranges::replace(asked, '\n', ' ');
  asked.erase(std::ranges::unique(asked, [](char a, char b) { return a == ' ' && b == ' '; }).begin(), asked.end());
  return asked;
}

bool is_offered(const std::string& work, const std::string& more = "") {
  return CudaBench(window(work, more)).applies(interior.front());
}

const std::string filter = R"(
__global__ void filter_pixel(const unsigned char* from, unsigned char* to, const short* taps, int width, int height,
                             int pitch, int radius, int shift) {
  size_t index = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (index >= (size_t)width * height) return;
  int x = index % width, y = index / width;
  int sum = shift > 0 ? 1 << (shift - 1) : 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      int column = min(max(x + dx, 0), width - 1);
      int row = min(max(y + dy, 0), height - 1);
      sum += taps[(dy + radius) * (2 * radius + 1) + dx + radius] * from[(size_t)row * pitch + column];
    }
  }
  to[(size_t)y * pitch + x] = (unsigned char)min(max(sum >> shift, 0), 255);
}
#pragma hone kernel in(from[0 : height * pitch], taps[0 : (2 * radius + 1) * (2 * radius + 1)]) \
    out(to[0 : height : pitch][0 : width]) problem(width = 3840, height = 2160, pitch = 3840, radius = 2, shift = 8) \
    requires(pitch >= width && radius >= 0 && radius <= 32 && shift >= 0 && shift <= 24)
void run(const unsigned char* from, unsigned char* to, const short* taps, int width, int height, int pitch, int radius,
         int shift) {
  size_t pixels = (size_t)width * height;
  if (pixels == 0) return;
  filter_pixel<<<(pixels + 63) / 64, 64>>>(from, to, taps, width, height, pitch, radius, shift);
}
)";
const std::string pictures =
    "for (int width : {1, 4, 5, 37}) for (int height : {1, 5, 9}) for (int radius : {0, 1, 2, 4}) {\n"
    "const int pitch = width + 3;\n"
    "auto from = numbers<unsigned char>(height * pitch), to = from; auto taps = numbers<short>(9 * 9);\n"
    "run(from.data(), to.data(), taps.data(), width, height, pitch, radius, 9);\nkeep(to);\n}";

TEST_F(CudaTransforms, InteriorTakesClampedIndicesAsTheyAre) {
  CudaBench bench(filter);
  const std::string text = bench.apply(interior);
  EXPECT_THAT(text, AllOf(Says("const bool inside = x - radius >= 0 && x + radius <= width - 1 && y - radius >= 0 && "
                               "y + radius <= height - 1;"),
                          Says("if (inside) { for (int dy"), Says("int column = x + dx; int row = y + dy;"),
                          Says("int column = min(max(x + dx, 0), width - 1);")));
  const std::string of_several = bench.apply({{"elements", 0, {2, 0}}, {"interior", 0, {}}, {"specialise", 0, {}}});
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text, of_several}), "");
  EXPECT_EQ(bench.difference(text, pictures), "");
  EXPECT_EQ(bench.difference(of_several, pictures), "");
}

TEST_F(CudaTransforms, FiltersWithClampsBeginWithInterior) {
  CudaBench bench(filter);
  const Genome& first = bench.catalog().recipes.at(0);
  for (const char* name : {"interior", "specialise"})
    EXPECT_TRUE(std::ranges::any_of(first, [&](const Gene& gene) { return gene.transform == name; })) << name;
  EXPECT_EQ(bench.difference(bench.apply(first), pictures), "");
}

TEST_F(CudaTransforms, InteriorAsksOneSidedClampsAtTheFarEnd) {
  EXPECT_EQ(asked_of("for (int o = 1; o <= radius; ++o) { int behind = min(i + o, n - 1); int before = max(i - o, 0);\n"
                     "sum += x[behind] - 2 * x[before]; }"),
            "i + radius <= n - 1 && i - radius >= 0");
}

TEST_F(CudaTransforms, InteriorKnowsChoicesAsClamps) {
  EXPECT_EQ(asked_of("for (int d = -radius; d < radius; ++d)\n"
                     "sum += (d + 50) * x[i + d < 0 ? 0 : i + d >= n ? n - 1 : i + d];"),
            "i + (radius - 1) < n && i - radius >= 0");
  EXPECT_EQ(asked_of("for (int d = -3; d <= 3; ++d) {\nint at = i + d;\nint near = 0 <= at && n > at ? at : i;\n"
                     "sum += (d + 50) * x[near];\n}"),
            "i - 3 >= 0 && i + 3 < n");
}

// Mirrored: both sides move, and the inside is where the index stays what it was.
TEST_F(CudaTransforms, InteriorKnowsMirroredIndices) {
  EXPECT_EQ(asked_of("for (int d = 0; d <= radius; ++d) {\nint at = max(0, min(2 * i - d, n - 1));\n"
                     "int back = i - d < 0 ? d - i : i - d;\nsum += (d + 1) * x[back % n] + x[at];\n}"),
            "2 * i - 0 <= n - 1 && 2 * i - radius >= 0 && i - radius >= 0");
}

TEST_F(CudaTransforms, InteriorSeesThroughLocalsOfTheLoop) {
  EXPECT_EQ(asked_of("for (int d = -radius; d <= radius; ++d) {\nconst int last = n - 1, at = i + d;\n"
                     "sum += (d + 50) * x[min(max(at, 0), last)];\n}"),
            "i - radius >= 0 && i + radius <= n - 1");
}

TEST_F(CudaTransforms, InteriorAsksBothEndsOfFactorsThatAreNotKnown) {
  EXPECT_EQ(
      asked_of(
          "int step = radius - 2;\nfor (int d = 0; d < 3; ++d) sum += (d + 1) * x[max(0, min(i + d * step, n - 1))];"),
      "i + 0 * step <= n - 1 && i + 2 * step <= n - 1 && i + 0 * step >= 0 && i + 2 * step >= 0");
}

TEST_F(CudaTransforms, InteriorAsksLoopsOfOtherTypesInTheirOwn) {
  EXPECT_EQ(asked_of("unsigned taps = radius;\nfor (int d = 0; d < taps; d += 2) sum += (d + 1) * x[max(i - d, 0)];"),
            "i - static_cast<int>(taps - 1) >= 0");
}

TEST_F(CudaTransforms, InteriorTakesConditionsAndClampsTogether) {
  CudaBench bench(
      window("for (int d = -radius; d <= radius; ++d) {\nint near = min(max(i + d, 0), n - 1);\n"
             "int at = i + 2 * d;\nif (at >= 0 && at < n) sum += (d + 50) * x[at] + x[near];\n}\n"
             "for (int d = 0; d < 3; ++d) sum += (d + 1) * x[min(i + d, n - 1)];"));
  const std::string text = bench.apply({{"interior", 1, {}}, {"interior", 0, {}}});
  EXPECT_THAT(text,
              AllOf(Says("bool inside_2 = true && (-radius) < (radius + 1) && i - radius >= 0 && i + radius <= n - 1;"),
                    Says("const int d = (-radius); int near = min(max(i + d, 0), n - 1); int at = i + 2 * d;"),
                    Says("int near = i + d; int at = i + 2 * d; sum += (d + 50) * x[at] + x[near];"),
                    Says("const bool inside = i + 2 <= n - 1;"), Says("sum += (d + 1) * x[i + d];")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
  EXPECT_EQ(bench.difference(text, windows), "");
}

TEST_F(CudaTransforms, InteriorLeavesClampsAloneWhoseBoundsChange) {
  EXPECT_FALSE(
      is_offered("int last = n - 1;\nfor (int d = 0; d < radius; ++d) { sum += x[min(i + d, last)]; --last; }"));
  EXPECT_FALSE(is_offered("for (int d = 0; d < radius; ++d) sum += x[min(i + d, (int)x[0])];"));
  EXPECT_FALSE(is_offered("int at = i;\nfor (int d = 0; d < radius; ++d) { sum += x[min(at + d, n - 1)]; ++at; }"));
  EXPECT_FALSE(is_offered("for (int d = 0; d < radius; ++d) sum += x[min(i + d, n / radius)];"));
}

TEST_F(CudaTransforms, InteriorLeavesClampsAloneThatItCannotFollow) {
  EXPECT_FALSE(is_offered("for (int d = 0; d < radius; ++d) sum += x[min((unsigned)i - d, (unsigned)n - 1)];"));
  EXPECT_FALSE(is_offered("for (int d = 0; d < radius; ++d) sum += x[min(i + d * d, n - 1)];"));
  EXPECT_FALSE(is_offered("for (int d = 0; d < radius; ++d) { short at = i + d; sum += x[min((int)at, n - 1)]; }"));
  EXPECT_FALSE(is_offered("for (int d = 0; d < radius; ++d) sum += x[least(i + d, n - 1)];",
                          "__device__ int least(int a, int b) { return a < b ? a : b; }"));
  // A choice by the counter alone holds for all threads or for none.
  EXPECT_FALSE(is_offered("for (int d = -radius; d <= radius; ++d) sum += x[d < 0 ? i : i / 2 + d - d];"));
  // The same for all threads: a strip's end.
  EXPECT_FALSE(is_offered("for (int d = 0; d < radius; ++d) sum += x[min(d + 4, n - 1)];"));
  EXPECT_FALSE(is_offered("for (int d = 0; d < radius; ++d) { sum += x[min(i + d, n - 1)]; __syncthreads(); }"));
}

TEST_F(CudaTransforms, InteriorLeavesOnlyWhatItCannotFollow) {
  const std::string text = CudaBench(window("int last = n - 1;\nfor (int d = 0; d < radius; ++d) {\n"
                                            "sum += x[min(i + d, last)] * x[max(i - d, 0)];\n--last;\n}"))
                               .apply(interior);
  EXPECT_THAT(without_blanks(text), Not(HasSubstr(without_blanks("x[i + d]"))));
  EXPECT_THAT(text, AllOf(Says("const bool inside = i - (radius - 1) >= 0;"), Says("x[min(i + d, last)] * x[i - d]")));
}

}  // namespace
}  // namespace hone::frontend
