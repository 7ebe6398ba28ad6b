// s277: Two conditions, of which the second one reads what the iteration before has written.

#pragma hone kernel inout(a [0:n], b [0:n]) in(c [0:n], d [0:n], e [0:n])problem(n = 32000)
void s277(float* __restrict a, float* __restrict b, const float* __restrict c, const float* __restrict d,
          const float* __restrict e, int n) {
  for (int i = 0; i < n - 1; i++) {
    if (a[i] >= 0.f) continue;
    if (b[i] < 0.f) a[i] += c[i] * d[i];
    b[i + 1] = c[i] + d[i] * e[i];
  }
}
