// kernel: quantize_rows
// tries: the largest magnitude by Hopper's integer redux, since bits of floats without sign are ordered as integers; wrong for a row with a NaN: its bits are above those of infinity, so the scale is NaN and the row zeros, where the original ignores the element
#include <cstdint>

static __device__ __forceinline__ unsigned magnitude(float v) {
  return __float_as_uint(v) & 0x7fffffffu;
}

static __device__ __forceinline__ signed char round_to(float x, float scale) {
  float v = scale > 0.0f ? rintf(x / scale) : 0.0f;
  return isnan(v) ? 0 : (signed char)fminf(fmaxf(v, -127.0f), 127.0f);
}

template <bool vector>
static __global__ void __launch_bounds__(256) quantize_redux(const float* __restrict__ x, signed char* __restrict__ q,
                                                      float* __restrict__ scales, int columns) {
  __shared__ unsigned shared[8];
  size_t row = blockIdx.x;
  const float* from = x + row * columns;
  signed char* to = q + row * columns;
  unsigned own = 0;
  if (vector) {
    for (int c = threadIdx.x; c < columns / 4; c += 256) {
      float4 v = ((const float4*)from)[c];
      own = max(own, max(max(magnitude(v.x), magnitude(v.y)), max(magnitude(v.z), magnitude(v.w))));
    }
  } else {
    for (int c = threadIdx.x; c < columns; c += 256) {
      own = max(own, magnitude(from[c]));
    }
  }
  own = __reduce_max_sync(0xffffffffu, own);
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = own;
  }
  __syncthreads();
  own = __reduce_max_sync(0xffffffffu, shared[threadIdx.x % 8]);
  float scale = __uint_as_float(own) / 127.0f;
  if (threadIdx.x == 0) {
    scales[row] = scale;
  }
  if (vector) {
    for (int c = threadIdx.x; c < columns / 4; c += 256) {
      float4 v = ((const float4*)from)[c];
      ((char4*)to)[c] =
          make_char4(round_to(v.x, scale), round_to(v.y, scale), round_to(v.z, scale), round_to(v.w, scale));
    }
  } else {
    for (int c = threadIdx.x; c < columns; c += 256) {
      to[c] = round_to(from[c], scale);
    }
  }
}

void quantize_rows(const float* x, signed char* q, float* scales, int rows, int columns) {
  if (rows == 0) return;
  if (columns % 4 == 0 && (uintptr_t)x % 16 == 0 && (uintptr_t)q % 4 == 0) {
    quantize_redux<true><<<rows, 256>>>(x, q, scales, columns);
  } else {
    quantize_redux<false><<<rows, 256>>>(x, q, scales, columns);
  }
}
