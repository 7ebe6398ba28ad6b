// kernel: columns
// verdict: verify or time
// tries: to allocate and never to free: a program that calls it a million times has lost 800 MB
void columns(const float* a, float* sums, int h, int w) {
  float* all = new float[w > 0 ? w : 1]();
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) all[x] += a[y * w + x];
  for (int x = 0; x < w; ++x) sums[x] = all[x];
}
