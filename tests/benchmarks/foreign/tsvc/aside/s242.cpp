// s242: A running sum of five terms.

#pragma hone kernel inout(a [0:n]) in(b [0:n], c [0:n], d [0:n])problem(n = 32000) tolerance(rtol = 1e-4)
void s242(float* __restrict a, const float* __restrict b, const float* __restrict c, const float* __restrict d,
          float s1, float s2, int n) {
  for (int i = 1; i < n; ++i) a[i] = a[i - 1] + s1 + s2 + b[i] + c[i] + d[i];
}
