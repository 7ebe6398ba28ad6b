// s1213: Each statement reads the other one's array in a neighbor iteration.

#pragma hone kernel inout(a [0:n], b [0:n]) in(c [0:n], d [0:n])problem(n = 32000)
void s1213(float* __restrict a, float* __restrict b, const float* __restrict c, const float* __restrict d, int n) {
  for (int i = 1; i < n - 1; i++) {
    a[i] = b[i - 1] + c[i];
    b[i] = a[i + 1] * d[i];
  }
}
