// Level meter for a set of tones (Goertzel's recurrence), smoothed from block to block.
#include <cmath>

struct ToneBank {
  int tones;
  double rate;       // samples per second
  double smoothing;  // 0: only this block counts
  const float* hertz;
  double* power;

  void measure(const float* x, int n);
};

#pragma hone kernel in(x[0:n], hertz[0:tones]) inout(power[0:tones]) \
    problem(n=2048, tones=48, rate=48000.0) problem(n=333, tones=7, rate=8000.0) \
    init(x: uniform(-1, 1), hertz: uniform(20, 3900), smoothing: uniform(0, 1), power: uniform(0, 100)) \
    tolerance(rtol=1e-3, atol=1e-3)
void ToneBank::measure(const float* x, int n) {
  const double pi = 3.14159265358979323846;
  for (int t = 0; t < tones; ++t) {
    const double c = 2.0 * std::cos(2.0 * pi * hertz[t] / rate);
    double s1 = 0.0, s2 = 0.0;
    for (int i = 0; i < n; ++i) {
      const double s = x[i] + c * s1 - s2;
      s2 = s1;
      s1 = s;
    }
    const double p = s1 * s1 + s2 * s2 - c * s1 * s2;
    power[t] = smoothing * power[t] + (1.0 - smoothing) * p;
  }
}
