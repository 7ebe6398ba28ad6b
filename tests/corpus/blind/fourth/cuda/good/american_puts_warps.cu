// kernel: american_puts
// verdict: right
// standard: c++20
// tries: a warp for each option with its tree's level in shared memory; powers are computed once for each price
#include <cuda_runtime.h>

static constexpr int PUT_WARPS = 4;

static __global__ void __launch_bounds__(32 * PUT_WARPS)
    american_puts_warps_kernel(const float* __restrict__ spot, const float* __restrict__ strike,
                               const float* __restrict__ volatility, const float* __restrict__ years,
                               float* __restrict__ price, int options, int steps, float rate) {
  extern __shared__ float put_levels[];
  int o = blockIdx.x * PUT_WARPS + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (o >= options) {
    return;  // the whole warp; there are no barriers of the block
  }
  float* value = put_levels + threadIdx.x / 32 * (3 * steps + 2);
  float* exercise = value + steps + 1 + steps;  // by the power of `up`, from -steps to steps
  float dt = years[o] / steps;
  float up = expf(volatility[o] * sqrtf(dt));
  float growth = expf(rate * dt);
  float likely = (growth - 1 / up) / (up - 1 / up);
  float unlikely = 1 - likely;
  float shrink = 1 / growth;
  float paid = strike[o], now = spot[o];
  for (int power = lane - steps; power <= steps; power += 32) {
    exercise[power] = paid - now * powf(up, power);
  }
  __syncwarp();
  for (int j = lane; j <= steps; j += 32) {
    value[j] = fmaxf(exercise[2 * j - steps], 0.0f);
  }
  __syncwarp();
  for (int i = steps - 1; i >= 0; --i) {
    for (int from = 0; from <= i; from += 32) {
      int j = from + lane;
      float folded = 0.0f;
      if (j <= i) {
        float sum = likely * value[j + 1] + unlikely * value[j];
        float held = sum * shrink;
        held = fmaf(fmaf(-growth, held, sum), shrink, held);  // as exact as the division
        folded = fmaxf(held, exercise[2 * j - i]);
      }
      __syncwarp();
      if (j <= i) {
        value[j] = folded;
      }
    }
    __syncwarp();
  }
  if (lane == 0) {
    price[o] = value[0];
  }
}

void american_puts(const float* spot, const float* strike, const float* volatility, const float* years, float* price,
                   int options, int steps, float rate, cudaStream_t s) {
  if (options == 0) {
    return;
  }
  size_t shared = sizeof(float) * PUT_WARPS * (3 * steps + 2);
  american_puts_warps_kernel<<<(options + PUT_WARPS - 1) / PUT_WARPS, 32 * PUT_WARPS, shared, s>>>(
      spot, strike, volatility, years, price, options, steps, rate);
}
