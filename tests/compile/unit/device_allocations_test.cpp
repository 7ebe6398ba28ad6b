// Which texts may ask a device for memory.
#include "tool/compile/unit/device_allocations.h"

#include <gtest/gtest.h>

namespace hone::compile {
namespace {

KernelUnit unit_of(const std::string& opening) {
  KernelUnit unit;
  unit.opening = opening;
  unit.definition = "void f(float* x, int n) { k<<<n, 256>>>(x); }";
  return unit;
}

TEST(DeviceAllocations, AreNotInPlainLauncher) {
  const KernelUnit unit =
      unit_of("#include <cuda_runtime.h>\n#include <cooperative_groups/reduce.h>\n#include <cmath>\n");
  EXPECT_FALSE(may_allocate_on_device(unit, {}, {"nvcc", "-O2", "-Iincludes"}));
  EXPECT_FALSE(may_allocate_on_device("__global__ void k(float* renewed) { __shared__ float tile[32]; }", {}));
}

TEST(DeviceAllocations, AreInWhateverMayBringThem) {
  for (const char* text :
       {"cudaMallocAsync(&p, n, 0);", "float* p = new float[n];", "float* p = (float*)malloc(n);",
        "thrust::device_vector<float> v(n);", "#include <cub/cub.cuh>\n", "#include <vector>\n",
        "#include < memory >\n", "cudaMal\\\nloc(&p, n);", "cudaMal\\ \r\nloc(&p, n);", "#define CALL(a, b) a %:%: b\n",
        "cuMemCreate(&p, n, &how, 0);", "#define CALL(a, b) a##b\n", "cuda::device_buffer<float> b;"}) {
    EXPECT_TRUE(may_allocate_on_device(text, {})) << text;
    EXPECT_TRUE(may_allocate_on_device(unit_of(text), {}, {})) << text;
  }
}

TEST(DeviceAllocations, AreLookedForInAllThatCandidateCanCall) {
  KernelUnit unit = unit_of("float* scratch(int n);");
  EXPECT_FALSE(may_allocate_on_device(unit, {}, {}));
  EXPECT_TRUE(may_allocate_on_device(unit, {}, {"nvcc", "-include", "helpers.h"}));
  unit.closing = "float* scratch(int n) { float* p; cudaMalloc(&p, n); return p; }";
  EXPECT_TRUE(may_allocate_on_device(unit, {}, {}));
}

TEST(DeviceAllocations, AreLookedForInProjectsHeaders) {
  const KernelUnit unit = unit_of("#include \"memory.h\"\n#include <lib/memory.h>\n");
  HeaderTree headers{.headers = {{"project/lib/memory.h", "inline float* get(float* p) { return p; }"}}};
  EXPECT_FALSE(may_allocate_on_device(unit, headers, {}));
  headers.headers.push_back(
      {"project/memory.h", "inline float* get(int n) { float* p; cudaMalloc(&p, n); return p; }"});
  EXPECT_TRUE(may_allocate_on_device(unit, headers, {}));
}

}  // namespace
}  // namespace hone::compile
