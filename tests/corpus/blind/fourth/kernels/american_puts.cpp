// American puts on an asset that pays a yield, by the binomial tree of Cox, Ross and Rubinstein.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

struct Put {
  double spot, strike;
  double rate, yield;
  double vol, years;
};

#pragma hone kernel in(puts[0:puts.size()]) out(price[0:puts.size()]) \
    problem(puts.size()=10, steps=64) problem(puts.size()=3, steps=25) \
    init(puts.spot: uniform(60, 140), puts.strike: uniform(80, 120), puts.rate: uniform(-0.005, 0.08), \
         puts.yield: uniform(-0.004, 0.06), puts.vol: uniform(0.1, 0.6), puts.years: uniform(0.1, 3)) \
    requires(steps >= 1 && steps <= 2000) tolerance(rtol=1e-9)
void american_puts(std::span<const Put> puts, int steps, std::span<double> price) {
  std::vector<double> value(steps + 1);
  for (size_t k = 0; k < puts.size(); ++k) {
    const Put& o = puts[k];
    const double dt = o.years / steps;
    const double up = std::exp(o.vol * std::sqrt(dt));
    const double down = 1.0 / up;
    const double p = (std::exp((o.rate - o.yield) * dt) - down) / (up - down);
    const double discount = std::exp(-o.rate * dt);

    for (int j = 0; j <= steps; ++j) {
      value[j] = std::max(0.0, o.strike - o.spot * std::pow(up, 2 * j - steps));
    }
    for (int i = steps - 1; i >= 0; --i) {
      for (int j = 0; j <= i; ++j) {
        const double hold = discount * (p * value[j + 1] + (1.0 - p) * value[j]);
        const double exercise = o.strike - o.spot * std::pow(up, 2 * j - i);
        value[j] = std::max(hold, exercise);
      }
    }
    price[k] = value[0];
  }
}
