// s1244: A sum of an element that is new and one that is not yet.

#pragma hone kernel inout(a [0:n]) in(b [0:n], c [0:n])out(d [0:n]) problem(n = 32000)
void s1244(float* __restrict a, const float* __restrict b, const float* __restrict c, float* __restrict d, int n) {
  for (int i = 0; i < n - 1; i++) {
    a[i] = b[i] + c[i] * c[i] + b[i] * b[i] + c[i];
    d[i] = a[i] + a[i + 1];
  }
}
