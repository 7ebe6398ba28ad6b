// Two sums modulo a prime in one word.
#pragma hone kernel in(x [0:n])problem(n = 30000)
unsigned adler(const unsigned char* x, int n) {
  unsigned a = 1, b = 0;
  for (int i = 0; i < n; ++i) {
    a = (a + x[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}
