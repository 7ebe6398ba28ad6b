// The largest value so far; it starts anew where `keep` is zero, and goes on from block to block. y may be x.
#pragma hone kernel in(x[0:n], keep[0:n]) inout(state[0:1]) out(y[0:n]) problem(n = 50000) alias(x, y) exact
void restarting_max(const float* x, const unsigned char* keep, float* state, float* y, int n) {
  float most = state[0];
  for (int i = 0; i < n; ++i) {
    if (keep[i] == 0 || x[i] > most) most = x[i];
    y[i] = most;
  }
  state[0] = most;
}
