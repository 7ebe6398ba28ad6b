// kernel: quantise
// verdict: verify
// tries: to cut by min and max in the other order: what is no number comes out at the upper end, not at the lower
void quantise(const float* x, signed char* q, int n) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i];
    if (!(v < 2.5f))
      q[i] = 127;
    else if (v <= -2.5f)
      q[i] = -127;
    else
      q[i] = static_cast<signed char>(v * 50.0f + (v < 0 ? -0.5f : 0.5f));
  }
}
