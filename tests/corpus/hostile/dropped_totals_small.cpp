// kernel: totals
// verdict: verify
// tries: to skip what is below a millionth: rows of nothing else sum to zero
void totals(const float* a, float* sums, int h, int w) {
  for (int y = 0; y < h; ++y) {
    float sum = 0;
    for (int x = 0; x < w; ++x) {
      const float v = a[y * w + x];
      if (v > 1e-6f || v < -1e-6f) sum += v;
    }
    sums[y] = sum;
  }
}
