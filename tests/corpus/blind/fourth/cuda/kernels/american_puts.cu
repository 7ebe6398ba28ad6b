// Prices of American put options by binomial trees (Cox, Ross and Rubinstein). One thread folds each option's tree.

const int MAX_STEPS = 512;

__global__ void american_puts_kernel(const float* spot, const float* strike, const float* volatility,
                                     const float* years, float* price, int options, int steps, float rate) {
  int o = blockIdx.x * blockDim.x + threadIdx.x;
  if (o >= options) {
    return;
  }
  float dt = years[o] / steps;
  float up = expf(volatility[o] * sqrtf(dt));
  float growth = expf(rate * dt);
  float likely = (growth - 1 / up) / (up - 1 / up);
  float value[MAX_STEPS + 1];
  for (int j = 0; j <= steps; ++j) {
    value[j] = fmaxf(strike[o] - spot[o] * powf(up, 2 * j - steps), 0.0f);
  }
  for (int i = steps - 1; i >= 0; --i) {
    for (int j = 0; j <= i; ++j) {
      float held = (likely * value[j + 1] + (1 - likely) * value[j]) / growth;
      float exercised = strike[o] - spot[o] * powf(up, 2 * j - i);
      value[j] = fmaxf(held, exercised);
    }
  }
  price[o] = value[0];
}

#pragma hone kernel in(spot[0 : options], strike[0 : options], volatility[0 : options], years[0 : options]) \
    out(price[0 : options]) problem(options = 4000, steps = 128) problem(options = 101, steps = 63) \
    requires(steps >= 1 && steps <= MAX_STEPS) tolerance(rtol = 1e-4) \
    init(spot : uniform(60, 140), strike : uniform(60, 140), volatility : uniform(0.1, 0.6)) \
    init(years : uniform(0.1, 2), rate : uniform(0.0, 0.08)) stream(s)
void american_puts(const float* spot, const float* strike, const float* volatility, const float* years, float* price,
                   int options, int steps, float rate, cudaStream_t s) {
  if (options == 0) {
    return;
  }
  american_puts_kernel<<<(options + 63) / 64, 64, 0, s>>>(spot, strike, volatility, years, price, options, steps,
                                                         rate);
}
