// A sum of squares, by a size that is counted down and a pointer that steps as it is read.

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void counts_down_to_zero(const float* x, int n, float* r) {
  float s = 0;
  while (n-- > 0) {
    float v = *x++;
    s += v * v;
  }
  *r = s;
}
