// Histograms as large as a parameter says: copies in shared memory that the launch asks for.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Not;

// Keys that are no bin are left out, by threads of which some leave early.
const std::string counted_keys = R"(
__global__ void count_each(const int* keys, unsigned* counts, int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int key = keys[i];
  if (key >= 0 && key < bins) atomicAdd(&counts[key], 1u);
}
#pragma hone kernel in(keys[0:n]) inout(counts[0:bins]) init(keys: uniform(-2, bins + 1)) problem(n=100000, bins=256) stream(s)
void run(const int* keys, unsigned* counts, int n, int bins, cudaStream_t s) {
  if (n == 0) return;
  count_each<<<(n + 255) / 256, 256, 0, s>>>(keys, counts, n, bins);
}
)";
// Up to four copies fit, then one, then none (from 12289 on).
const std::string all_sizes =
    R"(for (int bins : {0, 1, 7, 300, 3072, 6145, 12288, 12289, 20000}) for (int n : {1, 255, 5003}) {
  std::vector<int> x(n + 8); std::vector<unsigned> counts(bins + 1, 3u);
  for (int i = 0; i < n; ++i) x[i] = int((i * 7919u) % unsigned(bins + 5)) - 2;
  run(x.data(), counts.data(), n, bins, nullptr); keep(counts); })";

TEST_F(CudaTransforms, PrivatizeAtomicsAsksForMemoryOfParametersSize) {
  CudaBench bench(counted_keys);
  const std::string text = bench.apply({{"privatise_atomics", 0, {4}}});
  EXPECT_THAT(text,
              AllOf(Says("<<<(n + 255) / 256, 256, run_counts_copies(bins) * bins * sizeof(unsigned int), s>>>"),
                    Says("copies = run_counts_copies(bins), extent = copies > 0 ? static_cast<int>(bins) : 0;"),
                    Says("if (copies > 0) atomicAdd(&counts_of_warp[key], 1u); else atomicAdd(&counts[key], 1u);"),
                    Says("if (extent < 1 || extent > 12288) return 0;"), Says("return fitting < 4 ? fitting : 4;")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
  EXPECT_EQ(bench.difference(text, all_sizes), "");
}

TEST_F(CudaTransforms, CountByParameterStartsWithBlocksThatGoOn) {
  CudaBench bench(counted_keys);
  std::vector<std::string> texts;
  for (std::size_t number = 0; number < 3; ++number) texts.push_back(bench.apply(bench.catalog().recipes.at(number)));
  EXPECT_THAT(texts, Each(AllOf(Says("run_most(run_fewer("), Says("i_group += i_step"), Says("run_pack<int, 4>"),
                                Says("run_counts_copies(bins) * bins"))));
  for (const std::string& text : texts) {
    EXPECT_EQ(bench.refusal(text), "") << text;
    EXPECT_EQ(bench.difference(text, all_sizes), "");
  }
  EXPECT_EQ(complaint_of_nvcc(texts), "");
}

// The kernel's names are others than the launcher's; int could not hold every product.
const std::string counted_planes = R"(
__global__ void count_each(const unsigned char* x, float* h, int count, int width, int planes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    for (int plane = 0; plane < planes; ++plane)
      if (x[i] % width > plane) atomicAdd(&h[plane * width + x[i] % width], 0.5f);
  }
}
#pragma hone kernel in(x[0:n]) inout(hist[0:channels][0:bins]) problem(n=100000, bins=9, channels=3)
void run(const unsigned char* x, float* hist, int n, int bins, int channels) {
  count_each<<<(n + 127) / 128, 128>>>(x, hist, n, bins, channels);
}
)";

TEST_F(CudaTransforms, PrivatizeAtomicsTakesProductOfParameters) {
  CudaBench bench(counted_planes);
  const std::string text = bench.apply({{"privatise_atomics", 0, {}}});
  EXPECT_THAT(text,
              AllOf(Says("128, run_h_copies((static_cast<long long>(channels)) * (static_cast<long long>(bins)))"),
                    Says("copies = run_h_copies((static_cast<long long>(planes)) * (static_cast<long long>(width)))")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
  EXPECT_EQ(bench.difference(text, R"(for (int bins : {1, 9, 256, 5000}) for (int channels : {0, 1, 3}) {
  auto x = numbers<unsigned char>(1000); std::vector<float> hist(channels * bins + 1, 1.0f);
  run(x.data(), hist.data(), 1000, bins, channels); keep(hist); })"),
            "");
}

TEST_F(CudaTransforms, PrivatizeAtomicsInGlobalKernelWithOwnLaunch) {
  CudaBench bench(R"(
#pragma hone kernel in(x[0:n]) inout(counts[0:1 << bits]) init(x: index(1 << bits)) problem(n=100000, bits=8) \
    launch(grid((n + 255) / 256), block(256))
__global__ void digits(const int* x, int* counts, int n, int bits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[x[i]], 1);
}
void use(const int* x, int* counts, int n, int bits) { digits<<<(n + 255) / 256, 256>>>(x, counts, n, bits); }
)");
  const std::string text = bench.apply({{"privatise_atomics", 0, {}}});
  EXPECT_THAT(text, AllOf(Says("(n + 255) / 256, 256, digits_counts_copies(1LL << static_cast<long long>(bits))"),
                          Says("sizeof(int), stream>>>")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
}

// The text with one thing changed that copies as large as a parameter says cannot be had with.
std::string with(const std::string& from, const std::string& to) {
  std::string text = counted_keys;
  const std::size_t at = text.find(from);
  return at == std::string::npos ? "" : text.replace(at, from.size(), to);
}

TEST_F(CudaTransforms, PrivatizeAtomicsKeepsKernelsWithSharedMemoryOfTheirOwn) {
  std::string calls =
      with("__global__", "__device__ int shared(int key) { __shared__ int all[9]; return all[0] = key; }\n__global__");
  EXPECT_TRUE(CudaBench(calls).applies({"privatise_atomics", 0, {}})) << "nobody calls it";
  calls.replace(calls.find("key = keys[i]"), 13, "key = shared(keys[i])");
  for (const std::string& text :
       {calls, with("256, 0, s", "256, n > 9 ? 64 : 0, s"), with("256, 0, s", "256, 1024, s"),
        with("key = keys[i]", "key = keys[i];\n  extern __shared__ int more[];\n  key += more[0] * 0")}) {
    ASSERT_NE(text, "");
    EXPECT_FALSE(CudaBench(text).applies({"privatise_atomics", 0, {}})) << text;
  }
}

TEST_F(CudaTransforms, PrivatizeAtomicsNeedsSizeInKernel) {
  for (const std::string& text :
       {with("counts, n, bins);", "counts, n, bins - 1);"),  // another number is handed on
        with("counts[0:bins]", "counts[0:bins + s_of]").replace(0, 1, "constexpr int s_of = 0;\n"),
        with("counts[0:bins]", "counts[0:bins / n]"),                     // may fail where the original does not
        with("int n, int bins) {\n  int", "int n, long bins) {\n  int"),  // of another type
        with("int key = keys[i];", "int key = keys[i]; if (key < 0) bins = 0;"),
        with("if (n == 0) return;", "if (n == 0) return; if (n < 0) bins = 9;")}) {
    ASSERT_NE(text, "");
    EXPECT_FALSE(CudaBench(text).applies({"privatise_atomics", 0, {}})) << text;
  }
}

}  // namespace
}  // namespace hone::frontend
