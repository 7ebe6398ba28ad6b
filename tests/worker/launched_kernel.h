// A __global__ kernel for the judge with the harness that the frontend writes for it, so that it is judged on machines
// that have no Clang. A test of the frontend's sees to it that the harness is still the one (cuda_launch_test.cpp).
#pragma once

#include <string>

namespace hone::test {

// y[i] is four times x[i], the long way: so long that a launch which does it at once is faster on every device. No
// xorshift comes back to where it began in so few steps, which no compiler knows.
inline const std::string launched_kernel = R"(static __global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned state = i + 1;
  for (int k = 0; k < 1024; ++k) { state ^= state << 13; state ^= state >> 17; state ^= state << 5; }
  y[i] = state == i + 1u ? 0 : 4 * x[i];
}
)";

// The user's file around it.
inline const std::string launched_file =
    "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1<<20) problem(n=999983) \\\n"
    "    launch(grid((n + 255) / 256), block(256))\n" +
    launched_kernel + "void run(const float* x, float* y, int n) { step<<<(n + 255) / 256, 256>>>(x, y, n); }\n";

// A candidate that launches kernels of its own; `launch` stands in its function.
inline std::string with_own_launch(const std::string& launch) {
  return launched_kernel + R"(static __global__ void four_at_a_time(const float* x, float* y, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < first + 4 && i < n; ++i) y[i] = 4 * x[i];
}
static void hone_launch_step(const float* x, float* y, int n, cudaStream_t stream) {
  )" + launch +
         "\n}\n";
}

}  // namespace hone::test
