// A sum of squares, by a range, of a span.
#include <span>

#pragma hone kernel out(r[0:1]) problem(x.size()=4000) tolerance(rtol=1e-4)
void range_of_span(std::span<const float> x, float* r) {
  float s = 0;
  for (float v : x) s += v * v;
  *r = s;
}
