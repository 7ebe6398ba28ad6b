// A piece of the signal and the weights in shared memory; four outputs a thread, whose window slides through registers.

namespace {

constexpr int block = 256, own = 4, piece = block * own;

__global__ void __launch_bounds__(block) filter_piece(const float* __restrict__ x, const float* __restrict__ weights,
                                                      float* __restrict__ y, int n, int taps, int groups) {
  extern __shared__ __align__(16) float shared[];
  float* signal = shared;
  float* filter = shared + piece + own * groups + own;
  const int start = blockIdx.x * piece;
  for (int i = threadIdx.x; i < piece + own * groups + own; i += block) {
    const long long at = static_cast<long long>(start) + i - taps / 2;
    signal[i] = at >= 0 && at < n ? x[at] : 0.0f;
  }
  for (int i = threadIdx.x; i < own * groups; i += block) filter[i] = i < taps ? weights[i] : 0.0f;
  __syncthreads();
  const float4* quads = reinterpret_cast<const float4*>(signal) + threadIdx.x;
  float4 now = quads[0];
  float sums[own] = {};
#pragma unroll 4
  for (int g = 0; g < groups; ++g) {
    const float4 next = quads[g + 1], w = reinterpret_cast<const float4*>(filter)[g];
    sums[0] += now.x * w.x + now.y * w.y + now.z * w.z + now.w * w.w;
    sums[1] += now.y * w.x + now.z * w.y + now.w * w.z + next.x * w.w;
    sums[2] += now.z * w.x + now.w * w.y + next.x * w.z + next.y * w.w;
    sums[3] += now.w * w.x + next.x * w.y + next.y * w.z + next.z * w.w;
    now = next;
  }
#pragma unroll
  for (int i = 0; i < own; ++i) {
    const int at = start + threadIdx.x * own + i;
    if (at < n) y[at] = sums[i];
  }
}

// For filters too long for shared memory.
__global__ void filter_element(const float* x, const float* weights, float* y, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int t = max(0, taps / 2 - i); t < taps && i + t - taps / 2 < n; ++t) sum += x[i + t - taps / 2] * weights[t];
  y[i] = sum;
}

}  // namespace

void convolution_1d(const float* x, const float* weights, float* y, int n, int taps) {
  const int groups = (taps + own - 1) / own;
  const int bytes = (piece + own * groups + own + own * groups) * static_cast<int>(sizeof(float));
  if (bytes <= 48 * 1024) {
    filter_piece<<<(n + piece - 1) / piece, block, bytes>>>(x, weights, y, n, taps, groups);
  } else {
    filter_element<<<(n + block - 1) / block, block>>>(x, weights, y, n, taps);
  }
}
