// s261: A temporary that is used twice, and an array that is read one behind.

#pragma hone kernel inout(a [0:n], c [0:n]) in(b [0:n], d [0:n])problem(n = 32000)
void s261(float* __restrict a, const float* __restrict b, float* __restrict c, const float* __restrict d, int n) {
  float t;
  for (int i = 1; i < n; ++i) {
    t = a[i] + b[i];
    a[i] = t + c[i - 1];
    t = c[i] * d[i];
    c[i] = t;
  }
}
