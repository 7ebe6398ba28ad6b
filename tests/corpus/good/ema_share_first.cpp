// kernel: ema
// verdict: right
// tries: what does not wait for the state computed apart
void ema(float* x, int n, float keep) {
  const float share = 1.0f - keep;
  float state = 0, part[8];
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    for (int k = 0; k < 8; ++k) part[k] = share * x[i + k];
    for (int k = 0; k < 8; ++k) x[i + k] = state = keep * state + part[k];
  }
  for (; i < n; ++i) x[i] = state = keep * state + share * x[i];
}
