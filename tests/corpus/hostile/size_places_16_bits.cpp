// kernel: places
// verdict: verify
// tries: places in 16 bits: the 65537th that passes goes to place 0
int places(const int* x, int* place, int n, int limit) {
  unsigned short count = 0;
  for (int i = 0; i < n; ++i) {
    place[i] = count;
    count = static_cast<unsigned short>(count + (x[i] > limit));
  }
  return count;
}
