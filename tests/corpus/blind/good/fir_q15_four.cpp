// kernel: fir_q15
// verdict: right
// tries: four outputs at once in 64-bit registers, so each tap is loaded once for four
static inline short ended(long long sum) {
  sum >>= 15;
  if (sum > 32767) sum = 32767;
  if (sum < -32768) sum = -32768;
  return static_cast<short>(sum);
}
void fir_q15(const short* __restrict x, const short* __restrict h, short* __restrict y, int n, int taps) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    long long s0 = 1 << 14, s1 = 1 << 14, s2 = 1 << 14, s3 = 1 << 14;
    if (taps > 0) {
      int a = x[i], b = x[i + 1], c = x[i + 2];
      for (int k = 0; k < taps; ++k) {
        const int d = x[i + k + 3], t = h[k];
        s0 += a * t;
        s1 += b * t;
        s2 += c * t;
        s3 += d * t;
        a = b, b = c, c = d;
      }
    }
    y[i] = ended(s0), y[i + 1] = ended(s1), y[i + 2] = ended(s2), y[i + 3] = ended(s3);
  }
  for (; i < n; ++i) {
    long long sum = 1 << 14;
    for (int k = 0; k < taps; ++k) sum += x[i + k] * h[k];
    y[i] = ended(sum);
  }
}
