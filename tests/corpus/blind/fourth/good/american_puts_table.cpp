// kernel: american_puts
// verdict: right
// standard: c++20
// tries: the exercise values of all levels lie in two tables (even and odd exponents), made by multiplication; levels are updated four nodes at a time
#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

void american_puts(std::span<const Put> puts, int steps, std::span<double> price) {
  std::vector<double> storage(3 * (static_cast<size_t>(steps) + 1));
  double* value = storage.data();
  double* table[2] = {value + steps + 1, value + 2 * (static_cast<size_t>(steps) + 1)};
  for (size_t k = 0; k < puts.size(); ++k) {
    const Put& o = puts[k];
    const double dt = o.years / steps;
    const double up = std::exp(o.vol * std::sqrt(dt));
    const double down = 1.0 / up;
    const double p = (std::exp((o.rate - o.yield) * dt) - down) / (up - down);
    const double discount = std::exp(-o.rate * dt);
    const double rise = discount * p, fall = discount * (1.0 - p);

    // table[0][t] belongs to the exponent 2t - steps, table[1][t] to 2t - (steps - 1).
    const double up2 = up * up;
    double s0 = o.spot * std::pow(up, -steps), s1 = s0 * up;
    for (int t = 0; t < steps; ++t) {
      table[0][t] = o.strike - s0;
      table[1][t] = o.strike - s1;
      s0 *= up2;
      s1 *= up2;
    }
    table[0][steps] = o.strike - s0;

    for (int j = 0; j <= steps; ++j) value[j] = std::max(0.0, table[0][j]);
    const __m256d risev = _mm256_set1_pd(rise), fallv = _mm256_set1_pd(fall);
    for (int i = steps - 1; i >= 0; --i) {
      const double* exercise = table[(steps - i) & 1] + (steps - i) / 2;
      int j = 0;
      for (; j + 3 <= i; j += 4) {
        const __m256d hold = _mm256_add_pd(_mm256_mul_pd(risev, _mm256_loadu_pd(value + j + 1)),
                                           _mm256_mul_pd(fallv, _mm256_loadu_pd(value + j)));
        _mm256_storeu_pd(value + j, _mm256_max_pd(hold, _mm256_loadu_pd(exercise + j)));
      }
      for (; j <= i; ++j) value[j] = std::max(rise * value[j + 1] + fall * value[j], exercise[j]);
    }
    price[k] = value[0];
  }
}
