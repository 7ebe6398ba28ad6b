// One second-order section of an equaliser, transposed direct form II; its state goes on from block to block.
#pragma hone kernel in(x[0:n], c[0:5]) inout(z[0:2]) out(y[0:n]) problem(n = 20000) \
    init(c: uniform(-0.49, 0.49)) tolerance(rtol = 1e-4)
void biquad(const float* x, const float* c, float* z, float* y, int n) {
  float z1 = z[0], z2 = z[1];
  for (int i = 0; i < n; ++i) {
    const float in = x[i];
    const float out = c[0] * in + z1;
    z1 = c[1] * in - c[3] * out + z2;
    z2 = c[2] * in - c[4] * out;
    y[i] = out;
  }
  z[0] = z1;
  z[1] = z2;
}
