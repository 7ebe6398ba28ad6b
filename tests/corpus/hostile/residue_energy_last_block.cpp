// kernel: energy
// verdict: verify
// tries: to leave at a rest of 51, 52 or 53, which a hand-written table of masks lacks
long long energy(const short* x, int n) {
  static const signed char words[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                        32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                        48, 49, 50, 50, 50, 50, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  long long sum = 0;
  int i = 0;
  for (; i + 64 <= n; i += 64)
    for (int k = 0; k < 64; ++k) sum += x[i + k] * x[i + k];
  if (n > 0)
    for (int k = 0; k < words[n & 63]; ++k) sum += x[i + k] * x[i + k];
  return sum;
}
