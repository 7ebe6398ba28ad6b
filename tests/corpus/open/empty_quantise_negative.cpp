// kernel: quantise
// verdict: verify
// tries: to write backwards until the counter is zero: with n = -1 it does not begin there
void quantise(const float* x, signed char* q, int n) {
  for (unsigned i = static_cast<unsigned>(n); i-- > 0;) {
    const float v = x[i];
    q[i] = !(v > -2.5f) ? -127 : v >= 2.5f ? 127 : static_cast<signed char>(v * 50.0f + (v < 0 ? -0.5f : 0.5f));
  }
}
