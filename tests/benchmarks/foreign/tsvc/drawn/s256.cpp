// s256: A row that each column computes anew.

#pragma hone kernel inout(a [0:n]) out(aa [0:n * n]) in(bb [0:n * n], d [0:n]) problem(n = 256)
void s256(float* __restrict a, float* __restrict aa, const float* __restrict bb, const float* __restrict d, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++) {
      a[j] = 1.f - a[j - 1];
      aa[j * n + i] = a[j] + bb[j * n + i] * d[j];
    }
}
