// kernel: columns
// verdict: right
// tries: rows in order, and clones for other processors that the loader chooses from
__attribute__((target_clones("avx2", "default"))) void columns(const float* a, float* sums, int h, int w) {
  for (int x = 0; x < w; ++x) sums[x] = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) sums[x] += a[y * w + x];
}
