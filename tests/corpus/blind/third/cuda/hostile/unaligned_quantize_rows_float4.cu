// kernel: quantize_rows
// tries: float4 loads and char4 stores where columns is a multiple of four, a row in registers; wrong (misaligned address, nothing written) where columns % 4 == 0 and x is not aligned to 16 bytes or q not to 4, as in a slice that begins one element into a buffer
static __device__ __forceinline__ float larger(float a, float4 v) {
  return fmaxf(a, fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
}

static __device__ __forceinline__ signed char narrow(float x, float scale) {
  float v = scale > 0.0f ? rintf(x / scale) : 0.0f;
  return isnan(v) ? 0 : (signed char)fminf(fmaxf(v, -127.0f), 127.0f);
}

static __global__ void __launch_bounds__(256) quantize_quads(const float4* __restrict__ x, char4* __restrict__ q,
                                                      float* __restrict__ scales, int quads) {
  __shared__ float shared[8];
  size_t row = blockIdx.x;
  float4 kept[2];
  float own = 0.0f;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    int c = threadIdx.x + 256 * i;
    kept[i] = c < quads ? x[row * quads + c] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    own = larger(own, kept[i]);
  }
  for (int c = threadIdx.x + 512; c < quads; c += 256) {
    own = larger(own, x[row * quads + c]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    own = fmaxf(own, __shfl_xor_sync(0xffffffffu, own, distance));
  }
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = own;
  }
  __syncthreads();
  for (int w = 0; w < 8; ++w) {
    own = fmaxf(own, shared[w]);
  }
  float scale = own / 127.0f;
  if (threadIdx.x == 0) {
    scales[row] = scale;
  }
  for (int c = threadIdx.x, i = 0; c < quads; c += 256, ++i) {
    float4 v = i == 0 ? kept[0] : i == 1 ? kept[1] : x[row * quads + c];
    q[row * quads + c] = make_char4(narrow(v.x, scale), narrow(v.y, scale), narrow(v.z, scale), narrow(v.w, scale));
  }
}

void quantize_rows(const float* x, signed char* q, float* scales, int rows, int columns) {
  if (rows == 0) return;
  if (columns % 4 == 0) {  // every row begins at a multiple of 16 bytes
    quantize_quads<<<rows, 256>>>((const float4*)x, (char4*)q, scales, columns / 4);
  } else {
    quantize_row<<<rows, 256>>>(x, q, scales, columns);
  }
}
