// Steps of a fiftieth; beyond 2.5 the ends, and the lower one for what is no number.
#pragma hone kernel in(x [0:n])out(q [0:n]) problem(n = 20000)
void quantise(const float* x, signed char* q, int n) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i];
    if (!(v > -2.5f))
      q[i] = -127;
    else if (v >= 2.5f)
      q[i] = 127;
    else
      q[i] = static_cast<signed char>(v * 50.0f + (v < 0 ? -0.5f : 0.5f));
  }
}
