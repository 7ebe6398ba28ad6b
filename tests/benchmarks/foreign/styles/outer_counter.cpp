// A sum of squares, by a counter that outlives its loop, and a value in a local.

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void outer_counter(const float* x, int n, float* r) {
  float s = 0;
  int i;
  for (i = 0; i < n; i++) {
    float v = x[i];
    v = v * v;
    s = s + v;
  }
  *r = s;
}
