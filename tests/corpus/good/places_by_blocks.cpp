// kernel: places
// verdict: right
// tries: blocks counted first, so that their places do not wait for each other
int places(const int* x, int* place, int n, int limit) {
  int total = 0;
  for (int b = 0; b < n; b += 256) {
    const int end = n - b < 256 ? n : b + 256;
    int own = 0;
    for (int i = b; i < end; ++i) {
      place[i] = total + own;
      own += x[i] > limit;
    }
    total += own;
  }
  return total;
}
