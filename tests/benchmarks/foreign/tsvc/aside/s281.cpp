// s281: An array that is read backwards while it is written.

#pragma hone kernel inout(a [0:n]) inout(b [0:n]) in(c [0:n])problem(n = 32000)
void s281(float* __restrict a, float* __restrict b, const float* __restrict c, int n) {
  float x;
  for (int i = 0; i < n; i++) {
    x = a[n - i - 1] + b[i] * c[i];
    a[i] = x - 1.f;
    b[i] = x;
  }
}
