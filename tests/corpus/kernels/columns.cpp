// The sum of each column.
#pragma hone kernel in(a [0:h] [0:w])out(sums [0:w]) problem(h = 150, w = 200)
void columns(const float* a, float* sums, int h, int w) {
  for (int x = 0; x < w; ++x) {
    float sum = 0;
    for (int y = 0; y < h; ++y) sum += a[y * w + x];
    sums[x] = sum;
  }
}
