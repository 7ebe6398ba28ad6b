// A sum of squares, by a range, of a vector.
#include <vector>

#pragma hone kernel out(r[0:1]) problem(x.size()=4000) tolerance(rtol=1e-4)
void range_of_vector(const std::vector<float>& x, float* r) {
  float s = 0;
  for (float v : x) s += v * v;
  *r = s;
}
