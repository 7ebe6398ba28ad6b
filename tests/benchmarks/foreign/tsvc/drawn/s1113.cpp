// s1113: All elements take the one in the middle, which the loop changes on its way.

#pragma hone kernel inout(a [0:n]) in(b [0:n])problem(n = 32000)
void s1113(float* __restrict a, const float* __restrict b, int n) {
  for (int i = 0; i < n; i++) a[i] = a[n / 2] + b[i];
}
