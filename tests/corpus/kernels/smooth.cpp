// A stencil whose output lacks the border: of nothing and of one element it does nothing.
#pragma hone kernel in(x [0:n])out(y [1:n - 2]) problem(n = 20000)
void smooth(const float* x, float* y, int n) {
  for (int i = 1; i < n - 1; ++i) y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}
