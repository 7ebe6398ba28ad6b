// Adds the product of two interleaved complex spectra to a third, by for (;;) with break, three pointers side by side.

#pragma hone kernel in(a[0:2*n], b[0:2*n]) inout(acc[0:2*n]) problem(n=4096) tolerance(rtol=1e-3)
void spectrum_mac(const float* a, const float* b, float* acc, int n) {
  const float* const stop = a + 2 * n;
  for (;;) {
    if (a == stop) break;
    const float ar = *a++;
    const float ai = *a++;
    const float br = *b++;
    const float bi = *b++;
    *acc++ += ar * br - ai * bi;
    *acc++ += ar * bi + ai * br;
  }
}
