// kernel: masked_argmax
// tries: stretches of 4096 columns, each with a packed 64-bit maximum of ordered logit and inverted column (-0 made +0 in the key), then one thread a row
#include <cstdint>

static __device__ void take(unsigned long long& best, float v, bool allowed, int column) {
  if (allowed && v > -INFINITY) {
    unsigned bits = __float_as_uint(v == 0.0f ? 0.0f : v);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    unsigned long long key = (unsigned long long)bits << 32 | (unsigned)~column;
    best = key > best ? key : best;
  }
}

static __global__ void __launch_bounds__(256) stretch_maximum(const float* __restrict__ logits,
                                                       const bool* __restrict__ allowed,
                                                       unsigned long long* __restrict__ best, int columns,
                                                       int stretches, bool vector) {
  size_t row = blockIdx.x / stretches;
  int from = (int)(blockIdx.x % stretches) * 4096;
  int to = columns - from < 4096 ? columns : from + 4096;
  unsigned long long own = 0;
  if (vector) {
    for (int c = from + 4 * threadIdx.x; c < to; c += 1024) {
      float4 v = *(const float4*)(logits + row * columns + c);
      uchar4 m = *(const uchar4*)(allowed + row * columns + c);
      take(own, v.x, m.x, c);
      take(own, v.y, m.y, c + 1);
      take(own, v.z, m.z, c + 2);
      take(own, v.w, m.w, c + 3);
    }
  } else {
    for (int c = from + threadIdx.x; c < to; c += 256) {
      take(own, logits[row * columns + c], allowed[row * columns + c], c);
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    unsigned long long other = __shfl_xor_sync(0xffffffffu, own, distance);
    own = other > own ? other : own;
  }
  if (threadIdx.x % 32 == 0 && own > 0) {
    atomicMax(&best[row], own);
  }
}

static __global__ void unpack_best(const float* logits, const unsigned long long* best, int* token, float* logit, int rows,
                            int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int at = best[row] == 0 ? -1 : (int)~(unsigned)best[row];
  token[row] = at;
  logit[row] = at < 0 ? -INFINITY : logits[(size_t)row * columns + at];
}

void masked_argmax(const float* logits, const bool* allowed, int* token, float* logit, int rows, int columns) {
  if (rows == 0) return;
  unsigned long long* best;
  cudaMallocAsync((void**)&best, rows * sizeof(unsigned long long), 0);
  cudaMemsetAsync(best, 0, rows * sizeof(unsigned long long), 0);
  int stretches = columns / 4096 + (columns % 4096 != 0);
  bool vector = columns % 4 == 0 && (uintptr_t)logits % 16 == 0 && (uintptr_t)allowed % 4 == 0;
  if (stretches > 0) {
    stretch_maximum<<<(unsigned)((size_t)rows * stretches), 256>>>(logits, allowed, best, columns, stretches, vector);
  }
  unpack_best<<<rows / 128 + 1, 128>>>(logits, best, token, logit, rows, columns);
  cudaFreeAsync(best, 0);
}
