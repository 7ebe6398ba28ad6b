// Launches in a loop of the host, each of which needs the one before, that become one kernel.
#include <gmock/gmock.h>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Not;

class CudaChains : public CudaTransforms {};

const std::string smooth = R"(
__global__ void smooth(const float* __restrict__ from, float* __restrict__ to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  to[i] = 0.5f * __ldg(&from[i]) + 0.25f * (from[i > 0 ? i - 1 : n - 1] + from[i + 1 < n ? i + 1 : 0]);
}
)";
const std::string smooth_annotation =
    "#pragma hone kernel inout(x[0:n]) out(y[0:n]) problem(n=1000, steps=10) problem(n=5000, steps=5)\n";

std::string smoothed(const std::string& body, const std::string& kernel = smooth) {
  return kernel + smooth_annotation + "void run(float* x, float* y, int n, int steps) {\n" + body + "\n}\n";
}

const std::string drive_smooth = R"(for (int n : {1, 64, 300, 3000}) for (int steps : {0, 1, 4, 5}) {
  auto x = numbers<float>(n), y = numbers<float>(n); run(x.data(), y.data(), n, steps); keep(x); keep(y); })";

// The same by all that runs at once, by one block, and by few. `around`: what candidates use of the file.
void expect_same(CudaBench& bench, const std::string& drive, const std::string& around = "") {
  std::vector<std::string> texts;
  for (const std::vector<int>& arguments : {std::vector{0, 256}, {1, 1024}, {2, 64}})
    texts.push_back(bench.apply({{"chain_launches", 0, arguments}}));
  EXPECT_EQ(bench.refusal(texts.front()), "");
  for (const std::string& text : texts) EXPECT_EQ(bench.difference(text, drive), "") << text;
  for (std::string& text : texts) {
    const SplitSource split = split_includes(text);
    text = split.includes + around + split.definition;
  }
  EXPECT_EQ(complaint_of_nvcc(texts), "");
}

TEST_F(CudaChains, ChainStepsWithExchangedBuffers) {
  CudaBench bench(smoothed(R"(float* from = x; float* to = y;
  for (int t = 0; t < steps; ++t) {
    smooth<<<(n + 63) / 64, 64>>>(from, to, n);
    std::swap(from, to);
  }
  smooth<<<(n + 63) / 64, 64>>>(from, to, n);)"));
  const std::string text = bench.apply({{"chain_launches", 0, {0, 256}}});
  EXPECT_THAT(text, AllOf(Says("cooperative_groups::this_grid().sync()"), Says("(*(&from[i]))"),
                          Says("run_steps(int steps, int n, float* from, float* to)"),
                          Says("__global__ void smooth_tuned(const float* __restrict__ from"),
                          Says("void smooth_tuned_step(uint3 block_index")))
      << "the kernel is launched once more, behind the loop";
  expect_same(bench, drive_smooth);
}

TEST_F(CudaChains, ChainTwoLaunchesAndChoiceInEachStep) {
  CudaBench bench(smoothed(R"(for (int t = 0; t < steps; ++t) {
    if (t % 3 == 2) smooth<<<(n + 63) / 64, 64>>>(y, x, n);
    else smooth<<<(n + 63) / 64, 64>>>(t % 2 ? y : x, t % 2 ? x : y, n);
  })"));
  EXPECT_THAT(bench.apply({{"chain_launches", 0, {1, 1024}}}),
              AllOf(Says("run_steps<<<1, 1024>>>(steps, n, y, x);"), Not(Says("cooperative_groups"))));
  expect_same(bench, drive_smooth);
}

TEST_F(CudaChains, ChainAntidiagonals) {
  CudaBench bench(R"(
__global__ void border(int* score, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) score[i] = -i;
  if (i <= m) score[i * (n + 1)] = -i;
}
__global__ void diagonal(const int* a, const int* b, int* score, int n, int d, int first, int last) {
  int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i > last) return;
  int j = d - i;
  int* here = score + i * (n + 1) + j;
  int best = here[-(n + 2)] + (a[i - 1] == b[j - 1] ? 2 : -1);
  *here = max(best, max(here[-(n + 1)], here[-1]) - 1);
}
#pragma hone kernel in(a[0:m], b[0:n]) out(score[0:m + 1][0:n + 1]) problem(m=100, n=80) stream(s)
void run(const int* a, const int* b, int* score, int m, int n, cudaStream_t s) {
  border<<<(std::max(m, n) + 32) / 32, 32, 0, s>>>(score, m, n);
  for (int d = 2; d <= m + n; ++d) {
    int first = max(1, d - n), last = std::min(m, d - 1);
    if (first <= last) diagonal<<<(last - first + 32) / 32, 32, 0, s>>>(a, b, score, n, d, first, last);
  }
}
)");
  EXPECT_THAT(bench.apply({{"chain_launches", 0, {0, 32}}}),
              AllOf(Says("int first = max(1, d - n), last = ::min(m, d - 1);"), Says("32, 0, s, "),
                    Not(Says("diagonal_tuned("))));
  EXPECT_THAT(bench.catalog().recipes, Contains(Contains(Gene{"chain_launches", 0, {0, 1024}})));
  EXPECT_THAT(bench.apply({{"chain_launches", 0, {1, 1024}}, {"restrict", 1, {}}}),
              AllOf(Says("const int *__restrict__ a, const int *__restrict__ b, int *score"), Says("1024, 0, s>>>")))
      << "a step reads scores that other threads wrote in the step before";
  expect_same(bench, R"(for (int m : {1, 40, 300}) {
  int n = 300 - m / 2; auto a = numbers<int>(m), b = numbers<int>(n), score = numbers<int>((m + 1) * (n + 1));
  for (int& each : a) each %= 4;
  for (int& each : b) each %= 4;
  run(a.data(), b.data(), score.data(), m, n, nullptr); keep(score); })");
}

