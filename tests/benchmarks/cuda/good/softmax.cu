// One block for each row, which it holds in registers where it fits: the row is read once and written once.

namespace {

constexpr int block = 128, warps = block / 32;

struct Sum {
  static __device__ float of(float a, float b) { return a + b; }
};
struct Largest {
  static __device__ float of(float a, float b) { return fmaxf(a, b); }
};

template <class Operation>
__device__ float over_block(float value, float* shared) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    value = Operation::of(value, __shfl_xor_sync(0xffffffff, value, distance));
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
#pragma unroll
  for (int warp = 1; warp < warps; ++warp) value = Operation::of(value, shared[warp]);
  return value;
}

template <int count>
__global__ void __launch_bounds__(block) softmax_row(const float* __restrict__ x, float* __restrict__ y, int columns) {
  __shared__ float largest_of[warps], sum_of[warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out = y + static_cast<size_t>(blockIdx.x) * columns;
  float own[count], largest = -INFINITY, sum = 0.0f;
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const int c = i * block + threadIdx.x;
    own[i] = c < columns ? in[c] : -INFINITY;
    largest = fmaxf(largest, own[i]);
  }
  largest = over_block<Largest>(largest, largest_of);
#pragma unroll
  for (int i = 0; i < count; ++i) sum += own[i] = __expf(own[i] - largest);
  const float scale = 1.0f / over_block<Sum>(sum, sum_of);
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const int c = i * block + threadIdx.x;
    if (c < columns) out[c] = own[i] * scale;
  }
}

__global__ void __launch_bounds__(block)
    softmax_long_row(const float* __restrict__ x, float* __restrict__ y, int columns) {
  __shared__ float largest_of[warps], sum_of[warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out = y + static_cast<size_t>(blockIdx.x) * columns;
  float largest = -INFINITY, sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += block) largest = fmaxf(largest, in[c]);
  largest = over_block<Largest>(largest, largest_of);
  for (int c = threadIdx.x; c < columns; c += block) sum += __expf(in[c] - largest);
  const float scale = 1.0f / over_block<Sum>(sum, sum_of);
  for (int c = threadIdx.x; c < columns; c += block) out[c] = __expf(in[c] - largest) * scale;
}

}  // namespace

void softmax(const float* x, float* y, int rows, int columns) {
  if (columns <= 4 * block) {
    softmax_row<4><<<rows, block>>>(x, y, columns);
  } else if (columns <= 8 * block) {
    softmax_row<8><<<rows, block>>>(x, y, columns);
  } else {
    softmax_long_row<<<rows, block>>>(x, y, columns);
  }
}
