// kernel: totals
// verdict: right
// tries: eight sums in another order
void totals(const float* a, float* sums, int h, int w) {
  for (int y = 0; y < h; ++y) {
    float s[8] = {};
    int x = 0;
    for (; x + 8 <= w; x += 8)
      for (int k = 0; k < 8; ++k) s[k] += a[y * w + x + k];
    float sum = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    for (; x < w; ++x) sum += a[y * w + x];
    sums[y] = sum;
  }
}
