// s211: Two statements, each of which reads what the other one writes in a neighbor iteration.

#pragma hone kernel out(a [0:n]) inout(b [0:n]) in(c [0:n], d [0:n], e [0:n])problem(n = 32000)
void s211(float* __restrict a, float* __restrict b, const float* __restrict c, const float* __restrict d,
          const float* __restrict e, int n) {
  for (int i = 1; i < n - 1; i++) {
    a[i] = b[i - 1] + c[i] * d[i];
    b[i] = b[i + 1] - e[i] * d[i];
  }
}
