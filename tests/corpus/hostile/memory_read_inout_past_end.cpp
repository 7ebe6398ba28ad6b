// kernel: histogram
// verdict: verify "one element past the end of counts"
// tries: to read a count behind the last
void histogram(const unsigned char* data, int* counts, int n) {
  volatile int unused = counts[256];
  (void)unused;
  for (int i = 0; i < n; ++i) ++counts[data[i]];
}
