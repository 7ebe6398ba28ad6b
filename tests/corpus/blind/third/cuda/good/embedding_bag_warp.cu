// kernel: embedding_bag
// tries: a warp for each bag and 128 columns, four bytes a lane where dim and pointers allow it; a flat grid and 64-bit addresses
#include <cstdint>

template <bool vector>
static __global__ void __launch_bounds__(256) pool_warps(const unsigned char* __restrict__ table,
                                                  const float* __restrict__ scales, const float* __restrict__ zeros,
                                                  const int* __restrict__ indices, const int* __restrict__ offsets,
                                                  float* __restrict__ out, long long warps, int stretches, int dim) {
  long long warp = blockIdx.x * 8ll + threadIdx.x / 32;
  if (warp >= warps) return;
  int lane = threadIdx.x % 32;
  long long bag = warp / stretches;
  int first = (int)(warp % stretches) * 128;
  int from = offsets[bag], to = offsets[bag + 1];
  float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 4
  for (int i = from; i < to; ++i) {
    int row = indices[i];
    float scale = scales[row], zero = zeros[row];
    const unsigned char* own = table + (size_t)row * dim + first;
    if (vector) {
      if (first + 4 * lane < dim) {
        uchar4 b = *(const uchar4*)(own + 4 * lane);
        sum[0] += b.x * scale + zero;
        sum[1] += b.y * scale + zero;
        sum[2] += b.z * scale + zero;
        sum[3] += b.w * scale + zero;
      }
    } else {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        if (first + lane + 32 * k < dim) {
          sum[k] += own[lane + 32 * k] * scale + zero;
        }
      }
    }
  }
  float* result = out + (size_t)bag * dim + first;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    int c = vector ? 4 * lane + k : lane + 32 * k;
    if (first + c < dim) {
      result[c] = to > from ? sum[k] / (to - from) : 0.0f;
    }
  }
}

void embedding_bag(const unsigned char* table, const float* scales, const float* zeros, const int* indices,
                   const int* offsets, float* out, int vocabulary, int dim, int bags, int count) {
  if (bags == 0 || dim == 0) return;
  int stretches = dim / 128 + (dim % 128 != 0);
  long long warps = (long long)bags * stretches;
  unsigned blocks = (unsigned)((warps + 7) / 8);
  if (dim % 4 == 0 && (uintptr_t)table % 4 == 0) {
    pool_warps<true><<<blocks, 256>>>(table, scales, zeros, indices, offsets, out, warps, stretches, dim);
  } else {
    pool_warps<false><<<blocks, 256>>>(table, scales, zeros, indices, offsets, out, warps, stretches, dim);
  }
}
