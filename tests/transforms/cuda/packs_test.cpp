// Several items at once: vector accesses, half precision in pairs.
#include <gmock/gmock.h>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;
using ::testing::Not;

TEST_F(CudaTransforms, VectorAccessChecksAlignment) {
  CudaBench bench(doubled);
  EXPECT_THAT(bench.apply({{"vector_access", 0, {4}}}),
              AllOf(Says("run_pack<float, 4>"), Says("alignof"), Says("y_pack.part[part] = 2 * x_pack.part[part]")));
}

TEST_F(CudaTransforms, VectorAccessLoadsPartlyWrittenPacks) {
  CudaBench bench(
      elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) { if (x[i] > 0) y[i] = x[i]; }"));
  EXPECT_THAT(bench.apply({{"vector_access", 0, {4}}}),
              Says("y_pack = *reinterpret_cast<const run_pack<float, 4>*>(&y[i_first])"));
}

// What a function is told by an address stays in the array.
TEST_F(CudaTransforms, VectorAccessLeavesElementsWhoseAddressIsTaken) {
  for (const std::string value : {"__ldcs(&x[i])", "__ldcs(x + i) + x[i]", "__ldcv(x + i)"}) {
    CudaBench bench(elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) y[i] = " + value + ";"));
    EXPECT_THAT(bench.apply({{"vector_access", 0, {4}}}),
                AllOf(Says("y_pack.part[part] = " + value), Not(Says("x_pack"))));
  }
  CudaBench reference(
      elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) { float& to = y[i]; to = x[i]; }"));
  EXPECT_THAT(reference.apply({{"vector_access", 0, {4}}}), AllOf(Says("x_pack"), Not(Says("y_pack"))));
}

TEST_F(CudaTransforms, PlainAccessDropsCacheHints) {
  CudaBench bench(
      elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "if (i < n) __stcs(y + i, 2 * __ldg(&x[(int)__ldcs(x + i) % n]) + __ldcg(&x[i]) + __ldca(x));"));
  const std::string plain = bench.apply({{"plain_access", 0, {}}});
  EXPECT_THAT(plain, Says("if (i < n) y[i] = 2 * x[(int)x[i] % n] + __ldcg(&x[i]) + (*x);"));
  EXPECT_EQ(bench.refusal(plain), "");
  EXPECT_EQ(complaint_of_nvcc({plain}), "");
}

// A reference to x[i] would see what is stored there later.
TEST_F(CudaTransforms, PlainAccessLeavesValuesThatReferencesAreBoundTo) {
  CudaBench bench(
      elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "if (i < n) { const float& old = __ldcs(&y[i]); y[i] = __ldcs(&x[i]); y[i] += old; }"));
  EXPECT_THAT(bench.apply({{"plain_access", 0, {}}}), AllOf(Says("old = __ldcs(&y[i]); y[i] = x[i];")));
}

TEST_F(CudaTransforms, RecipesBeginWithPlainAccesses) {
  CudaBench bench(
      elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) __stcs(&y[i], 2 * __ldcs(&x[i]));"));
  const Genome& first = bench.catalog().recipes.at(0);
  EXPECT_EQ(first.front(), (Gene{"plain_access", 0, {}}));
  EXPECT_THAT(bench.apply(first), Says("y_pack.part[part] = 2 * x_pack.part[part]"));
}

// A launcher on n elements of half precision with the given body for its kernel.
std::string halves(const std::string& body, const std::string& type = "__half") {
  const std::string header = type == "__nv_bfloat16" ? "cuda_bf16.h" : "cuda_fp16.h";
  return "#include <" + header + ">\n__global__ void each(const " + type + "* x, " + type + "* y, " + type +
         " a, int n) {\nint i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i >= n) return;\n" + body +
         "\n}\n#pragma hone kernel in(x[0:n]) inout(y[0:n]) problem(n=100000)\nvoid run(const " + type + "* x, " +
         type + "* y, " + type + " a, int n) { each<<<(n + 255) / 256, 256>>>(x, y, a, n); }\n";
}

