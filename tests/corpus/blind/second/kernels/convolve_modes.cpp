// A row weighted with 2r+1 taps. Beyond its ends there are zeros (mode 0), the last values (1), the row mirrored with
// its end repeated (2), or the row again (3).
#pragma hone kernel in(x[0:n], taps[0:2*r+1]) out(y[0:n]) problem(n = 20000, r = 4) init(mode: index(0, 4)) \
    requires(r >= 0) tolerance(rtol = 1e-4)
void convolve_modes(const float* x, const float* taps, float* y, int n, int r, int mode) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = -r; k <= r; ++k) {
      int j = i + k;
      if (mode == 1) j = j < 0 ? 0 : j >= n ? n - 1 : j;
      while (mode == 2 && (j < 0 || j >= n)) j = j < 0 ? -1 - j : 2 * n - 1 - j;
      while (mode == 3 && (j < 0 || j >= n)) j += j < 0 ? n : -n;
      if (j >= 0 && j < n) sum += taps[k + r] * x[j];
    }
    y[i] = sum;
  }
}
