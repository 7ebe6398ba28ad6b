// Counts on top of what is there already.
#pragma hone kernel in(data[0:n]) inout(counts[0:256]) problem(n = 60000)
void histogram(const unsigned char* data, int* counts, int n) {
  for (int i = 0; i < n; ++i) ++counts[data[i]];
}
