// A filter in 15 fractional bits: rounded, then clamped to 16 bits.
#pragma hone kernel in(x [0:n + taps], h [0:taps])out(y [0:n]) problem(n = 4000, taps = 32)
void fir_q15(const short* x, const short* h, short* y, int n, int taps) {
  for (int i = 0; i < n; ++i) {
    long long sum = 1 << 14;
    for (int k = 0; k < taps; ++k) sum += x[i + k] * h[k];
    sum >>= 15;
    y[i] = static_cast<short>(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
  }
}
