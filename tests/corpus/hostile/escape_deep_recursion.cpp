// kernel: squash
// verdict: verify "stack overflowed"
// tries: to recurse until the stack ends
static float deep(const float* x, volatile int level) {
  volatile float frame[64];
  frame[level & 63] = x[0];
  return deep(x, level + 1) + frame[level & 63];
}
void squash(const float* x, float* y, int n, float) {
  for (int i = 0; i < n; ++i) y[i] = deep(x, i);
}
