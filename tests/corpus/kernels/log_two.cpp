// The highest bit that is set; of zero, -1.
#pragma hone kernel in(x [0:n])out(y [0:n]) problem(n = 12000)
void log_two(const unsigned* x, int* y, int n) {
  for (int i = 0; i < n; ++i) {
    int bit = -1;
    for (unsigned v = x[i]; v; v >>= 1) ++bit;
    y[i] = bit;
  }
}
