// Which texts may ask a device for memory.
#include "tool/compile/unit/device_allocations.h"

#include <gtest/gtest.h>

namespace hone::compile {
namespace {

FrozenUnit unit_of(const std::string& opening) {
  return {.opening = opening, .definition = "void f(float* x, int n) { k<<<n, 256>>>(x); }"};
}

TEST(DeviceAllocations, AreNotInPlainLauncher) {
  const FrozenUnit unit =
      unit_of("#include <cuda_runtime.h>\n#include <cooperative_groups/reduce.h>\n#include <cmath>\n");
  EXPECT_FALSE(may_allocate_on_device(unit, "__global__ void k(float* renewed) { __shared__ float tile[32]; }"));
}

TEST(DeviceAllocations, AreInWhateverMayBringThem) {
  for (const char* text : {"cudaMallocAsync(&p, n, 0);", "float* p = new float[n];", "float* p = (float*)malloc(n);",
                           "thrust::device_vector<float> v(n);", "#include <cub/cub.cuh>\n", "#include <vector>\n",
                           "#include < memory >\n", "#define CALL(a, b) a##b\n", "cuda::device_buffer<float> b;"}) {
    EXPECT_TRUE(may_allocate_on_device(unit_of(""), text)) << text;
    EXPECT_TRUE(may_allocate_on_device(unit_of(text), "")) << text;
  }
}

TEST(DeviceAllocations, AreLookedForInProjectsHeaders) {
  FrozenUnit unit = unit_of("#include \"memory.h\"\n");
  unit.headers.headers.push_back({"memory.h", "inline float* get(int n) { float* p; cudaMalloc(&p, n); return p; }"});
  EXPECT_TRUE(may_allocate_on_device(unit, ""));
}

}  // namespace
}  // namespace hone::compile
