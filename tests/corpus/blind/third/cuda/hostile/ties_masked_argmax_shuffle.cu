// kernel: masked_argmax
// tries: four logits at a time and a reduction by shuffles that keeps the lower lane of equal logits; wrong where the largest allowed logit of a row occurs twice: a lower lane may hold a later column (columns go around the block), so a later token wins
#include <cstdint>

static __device__ __forceinline__ void better(float& best, int& at, float v, int c) {
  if (v > best) {
    best = v;
    at = c;
  }
}

static __global__ void __launch_bounds__(512) choose_shuffle(const float* __restrict__ logits,
                                                      const bool* __restrict__ allowed, int* __restrict__ token,
                                                      float* __restrict__ logit, int columns, bool vector) {
  __shared__ float values[16];
  __shared__ int places[16];
  size_t row = blockIdx.x;
  const float* from = logits + row * columns;
  const bool* mask = allowed + row * columns;
  float best = -INFINITY;
  int at = -1;
  if (vector) {
    for (int c = 4 * threadIdx.x; c < columns; c += 2048) {
      uchar4 m = *(const uchar4*)(mask + c);
      float4 v = *(const float4*)(from + c);
      if (m.x) better(best, at, v.x, c);
      if (m.y) better(best, at, v.y, c + 1);
      if (m.z) better(best, at, v.z, c + 2);
      if (m.w) better(best, at, v.w, c + 3);
    }
  } else {
    for (int c = threadIdx.x; c < columns; c += 512) {
      if (mask[c]) better(best, at, from[c], c);
    }
  }
  // Each thread met its columns in order, and a strict comparison keeps the earlier one.
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    float v = __shfl_down_sync(0xffffffffu, best, distance);
    int c = __shfl_down_sync(0xffffffffu, at, distance);
    better(best, at, v, c);
  }
  if (threadIdx.x % 32 == 0) {
    values[threadIdx.x / 32] = best;
    places[threadIdx.x / 32] = at;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 16; ++w) {
      better(best, at, values[w], places[w]);
    }
    token[row] = at;
    logit[row] = best;
  }
}

void masked_argmax(const float* logits, const bool* allowed, int* token, float* logit, int rows, int columns) {
  if (rows == 0) return;
  bool vector = columns % 4 == 0 && (uintptr_t)logits % 16 == 0 && (uintptr_t)allowed % 4 == 0;
  choose_shuffle<<<rows, 512>>>(logits, allowed, token, logit, columns, vector);
}
