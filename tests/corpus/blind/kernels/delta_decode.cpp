// Differences of a byte back to values; they wrap as 32 bits do.
#pragma hone kernel in(d[0:n]) out(y[0:n]) problem(n = 60000)
void delta_decode(const signed char* d, int* y, int n, int base) {
  unsigned value = static_cast<unsigned>(base);
  for (int i = 0; i < n; ++i) {
    value += static_cast<unsigned>(static_cast<int>(d[i]));
    y[i] = static_cast<int>(value);
  }
}
