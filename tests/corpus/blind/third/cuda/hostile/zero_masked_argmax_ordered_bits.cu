// kernel: masked_argmax
// tries: a 64-bit maximum of ordered bits and inverted column, NaN and minus infinity left out; wrong where a row's largest allowed logit is zero and a -0 stands before the first +0: the bits put +0 above -0, so a later token wins
#include <cstdint>

static __device__ __forceinline__ unsigned long long rank_of(float v, int column) {
  unsigned bits = __float_as_uint(v);
  bits ^= (unsigned)((int)bits >> 31) | 0x80000000u;
  return (unsigned long long)bits << 32 | (0xffffffffu - (unsigned)column);
}

static __global__ void __launch_bounds__(1024) choose_ranked(const float* __restrict__ logits,
                                                      const bool* __restrict__ allowed, int* __restrict__ token,
                                                      float* __restrict__ logit, int columns, bool vector) {
  __shared__ unsigned long long ranks[32];
  size_t row = blockIdx.x;
  const float* from = logits + row * columns;
  const bool* mask = allowed + row * columns;
  unsigned long long own = 0;
  if (vector) {
    for (int c = 4 * threadIdx.x; c < columns; c += 4096) {
      float4 v = *(const float4*)(from + c);
      uchar4 m = *(const uchar4*)(mask + c);
      if (m.x && v.x > -INFINITY) own = max(own, rank_of(v.x, c));
      if (m.y && v.y > -INFINITY) own = max(own, rank_of(v.y, c + 1));
      if (m.z && v.z > -INFINITY) own = max(own, rank_of(v.z, c + 2));
      if (m.w && v.w > -INFINITY) own = max(own, rank_of(v.w, c + 3));
    }
  } else {
    for (int c = threadIdx.x; c < columns; c += 1024) {
      if (mask[c] && from[c] > -INFINITY) own = max(own, rank_of(from[c], c));
    }
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    own = max(own, __shfl_xor_sync(0xffffffffu, own, distance));
  }
  if (threadIdx.x % 32 == 0) {
    ranks[threadIdx.x / 32] = own;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    own = ranks[threadIdx.x];
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
      own = max(own, __shfl_xor_sync(0xffffffffu, own, distance));
    }
    if (threadIdx.x == 0) {
      int at = own == 0 ? -1 : (int)(0xffffffffu - (unsigned)own);
      token[row] = at;
      logit[row] = at < 0 ? -INFINITY : from[at];
    }
  }
}

void masked_argmax(const float* logits, const bool* allowed, int* token, float* logit, int rows, int columns) {
  if (rows == 0) return;
  bool vector = columns % 4 == 0 && (uintptr_t)logits % 16 == 0 && (uintptr_t)allowed % 4 == 0;
  choose_ranked<<<rows, 1024>>>(logits, allowed, token, logit, columns, vector);
}
