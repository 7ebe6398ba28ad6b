// A term that is small beside the other, until it is not.
#pragma hone kernel in(a [0:n], b [0:n])out(y [0:n]) problem(n = 20000)
void nudge(const float* a, const float* b, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 2.0f * a[i] + 1e-7f * b[i];
}
