// PARSEC's blackscholes: prices of European options, with the normal distribution as a polynomial.
#include <cmath>

static float normal_distribution(float x) {
  const bool negative = x < 0.0f;
  if (negative) x = -x;
  const float density = std::exp(-0.5f * x * x) * 0.39894228040143270286f;
  const float k = 1.0f / (1.0f + 0.2316419f * x);
  float sum = k * 0.319381530f;
  float power = k * k;
  sum += power * -0.356563782f;
  power = power * k;
  sum += power * 1.781477937f;
  power = power * k;
  sum += power * -1.821255978f;
  power = power * k;
  sum += power * 1.330274429f;
  const float upper = 1.0f - sum * density;
  return negative ? 1.0f - upper : upper;
}

#pragma hone kernel in(spot[0:n], strike[0:n], rate[0:n], volatility[0:n], time[0:n], put[0:n]) out(price[0:n]) \
    init(spot: uniform(20, 120), strike: uniform(20, 120), rate: uniform(0.02, 0.1), volatility: uniform(0.1, 0.6), \
    time: uniform(0.1, 1), put: uniform(0, 1)) problem(n = 65536) problem(n = 10007) \
    tolerance(rtol = 1e-3, atol = 1e-3)
void black_scholes(const float* spot, const float* strike, const float* rate, const float* volatility,
                   const float* time, const int* put, float* price, int n) {
  for (int i = 0; i < n; i++) {
    const float root = std::sqrt(time[i]);
    const float log_ratio = std::log(spot[i] / strike[i]);
    const float power = 0.5f * volatility[i] * volatility[i];
    const float spread = volatility[i] * root;
    const float d1 = ((rate[i] + power) * time[i] + log_ratio) / spread;
    const float d2 = d1 - spread;
    const float n1 = normal_distribution(d1);
    const float n2 = normal_distribution(d2);
    const float future = strike[i] * std::exp(-rate[i] * time[i]);
    if (put[i] == 0) {
      price[i] = spot[i] * n1 - future * n2;
    } else {
      price[i] = future * (1.0f - n2) - spot[i] * (1.0f - n1);
    }
  }
}
