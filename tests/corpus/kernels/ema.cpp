// A recurrence in place: each value leans on all before it.
#pragma hone kernel inout(x [0:n]) problem(n = 20000, keep = 0.5f)
void ema(float* x, int n, float keep) {
  float state = 0;
  for (int i = 0; i < n; ++i) {
    state = keep * state + (1.0f - keep) * x[i];
    x[i] = state;
  }
}
