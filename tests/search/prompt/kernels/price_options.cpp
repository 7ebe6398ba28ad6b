// right: exp-polynomial log-polynomial
// European calls by the formula of Black and Scholes.
#include <cmath>
void price_options(const float* spot, const float* strike, const float* years, float* price, float rate, float sigma,
                   int n) {
  for (int i = 0; i < n; ++i) {
    float root = std::sqrt(years[i]);
    float d1 = (std::log(spot[i] / strike[i]) + (rate + 0.5f * sigma * sigma) * years[i]) / (sigma * root);
    float d2 = d1 - sigma * root;
    float n1 = 0.5f * std::erfc(-d1 * 0.70710678f);
    float n2 = 0.5f * std::erfc(-d2 * 0.70710678f);
    price[i] = spot[i] * n1 - strike[i] * std::exp(-rate * years[i]) * n2;
  }
}
