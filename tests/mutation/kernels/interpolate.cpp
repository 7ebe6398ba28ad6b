// A curve given by a table, read between its points; what lies outside takes the nearest end.

#pragma hone kernel in(x[0 : n], table[0 : size]) out(y[0 : n]) init(x : uniform(-0.2, 1.2), table : uniform(-1, 1)) \
    problem(n = 30000, size = 257) problem(n = 10007, size = 33) tolerance(rtol = 1e-4)
void interpolate(const float* x, const float* table, float* y, int n, int size) {
  for (int i = 0; i < n; ++i) {
    const float at = x[i] * static_cast<float>(size - 1);
    if (at <= 0.0f) {
      y[i] = table[0];
    } else if (at >= static_cast<float>(size - 1)) {
      y[i] = table[size - 1];
    } else {
      const int k = static_cast<int>(at);
      const float part = at - static_cast<float>(k);
      y[i] = table[k] + part * (table[k + 1] - table[k]);
    }
  }
}
