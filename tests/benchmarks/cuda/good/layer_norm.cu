// One block for each row, which it holds in registers where it fits: the row is read once and written once.

namespace {

constexpr int block = 128, warps = block / 32;

__device__ float over_block(float value, float* shared) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
#pragma unroll
  for (int warp = 1; warp < warps; ++warp) value += shared[warp];
  return value;
}

template <int count>
__global__ void __launch_bounds__(block)
    normalise_row(const float* __restrict__ x, const float* __restrict__ gain, const float* __restrict__ bias,
                  float* __restrict__ y, int columns) {
  __shared__ float mean_of[warps], variance_of[warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out = y + static_cast<size_t>(blockIdx.x) * columns;
  float own[count], mean = 0.0f, variance = 0.0f;
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const int c = i * block + threadIdx.x;
    own[i] = c < columns ? in[c] : 0.0f;
    mean += own[i];
  }
  mean = over_block(mean, mean_of) / columns;
#pragma unroll
  for (int i = 0; i < count; ++i) {
    own[i] -= mean;
    if (i * block + threadIdx.x < columns) variance += own[i] * own[i];
  }
  const float scale = rsqrtf(over_block(variance, variance_of) / columns + 1e-5f);
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const int c = i * block + threadIdx.x;
    if (c < columns) out[c] = own[i] * scale * gain[c] + bias[c];
  }
}

__global__ void __launch_bounds__(block)
    normalise_long_row(const float* __restrict__ x, const float* __restrict__ gain, const float* __restrict__ bias,
                       float* __restrict__ y, int columns) {
  __shared__ float mean_of[warps], variance_of[warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out = y + static_cast<size_t>(blockIdx.x) * columns;
  float mean = 0.0f, variance = 0.0f;
  for (int c = threadIdx.x; c < columns; c += block) mean += in[c];
  mean = over_block(mean, mean_of) / columns;
  for (int c = threadIdx.x; c < columns; c += block) variance += (in[c] - mean) * (in[c] - mean);
  const float scale = rsqrtf(over_block(variance, variance_of) / columns + 1e-5f);
  for (int c = threadIdx.x; c < columns; c += block) out[c] = (in[c] - mean) * scale * gain[c] + bias[c];
}

}  // namespace

void layer_norm(const float* x, const float* gain, const float* bias, float* y, int rows, int columns) {
  if (columns <= 4 * block) {
    normalise_row<4><<<rows, block>>>(x, gain, bias, y, columns);
  } else if (columns <= 8 * block) {
    normalise_row<8><<<rows, block>>>(x, gain, bias, y, columns);
  } else {
    normalise_long_row<<<rows, block>>>(x, gain, bias, y, columns);
  }
}