TEST_F(CudaChains, ChainNestedPassesOfSort) {
  const std::string functions = R"(
static int shared_out(int n, int among) { return (n + among - 1) / among; }
static int blocks_for(int n) {
  int blocks = shared_out(n, 32);
  return std::min(blocks, 999);
}
)";
  CudaBench bench(functions + R"(
__global__ void pass(int* x, int n, int run_length, int distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other > i && other < n && ((i & run_length) == 0) == (x[i] > x[other])) {
    int kept = x[i]; x[i] = x[other]; x[other] = kept;
  }
}
#pragma hone kernel inout(x[0:n]) problem(n=1024)
void run(int* x, int n) {
  for (int run_length = 2; run_length <= n; run_length *= 2)
    for (int distance = run_length / 2; distance > 0; distance /= 2) pass<<<blocks_for(n), 32>>>(x, n, run_length, distance);
}
)");
  EXPECT_THAT(bench.apply({{"chain_launches", 0, {1, 1024}}}),
              Says("int run_blocks_for(int n) { int blocks = run_shared_out(n, 32); return ::min(blocks, 999); }"));
  // The most are steps of 128 blocks, where 6 of as many threads, or of 256, run at once.
  expect_same(bench, "for (int n : {2, 100, 1024, 4096}) { auto x = numbers<int>(n); run(x.data(), n); keep(x); }",
              functions);
}

TEST_F(CudaChains, ChainBlocksOfPlaneThatShareMemory) {
  CudaBench bench(R"(
__global__ void spread(const float* from, float* to, int rows, int columns) {
  __shared__ float tile[10][18];
  int r = blockIdx.y * 8, c = blockIdx.x * 16;
  for (int i = threadIdx.y; i < 10; i += 8)
    for (int j = threadIdx.x; j < 18; j += 16) {
      int y = r + i - 1, x = c + j - 1;
      tile[i][j] = y < 0 || y >= rows || x < 0 || x >= columns ? 0 : from[y * columns + x];
    }
  __syncthreads();
  int y = threadIdx.y, x = threadIdx.x;
  if (r + y >= rows || c + x >= columns) return;
  to[(r + y) * columns + c + x] =
      0.25f * (tile[y][x + 1] + tile[y + 2][x + 1] + tile[y + 1][x] + tile[y + 1][x + 2]);
}
#pragma hone kernel inout(a[0:rows][0:columns]) out(b[0:rows][0:columns]) problem(rows=40, columns=70, steps=4)
void run(float* a, float* b, int rows, int columns, int steps) {
  dim3 block(16, 8), grid((columns + 15) / 16, (rows + 7) / 8);
  float *from = a, *to = b;
  for (int t = 0; t < steps; ++t) {
    spread<<<grid, block>>>(from, to, rows, columns);
    float* kept = from;
    from = to;
    to = kept;
  }
}
)");
  EXPECT_THAT(bench.apply({{"chain_launches", 0, {0}}}), Says("__syncthreads();"));
  expect_same(bench, R"(for (int steps : {1, 2, 5}) { auto a = numbers<float>(43 * 70), b = a;
  run(a.data(), b.data(), 43, 70, steps); keep(a); keep(b); })");
}

