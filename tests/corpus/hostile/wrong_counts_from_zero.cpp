// kernel: histogram
// verdict: verify "expected"
// tries: to forget what was counted before
void histogram(const unsigned char* data, int* counts, int n) {
  for (int i = 0; i < 256; ++i) counts[i] = 0;
  for (int i = 0; i < n; ++i) ++counts[data[i]];
}
