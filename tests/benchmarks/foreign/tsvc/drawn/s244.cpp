// s244: The last statement writes what the first one writes again in the next iteration.

#pragma hone kernel inout(a [0:n], b [0:n]) in(c [0:n], d [0:n])problem(n = 32000)
void s244(float* __restrict a, float* __restrict b, const float* __restrict c, const float* __restrict d, int n) {
  for (int i = 0; i < n - 1; ++i) {
    a[i] = b[i] + c[i] * d[i];
    b[i] = c[i] + b[i];
    a[i + 1] = b[i] + a[i + 1] * d[i];
  }
}
