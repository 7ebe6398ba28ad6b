// A FIR filter over a signal, by do ... while (--n) outside, and inside samples that walk on while the taps walk back.

#pragma hone kernel in(x[0:n+ntaps-1], taps[0:ntaps]) out(y[0:n]) problem(n=1000, ntaps=31) tolerance(rtol=1e-3)
void fir_convolve(const float* x, const float* taps, float* y, int n, int ntaps) {
  if (n < 1) return;
  do {
    const float* s = x++;
    const float* h = taps + ntaps;
    float acc = 0.0f;
    int k = ntaps;
    while (k--)
      acc += *s++ * *--h;
    *y++ = acc;
  } while (--n);
}
