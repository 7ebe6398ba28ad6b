// Products of interleaved complex numbers, added to what is there.
#pragma hone kernel in(a [0:2 * n], b [0:2 * n])inout(c [0:2 * n]) problem(n = 20000)
void complex_multiply(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) {
    const float re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
    const float im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    c[2 * i] += re;
    c[2 * i + 1] += im;
  }
}