TEST_F(CudaChains, KeepLoopsThatDoMoreThanLaunch) {
  const std::string launch = "smooth<<<(n + 63) / 64, 64>>>(x, y, n);";
  for (const std::string& body :
       {"for (int t = 0; t < steps; ++t) { " + launch + " cudaMemcpyAsync(x, y, n * 4, cudaMemcpyDeviceToDevice); }",
        "for (int t = 0; t < steps; ++t) { " + launch + " if (cudaPeekAtLastError() != cudaSuccess) return; }",
        "for (int t = 0; t < steps; ++t) { " + launch + " if (t == n) return; }",
        "for (int t = 0; t < steps; ++t) { " + launch + " if (rand() == t) break; }",
        std::string("for (int t = 0; t < steps; ++t) smooth<<<(n + 63) / 64, t + 1>>>(x, y, n);"),
        std::string("float* both[2] = {x, y};\n"
                    "for (int t = 0; t < steps; ++t) smooth<<<(n + 63) / 64, 64>>>(both[t % 2], both[1 - t % 2], n);")})
    EXPECT_FALSE(CudaBench(smoothed(body)).applies({"chain_launches", 0, {}})) << body;
}

TEST_F(CudaChains, KeepLoopsThatDeviceWouldRunOtherwise) {
  const std::string around = R"(
struct Config { int steps; };
struct Names { const int& steps; };
struct Twice { int n; __host__ __device__ Twice(int k) : n(2 * k) {} };
__host__ __device__ inline int blocks_for(int n) { return (n + 63) / 64; }
__host__ __device__ inline int steps_of(const Config* config) { return config->steps; }
__host__ __device__ inline int steps_on(int n) {
#ifdef __CUDA_ARCH__
  return n;
#else
  return n + 1;
#endif
}
static int scaled(int n) { return n * 0.4f + 0.1f; }
static int below(int n, double least) { return least < 1 ? n : 1; }
)";
  const std::string before =
      "const Config own{steps}; const Config* config = &own; const Names names{steps}; float part = 0.5f; int t = 0;\n";
  const auto chained = [&](const std::string& body) {
    return CudaBench(around + smoothed(before + body)).applies({"chain_launches", 0, {}});
  };
  const std::string launch = "smooth<<<blocks_for(n), 64>>>(x, y, n);";
  for (const std::string& body :
       {"for (; t < own.steps; ++t) " + launch,
        "for (; t < steps; ++t) { float chosen = t % 2 ? part : -1.0f; part = chosen; " + launch + " }"})
    EXPECT_TRUE(chained(body)) << body;
  for (const std::string& body :
       {// What a launch changes on its way.
        std::string("while (t < steps) smooth<<<blocks_for(n), 64>>>(x, y, t++);"),
        std::string("while (t < steps) smooth<<<t += 1, 64>>>(x, y, n);"),
        std::string("for (; t < steps; ++t) smooth<<<1, 64>>>(x, y, (std::swap(x, y), n));"),
        // What only the host can read, or has another meaning for the device.
        "for (; t < config->steps; ++t) " + launch, "for (; t < steps_of(config); ++t) " + launch,
        "for (; t < (*config).steps; ++t) " + launch, "for (; t < names.steps; ++t) " + launch,
        "for (; t < steps_on(steps); ++t) " + launch, "for (; t < Twice(steps).n; ++t) " + launch,
        // Rounded otherwise by a device.
        "for (; t < scaled(steps); ++t) " + launch, "for (; t < below(steps, 0.5); ++t) " + launch,
        "for (; t < steps; ++t) { part = part * part + 1; " + launch + " }",
        "for (; t < steps; ++t) if (part) " + launch,
        "for (; t < steps; ++t) { part = std::min(part, 1.0f); " + launch + " }"})
    EXPECT_FALSE(chained(body)) << body;
}

