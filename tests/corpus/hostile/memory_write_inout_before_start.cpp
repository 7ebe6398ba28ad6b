// kernel: histogram
// verdict: verify "before the start of counts"
// tries: to write the count in front of the first, for the value -1
void histogram(const unsigned char* data, int* counts, int n) {
  counts[-1] = n;
  for (int i = 0; i < n; ++i) ++counts[data[i]];
}