TEST_F(CudaTransforms, VectorAccessPacksEightHalves) {
  CudaBench bench(halves("y[i] = __float2half(2.0f * __half2float(x[i]));"));
  const std::string packed = bench.apply({{"vector_access", 0, {}}});
  EXPECT_THAT(
      bench.apply({{"vector_access", 0, {8}}}),
      AllOf(Says("run_pack<__half, 8> x_pack = *reinterpret_cast<const"),
            Says("run_pack<__half, 8> y_pack;"),  // all of it is written
            Says("y_pack.part[part] = __float2half(2.0f * __half2float(x_pack.part[part]));"), Not(Says("__half2&"))));
  EXPECT_EQ(bench.refusal(packed), "") << packed;
}

TEST_F(CudaTransforms, VectorAccessComputesHalvesInPairs) {
  CudaBench bench(halves("half v = x[i] * a;\ny[i] = v + y[i] - __hfma(x[i], a, __float2half(0.5f));"));
  const std::string pairs = bench.apply({{"vector_access", 0, {8, 1}}});
  EXPECT_THAT(pairs, AllOf(Says("part < 4"),
                           Says("__half2 v = (reinterpret_cast<__half2&>(x_pack.part[2 * part]) * "
                                "__half2half2(a));"),
                           Says("reinterpret_cast<__half2&>(y_pack.part[2 * part]) = ((v + "),
                           Says("- __hfma2(reinterpret_cast<__half2&>(x_pack.part[2 * part]), __half2half2(a), "
                                "__half2half2(__float2half(0.5f))))")));
  EXPECT_THAT(bench.apply({{"vector_access", 0, {8, 0}}}), Says("half v = x_pack.part[part] * a;"));
  CudaBench brain(halves("y[i] = __hmul_rn(x[i], y[i]);", "__nv_bfloat16"));
  const std::string brains = brain.apply({{"vector_access", 0, {4, 1}}});
  EXPECT_THAT(brains, Says("__hmul2_rn(reinterpret_cast<__nv_bfloat162&>(x_pack.part[2 * part])"));
  EXPECT_EQ(bench.refusal(pairs), "");
  EXPECT_EQ(complaint_of_nvcc({"#include <cuda_fp16.h>\n" + pairs}), "");
  EXPECT_EQ(complaint_of_nvcc({"#include <cuda_bf16.h>\n" + brains}), "");
}

TEST_F(CudaTransforms, VectorAccessKeepsOtherHalfCodeScalar) {
  for (const std::string body : {"y[i] = x[i] / a;", "y[i] = __float2half(__half2float(x[i]));",
                                 "y[i] = x[i] * __int2half_rn(i);", "y[i] = x[i];\nif (x[i] > a) y[i] = a;"}) {
    CudaBench bench(halves(body));
    EXPECT_THAT(bench.apply({{"vector_access", 0, {8, 1}}}), AllOf(Says("run_pack<__half, 8>"), Not(Says("__half2&"))))
        << body;
  }
}

TEST_F(CudaTransforms, VectorAccessPacksWholeSmallVectors) {
  CudaBench bench(R"(__global__ void each(const float2* x, float2* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i].x = x[i].y;
}
#pragma hone kernel in(x[0:n]) inout(y[0:n]) problem(n=100000)
void run(const float2* x, float2* y, int n) { each<<<(n + 255) / 256, 256>>>(x, y, n); }
)");
  EXPECT_THAT(bench.apply({{"vector_access", 0, {2}}}),
              AllOf(Says("y_pack.part[part].x = x_pack.part[part].y"),
                    Says("y_pack = *reinterpret_cast<const run_pack<float2, 2>*>(&y[i_first])")));
}

TEST_F(CudaTransforms, VectorAccessLoopsByWholeGrids) {
  CudaBench bench(doubled);
  const std::string text = bench.apply({{"vector_access", 0, {4, 0, 1024}}});
  EXPECT_THAT(text, AllOf(Says("for (long long i_group = blockIdx.x * blockDim.x + threadIdx.x; (i_group * 4) < n; "
                               "i_group += i_step)"),
                          Says("const int i_first = static_cast<int>(i_group * 4);"),
                          Says("<<<run_most(run_fewer((n + 255) / 256, 4, 1), 1024), 256>>>")));
  EXPECT_EQ(complaint_of_nvcc({text}), "");
}

}  // namespace
}  // namespace hone::frontend
