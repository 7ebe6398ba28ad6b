// kernel: columns
// verdict: verify
// tries: the row's number in a byte: of 256 rows none is added, of 300 only 44
void columns(const float* a, float* sums, int h, int w) {
  for (int x = 0; x < w; ++x) sums[x] = 0;
  const unsigned char rows = static_cast<unsigned char>(h > 0 ? h : 0);
  for (unsigned char y = 0; y < rows; ++y)
    for (int x = 0; x < w; ++x) sums[x] += a[y * w + x];
}
