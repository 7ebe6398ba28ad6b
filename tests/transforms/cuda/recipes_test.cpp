#include <gmock/gmock.h>

#include <algorithm>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

bool uses(const Genome& genome, const std::string& transform) {
  return std::any_of(genome.begin(), genome.end(), [&](const Gene& gene) { return gene.transform == transform; });
}

TEST(CudaRecipes, PassGateAndCompileForWholeSuite) {
  HONE_NEEDS_NVCC();
  std::vector<std::string> candidates;
  for (const std::string& name : suite_kernels()) {
    CudaBench& bench = suite_bench(name);
    const Catalog& catalog = bench.catalog();
    EXPECT_FALSE(catalog.recipes.empty()) << name;
    for (const Genome& recipe : catalog.recipes) candidates.push_back(bench.apply(recipe));
    EXPECT_EQ(bench.refusal(bench.apply(catalog.recipes.front())), "") << name;
  }
  EXPECT_EQ(complaint_of_nvcc(candidates), "");
}

// Each transformation that a launcher offers, alone, with each of its arguments' first values.
TEST(CudaRecipes, SingleGenesCompileForWholeSuite) {
  HONE_NEEDS_NVCC();
  std::vector<std::string> candidates;
  for (const std::string& name : suite_kernels()) {
    CudaBench& bench = suite_bench(name);
    for (const TransformSite& transform : bench.catalog().transforms)
      for (unsigned site = 0; site < transform.sites; ++site) {
        const std::size_t choices = transform.argument_choices.empty() ? 1 : transform.argument_choices.front().size();
        for (std::size_t choice = 0; choice < std::min<std::size_t>(choices, 2); ++choice) {
          Gene gene{transform.transform, site, {}};
          for (const auto& values : transform.argument_choices)
            gene.arguments.push_back(values[choice % values.size()]);
          const Rendered rendered = bench.workshop().render({gene});
          if (!rendered.applied.empty()) candidates.push_back(rendered.source);
        }
      }
  }
  EXPECT_GT(candidates.size(), 100u);
  EXPECT_EQ(complaint_of_nvcc(candidates), "");
}

// The first sums along memory and the second across it, both into memory.
TEST(CudaRecipes, ShapeAllKernelsOfLauncherAtOnce) {
  HONE_NEEDS_NVCC();
  CudaBench bench(R"(
__global__ void rows(const float* a, float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) for (int j = 0; j < n; ++j) x[i] += a[i * n + j];
}
__global__ void columns(const float* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) for (int j = 0; j < n; ++j) y[i] += a[j * n + i];
}
#pragma hone kernel in(a[0:n * n]) inout(x[0:n], y[0:n]) problem(n=1000)
void run(const float* a, float* x, float* y, int n) {
  rows<<<(n + 255) / 256, 256>>>(a, x, n);
  columns<<<(n + 255) / 256, 256>>>(a, y, n);
}
)");
  const Genome& first = bench.catalog().recipes.front();
  EXPECT_TRUE(uses(first, "row_group") && uses(first, "column_group"));
  const std::string text = bench.apply(first);
  EXPECT_THAT(text, AllOf(Says("run_sum<32>("), Says("run_column_sum<16>(")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
}

// Several rows for each thread would leave most of a device without any.
TEST(CudaRecipes, GiveEachRowGroupBeforeThreadsAddSeveralRowsUp) {
  HONE_NEEDS_NVCC();
  CudaBench bench(R"(
__global__ void losses(const float* a, float* loss, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < m; ++j) sum += a[i * m + j];
  atomicAdd(loss, sum);
}
#pragma hone kernel in(a[0:n * m]) inout(loss[0:1]) problem(n=1000, m=1000)
void run(const float* a, float* loss, int n, int m) { losses<<<(n + 255) / 256, 256>>>(a, loss, n, m); }
)");
  const auto& recipes = bench.catalog().recipes;
  EXPECT_TRUE(uses(recipes.front(), "row_group"));
  EXPECT_TRUE(std::ranges::any_of(recipes, [](const Genome& one) { return uses(one, "aggregate_atomics"); }));
}

