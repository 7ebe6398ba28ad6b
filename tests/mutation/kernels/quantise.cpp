// Floats to eight bits: scaled, rounded to the nearest, shifted and kept within the bounds.
#include <cmath>
#include <cstdint>

static std::int8_t saturated(int value) {
  if (value < -128) return -128;
  if (value > 127) return 127;
  return static_cast<std::int8_t>(value);
}

#pragma hone kernel in(x[0 : n]) out(y[0 : n]) init(x : uniform(-3, 3)) problem(n = 30000, scale = 60.0f, zero = 5) \
    problem(n = 10007, scale = 33.3f, zero = -20)
void quantise(const float* x, std::int8_t* y, int n, float scale, int zero) {
  for (int i = 0; i < n; ++i) {
    const float scaled = x[i] * scale;
    const float bounded = scaled < -1000.0f ? -1000.0f : scaled > 1000.0f ? 1000.0f : scaled;
    y[i] = saturated(static_cast<int>(std::lrintf(bounded)) + (zero & 127));
  }
}
