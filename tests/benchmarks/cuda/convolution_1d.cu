// A filter over a signal, zeros beyond its ends: one thread for each output, everything from global memory.

__global__ void filter_signal(const float* x, const float* weights, float* y, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0.0f;
    for (int t = 0; t < taps; ++t) {
      int at = i + t - taps / 2;
      if (at >= 0 && at < n) {
        sum += x[at] * weights[t];
      }
    }
    y[i] = sum;
  }
}

#pragma hone kernel in(x[0 : n], weights[0 : taps]) out(y[0 : n]) init(x : uniform(0, 1), weights : uniform(0, 1)) \
    problem(n = 1 << 22, taps = 129) problem(n = 2999999, taps = 63) tolerance(rtol = 1e-4)
void convolution_1d(const float* x, const float* weights, float* y, int n, int taps) {
  filter_signal<<<(n + 255) / 256, 256>>>(x, weights, y, n, taps);
}
