// kernel: american_puts
// verdict: wrong
// standard: c++20
// tries: on each level the puts that are exercised are the lowest ones, so the others are only held: finds the first held node from that of the level above
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

    const double up2 = up * up;
    double s0 = o.spot * std::pow(up, -steps), s1 = s0 * up;
    for (int t = 0; t <= steps; ++t) {
      table[0][t] = o.strike - s0;
      table[1][t] = o.strike - s1;
      s0 *= up2;
      s1 *= up2;
    }
    for (int j = 0; j <= steps; ++j) value[j] = std::max(0.0, table[0][j]);
    for (int i = steps - 1; i >= 0; --i) {
      const double* exercise = table[(steps - i) & 1] + (steps - i) / 2;
      // Below the frontier a put is exercised, above it is held.
      int j = 0;
      for (; j <= i; ++j) {
        const double hold = rise * value[j + 1] + fall * value[j];
        if (hold >= exercise[j]) break;
        value[j] = exercise[j];
      }
      for (; j <= i; ++j) value[j] = rise * value[j + 1] + fall * value[j];
    }
    price[k] = value[0];
  }
}
