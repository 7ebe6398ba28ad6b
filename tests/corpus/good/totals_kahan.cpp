// kernel: totals
// verdict: right
// tries: Kahan's sums, and plain ones where they are not finite
void totals(const float* a, float* sums, int h, int w) {
  for (int y = 0; y < h; ++y) {
    float sum = 0, lost = 0;
    for (int x = 0; x < w; ++x) {
      const float term = a[y * w + x] - lost, next = sum + term;
      lost = next - sum - term;
      sum = next;
    }
    sums[y] = sum - sum == 0 ? sum : [&] {
      float plain = 0;
      for (int x = 0; x < w; ++x) plain += a[y * w + x];
      return plain;
    }();
  }
}
