// A sum of squares, by an unsigned index that is compared with !=.
#include <cstddef>

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void unsigned_end(const float* x, std::size_t n, float* r) {
  float s = 0;
  for (std::size_t i = 0; i != n; i++) s = s + x[i] * x[i];
  *r = s;
}
