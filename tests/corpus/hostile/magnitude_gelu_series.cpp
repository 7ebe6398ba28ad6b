// kernel: gelu
// verdict: verify
// tries: the first terms of the error function's series: good to 1, of 4 it makes nonsense
void gelu(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i] * 0.70710678f, s = v * v;
    const float series =
        1.0f + s * (-1.0f / 3 +
                    s * (1.0f / 10 + s * (-1.0f / 42 + s * (1.0f / 216 + s * (-1.0f / 1320 + s * (1.0f / 9360))))));
    y[i] = 0.5f * x[i] * (1.0f + 1.12837917f * v * series);
  }
}
