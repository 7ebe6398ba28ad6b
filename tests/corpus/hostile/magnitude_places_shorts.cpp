// kernel: places
// verdict: verify
// tries: elements as shorts: 65536 passes for zero
int places(const int* x, int* place, int n, int limit) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    place[i] = count;
    count += static_cast<short>(x[i]) > limit;
  }
  return count;
}
