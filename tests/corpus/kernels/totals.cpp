// The sum of each row.
#pragma hone kernel in(a [0:h] [0:w])out(sums [0:h]) problem(h = 64, w = 300)
void totals(const float* a, float* sums, int h, int w) {
  for (int y = 0; y < h; ++y) {
    float sum = 0;
    for (int x = 0; x < w; ++x) sum += a[y * w + x];
    sums[y] = sum;
  }
}
