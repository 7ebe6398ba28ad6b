// s241: The second statement reads an element before and one behind the first one's change.

#pragma hone kernel inout(a [0:n], b [0:n]) in(c [0:n], d [0:n])problem(n = 32000)
void s241(float* __restrict a, float* __restrict b, const float* __restrict c, const float* __restrict d, int n) {
  for (int i = 0; i < n - 1; i++) {
    a[i] = b[i] * c[i] * d[i];
    b[i] = a[i] * a[i + 1] * d[i];
  }
}