TEST(CudaRecipes, GiveEachOfFewItemsGroupBeforeThreadsTakeSeveral) {
  HONE_NEEDS_NVCC();
  const auto first_with = [](const std::vector<Genome>& recipes, const std::string& transform) {
    return std::ranges::find_if(recipes, [&](const Genome& one) { return uses(one, transform); }) - recipes.begin();
  };
  for (const auto& [items, groups_first] : {std::pair{"1000", true}, {"1000000", false}}) {
    CudaBench bench(std::string(R"(
__global__ void products(const float* a, const float* b, float* c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < m; ++j) sum += a[j] * b[j * n + i];
  c[i] = sum;
}
#pragma hone kernel in(a[0:m], b[0:m * n]) out(c[0:n]) problem(m=100, n=)") +
                    items + R"()
void run(const float* a, const float* b, float* c, int n, int m) {
  products<<<(n + 255) / 256, 256>>>(a, b, c, n, m);
}
)");
    const auto& recipes = bench.catalog().recipes;
    EXPECT_EQ(first_with(recipes, "row_group") < first_with(recipes, "elements"), groups_first) << items;
  }
}

// What a group of threads shares it takes first; a recurrence is each thread's own.
TEST(CudaRecipes, LoadByWarpsBeforeRowGroupsWhereRowsCannotBeShared) {
  HONE_NEEDS_NVCC();
  for (const auto& [update, warps_first] :
       {std::pair{"s += x[r * n + t]", false}, {"s = s / 2 + x[r * n + t]", true}}) {
    CudaBench bench(std::string(R"(
__global__ void each(const float* x, float* y, int m, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= m) return;
  float s = 0;
  for (int t = 0; t < n; ++t) )") +
                    update + R"(;
  y[r] = s;
}
#pragma hone kernel in(x[0:m * n]) out(y[0:m]) problem(m=1000, n=1000)
void run(const float* x, float* y, int m, int n) { each<<<(m + 255) / 256, 256>>>(x, y, m, n); }
)");
    const auto& recipes = bench.catalog().recipes;
    EXPECT_EQ(uses(recipes.front(), "warp_transpose"), warps_first) << update;
    EXPECT_EQ(uses(recipes.front(), "row_group"), !warps_first) << update;
    EXPECT_TRUE(uses(recipes[2], "warp_transpose")) << update;
  }
}

struct First {
  std::string kernel, transform;
};

void PrintTo(const First& first, std::ostream* out) {
  *out << first.kernel << " by " << first.transform;
}

class CudaRecipe : public ::testing::TestWithParam<First> {};

TEST_P(CudaRecipe, StartsWithExpectedTransformation) {
  HONE_NEEDS_NVCC();
  EXPECT_TRUE(uses(suite_bench(GetParam().kernel).catalog().recipes.at(0), GetParam().transform));
}

INSTANTIATE_TEST_SUITE_P(Suite, CudaRecipe,
                         ::testing::Values(First{"reduction", "aggregate_atomics"},
                                           First{"histogram", "privatise_atomics"}, First{"gemv", "row_group"},
                                           First{"softmax", "row_group"}, First{"layer_norm", "row_group"},
                                           First{"batched_matmul", "row_group"}, First{"gemm", "tile_product"},
                                           First{"transpose", "store_through_tile"}, First{"stencil", "swap_axes"},
                                           First{"gelu_bias", "intrinsics"}, First{"scan", "tiled_scan"},
                                           First{"vector_add", "vector_access"}, First{"convolution_1d", "interior"},
                                           First{"convolution_2d", "interior"}),
                         [](const auto& parameter) { return parameter.param.kernel; });

TEST(CudaRecipes, AreDeterministic) {
  HONE_NEEDS_NVCC();
  EXPECT_EQ(CudaBench(suite_kernel("gemm")).workshop().survey().recipes, suite_bench("gemm").catalog().recipes);
}

}  // namespace
}  // namespace hone::frontend
