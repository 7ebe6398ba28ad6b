// Times gemm_half as it is linked beside cuBLAS, with single sums too: medians of events, both problems.
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

extern "C" void gemm_half(const __half* a, const __half* b, __half* c, int m, int n, int k);

namespace {

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "beside_cublas: %s failed\n", what);
  std::exit(1);
}

__half* on_device(const std::vector<__half>& values) {
  __half* memory = nullptr;
  check(cudaMalloc(&memory, values.size() * sizeof(__half)) == cudaSuccess, "cudaMalloc");
  check(cudaMemcpy(memory, values.data(), values.size() * sizeof(__half), cudaMemcpyDefault) == cudaSuccess,
        "cudaMemcpy");
  return memory;
}

std::vector<__half> drawn(std::size_t elements) {
  std::vector<__half> values(elements);
  for (__half& value : values) value = __float2half(2.0f * static_cast<float>(std::rand()) / RAND_MAX - 1.0f);
  return values;
}

// Microseconds. What a cache holds of the last call is overwritten before each.
double median_time(const std::function<void()>& call, void* flushed, std::size_t bytes) {
  constexpr int calls = 51;
  cudaEvent_t before, after;
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  std::vector<float> times;
  for (int i = 0; i < calls; ++i) {
    cudaMemsetAsync(flushed, i, bytes);
    cudaEventRecord(before);
    call();
    cudaEventRecord(after);
    check(cudaEventSynchronize(after) == cudaSuccess, "a call");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, before, after);
    times.push_back(milliseconds);
  }
  std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
  return 1e3 * times[calls / 2];
}

}  // namespace

int main() {
  constexpr std::size_t flush_bytes = std::size_t{256} << 20;
  void* flushed = nullptr;
  check(cudaMalloc(&flushed, flush_bytes) == cudaSuccess, "cudaMalloc");
  cublasHandle_t cublas = nullptr;
  check(cublasCreate(&cublas) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  const int problems[][3] = {{2048, 2048, 2048}, {1003, 517, 771}};
  for (const auto& [m, n, k] : problems) {
    const std::size_t rows = m, columns = n, depth = k;
    __half* const a = on_device(drawn(rows * depth));
    __half* const b = on_device(drawn(depth * columns));
    __half* const c = on_device(drawn(rows * columns));
    const float one = 1, zero = 0;
    const double ours = median_time([&] { gemm_half(a, b, c, m, n, k); }, flushed, flush_bytes);
    // Its matrices are stored by columns: the transposed product is the same memory.
    const double theirs = median_time(
        [&] {
          check(cublasGemmEx(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, CUDA_R_16F, n, a, CUDA_R_16F, k, &zero,
                             c, CUDA_R_16F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS,
                "cublasGemmEx");
        },
        flushed, flush_bytes);
    std::printf("%d x %d x %d: gemm_half %.1f us, cuBLAS %.1f us: %.0f%% of cuBLAS\n", m, n, k, ours, theirs,
                100 * theirs / ours);
  }
}
