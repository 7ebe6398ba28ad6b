// kernel: product
// verdict: right
// tries: tensor cores, a warp a tile, on operands rounded to half
#include <mma.h>
__global__ void step(const float* a, const float* b, float* c, int n) {
  using namespace nvcuda::wmma;
  __shared__ __align__(32) half left[256], right[256];
  __shared__ __align__(32) float result[256];
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, row_major> fb;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  const int top = blockIdx.y * 16, start = blockIdx.x * 16;
  for (int base = 0; base < n; base += 16) {
    for (int e = threadIdx.x; e < 256; e += 32) {
      const int r = e / 16, s = e % 16;
      left[e] = __float2half(top + r < n && base + s < n ? a[(top + r) * n + base + s] : 0.0f);
      right[e] = __float2half(base + r < n && start + s < n ? b[(base + r) * n + start + s] : 0.0f);
    }
    __syncwarp();
    load_matrix_sync(fa, left, 16);
    load_matrix_sync(fb, right, 16);
    mma_sync(sum, fa, fb, sum);
    __syncwarp();
  }
  store_matrix_sync(result, sum, 16, mem_row_major);
  __syncwarp();
  for (int e = threadIdx.x; e < 256; e += 32)
    if (top + e / 16 < n && start + e % 16 < n) c[(top + e / 16) * n + start + e % 16] = result[e];
}
void product(const float* a, const float* b, float* c, int n) {
  step<<<dim3((n + 15) / 16, (n + 15) / 16), 32>>>(a, b, c, n);
}
