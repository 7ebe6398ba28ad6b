// kernel: quantise
// verdict: right
// tries: cut first, as a float, with the ends where the original has them
void quantise(const float* x, signed char* q, int n) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i], inner = v > -2.5f && v < 2.5f ? v : 0.0f;
    const int step = static_cast<int>(inner * 50.0f + (inner < 0 ? -0.5f : 0.5f));
    q[i] = static_cast<signed char>(v >= 2.5f ? 127 : v > -2.5f ? step : -127);
  }
}
