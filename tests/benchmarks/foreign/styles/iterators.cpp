// A sum of squares, by iterators.
#include <vector>

#pragma hone kernel out(r[0:1]) problem(x.size()=4000) tolerance(rtol=1e-4)
void iterators(const std::vector<float>& x, float* r) {
  float s = 0;
  for (auto it = x.begin(); it != x.end(); ++it) s += *it * *it;
  *r = s;
}
