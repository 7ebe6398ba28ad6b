// The cosine of the angle between two vectors, by two iterators side by side and three sums.
#include <cmath>
#include <vector>

#pragma hone kernel out(result[0:1]) problem(a.size()=4001, b.size()=4001) tolerance(rtol=1e-3)
void cosine_similarity(const std::vector<float>& a, const std::vector<float>& b, float* result) {
  float dot = 0.0f;
  float aa = 0.0f;
  float bb = 0.0f;
  auto jt = b.begin();
  for (auto it = a.begin(); it != a.end() && jt != b.end(); ++it, ++jt) {
    dot += *it * *jt;
    aa += *it * *it;
    bb += *jt * *jt;
  }
  const float norm = std::sqrt(aa) * std::sqrt(bb);
  *result = norm > 0.0f ? dot / norm : 0.0f;
}
