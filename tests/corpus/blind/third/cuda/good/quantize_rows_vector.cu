// kernel: quantize_rows
// tries: four elements at a time where columns and pointers allow it, the first 4096 of a row kept in registers, warp shuffles for the largest
#include <cstdint>

static __device__ signed char quantize_one(float x, float scale) {
  float v = scale > 0.0f ? rintf(x / scale) : 0.0f;
  return isnan(v) ? 0 : (signed char)fminf(fmaxf(v, -127.0f), 127.0f);
}

static __device__ float largest_of_block(float v) {
  __shared__ float shared[8];
  for (int distance = 16; distance > 0; distance /= 2) {
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, distance));
  }
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = v;
  }
  __syncthreads();
  v = shared[0];
  for (int i = 1; i < 8; ++i) {
    v = fmaxf(v, shared[i]);
  }
  return v;
}

template <bool vector>
static __global__ void __launch_bounds__(256) quantize_fast(const float* __restrict__ x, signed char* __restrict__ q,
                                                     float* __restrict__ scales, int columns) {
  size_t row = blockIdx.x;
  const float* from = x + row * columns;
  signed char* to = q + row * columns;
  float own = 0.0f;
  if (vector) {
    const float4* from4 = (const float4*)from;
    char4* to4 = (char4*)to;
    int quads = columns / 4;
    float4 kept[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int c = threadIdx.x + 256 * i;
      if (c < quads) {
        kept[i] = from4[c];
        own = fmaxf(own, fmaxf(fmaxf(fabsf(kept[i].x), fabsf(kept[i].y)), fmaxf(fabsf(kept[i].z), fabsf(kept[i].w))));
      }
    }
    for (int c = threadIdx.x + 1024; c < quads; c += 256) {
      float4 v = from4[c];
      own = fmaxf(own, fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
    }
    float scale = largest_of_block(own) / 127.0f;
    if (threadIdx.x == 0) {
      scales[row] = scale;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int c = threadIdx.x + 256 * i;
      if (c < quads) {
        float4 v = kept[i];
        to4[c] = make_char4(quantize_one(v.x, scale), quantize_one(v.y, scale), quantize_one(v.z, scale),
                            quantize_one(v.w, scale));
      }
    }
    for (int c = threadIdx.x + 1024; c < quads; c += 256) {
      float4 v = from4[c];
      to4[c] = make_char4(quantize_one(v.x, scale), quantize_one(v.y, scale), quantize_one(v.z, scale),
                          quantize_one(v.w, scale));
    }
  } else {
    for (int c = threadIdx.x; c < columns; c += 256) {
      own = fmaxf(own, fabsf(from[c]));
    }
    float scale = largest_of_block(own) / 127.0f;
    if (threadIdx.x == 0) {
      scales[row] = scale;
    }
    for (int c = threadIdx.x; c < columns; c += 256) {
      to[c] = quantize_one(from[c], scale);
    }
  }
}

void quantize_rows(const float* x, signed char* q, float* scales, int rows, int columns) {
  if (rows == 0) return;
  if (columns % 4 == 0 && (uintptr_t)x % 16 == 0 && (uintptr_t)q % 4 == 0) {
    quantize_fast<true><<<rows, 256>>>(x, q, scales, columns);
  } else {
    quantize_fast<false><<<rows, 256>>>(x, q, scales, columns);
  }
}
