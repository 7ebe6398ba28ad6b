// s453: An induction variable in floating point.

#pragma hone kernel out(a [0:n]) in(b [0:n])problem(n = 32000)
void s453(float* __restrict a, const float* __restrict b, int n) {
  float s = 0.f;
  for (int i = 0; i < n; i++) {
    s += 2.f;
    a[i] = s * b[i];
  }
}