TEST_F(CudaChains, ReadWhatKernelsCallInHeaders) {
  const auto folder = os::TemporaryFolder::create("hone-header").value();
  const std::string header = (folder.path() / "items.h").string();
  EXPECT_TRUE(os::write_file_atomically(header, R"(#pragma once
#define LOAD(at) __ldg(at)
__device__ inline int half_of(int n) { return n / 2; }
__device__ inline int item() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline int item_of(int block = blockIdx.x) { return block * 64; }
__device__ inline float read(const float* at) { return LOAD(at); }
__device__ inline int lane() { int of; asm("mov.u32 %0, %laneid;" : "=r"(of)); return of; }
__device__ inline void wait() { __syncthreads(); }
struct Item { int at; __device__ Item() : at(blockIdx.x * blockDim.x + threadIdx.x) {} };
struct First { int at = item(); };
struct Any { __device__ virtual int at() const { return 0; } };
struct Leaves { __device__ ~Leaves() { __syncthreads(); } };
)"));
  const auto kernel = [&](const std::string& work) {
    return smoothed("for (int t = 0; t < steps; ++t) smooth<<<(n + 63) / 64, 64>>>(x, y, n);",
                    "#include \"" + header +
                        "\"\nstruct Own { int at; __device__ Own() : at(blockIdx.x * blockDim.x + threadIdx.x) {} };\n"
                        "__global__ void smooth(const float* from, float* to, int n) {\n"
                        "int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
                        work + "\n}\n");
  };
  CudaBench dealt(kernel("to[i] = from[half_of(i)];")), waits(kernel("wait();\nto[i] = from[i];"));
  const std::string kept = "shared memory is the next block's";
  EXPECT_THAT(dealt.apply({{"chain_launches", 0, {0, 256}}}), Not(Says(kept)));
  EXPECT_THAT(waits.apply({{"chain_launches", 0, {0, 256}}}), Says(kept));
  for (const std::string work :
       {"to[item()] = from[i];", "to[item_of()] = from[i];", "to[i] = read(from + i);", "to[lane()] = from[i];",
        "if (i >= n) return;\nwait();\nto[i] = from[i];", "Item item;\nto[item.at] = 1;",
        "First first;\nto[first.at] = 1;", "Leaves leaves;\nto[i] = 1;", "Own own;\nto[own.at] = 1;",
        "Any any;\nto[any.at()] = 1;"})
    EXPECT_FALSE(CudaBench(kernel(work)).applies({"chain_launches", 0, {}})) << work;
}

TEST_F(CudaChains, KeepKernelsThatNoFunctionCanBe) {
  const auto kernel = [](const std::string& work) {
    return "#define ITEM (blockIdx.x * blockDim.x + threadIdx.x)\n"
           "__device__ float read(const float* at) { return __ldg(at); }\n"
           "__global__ void smooth(const float* from, float* to, int n) {\n" +
           work + "\n}\n";
  };
  const std::string loop = "for (int t = 0; t < steps; ++t) smooth<<<(n + 63) / 64, 64>>>(t % 2 ? x : y, y, n);";
  const std::string index = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
  EXPECT_TRUE(CudaBench(smoothed(loop, kernel(index + "to[i] = from[i];"))).applies({"chain_launches", 0, {}}));
  for (const std::string& work : {index + "if (i >= n) return;\n__syncthreads();\nto[i] = from[i];",
                                  std::string("to[ITEM] = from[0];"), index + "if (i < n) to[i] = read(from + i);",
                                  index + "if (i >= n) return;\nto[i] = __shfl_down_sync(0xffffffff, from[i], 1);"})
    EXPECT_FALSE(CudaBench(smoothed(loop, kernel(work))).applies({"chain_launches", 0, {}})) << work;
}

}  // namespace
}  // namespace hone::frontend
