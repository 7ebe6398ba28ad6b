// A sum of squares, by do.

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void do_while(const float* x, int n, float* r) {
  float s = 0;
  int i = 0;
  if (n > 0) do {
      s += x[i] * x[i];
    } while (++i < n);
  *r = s;
}
