// A recursive filter, forth and back, over the same array.

#pragma hone kernel inout(x[0 : n]) init(x : uniform(-1, 1)) problem(n = 30000, a = 0.25f) \
    problem(n = 10007, a = 0.6f) tolerance(rtol = 1e-4)
void smooth_in_place(float* x, int n, float a) {
  for (int i = 1; i < n; ++i) {
    x[i] = a * x[i] + (1.0f - a) * x[i - 1];
  }
  for (int i = n - 2; i >= 0; --i) {
    x[i] = a * x[i] + (1.0f - a) * x[i + 1];
  }
}
