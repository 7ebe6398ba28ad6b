// kernel: totals
// verdict: right
// tries: halves of halves, whose error grows with the logarithm alone
static float total(const float* a, int w) {
  if (w <= 32) {
    float sum = 0;
    for (int x = 0; x < w; ++x) sum += a[x];
    return sum;
  }
  const int half = w / 2;
  return total(a, half) + total(a + half, w - half);
}
void totals(const float* a, float* sums, int h, int w) {
  for (int y = 0; y < h; ++y) sums[y] = total(a + y * w, w);
}
