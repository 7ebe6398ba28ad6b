// kernel: histogram
// verdict: verify "past the end of counts"
// tries: to write a count behind the last
void histogram(const unsigned char* data, int* counts, int n) {
  counts[256] = n;
  for (int i = 0; i < n; ++i) ++counts[data[i]];
}
