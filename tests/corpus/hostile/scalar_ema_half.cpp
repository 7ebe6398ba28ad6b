// kernel: ema
// verdict: verify
// tries: half as the average of two: ema(x, n, 0.9) weighs all alike
void ema(float* x, int n, float) {
  float state = 0;
  for (int i = 0; i < n; ++i) x[i] = state = 0.5f * (state + x[i]);
}
