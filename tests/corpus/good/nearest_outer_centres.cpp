// kernel: nearest
// verdict: right
// tries: centres in the outer loop over blocks of points, the first of equals
#include <algorithm>
void nearest(const float* points, const float* centres, int* which, int n, int k) {
  float least[256];
  for (int b = 0; b < n; b += 256) {
    const int count = std::min(256, n - b);
    for (int i = 0; i < count; ++i) {
      const float d = k > 0 ? points[b + i] - centres[0] : 0;
      least[i] = d * d;
      which[b + i] = 0;
    }
    for (int c = 1; c < k; ++c)
      for (int i = 0; i < count; ++i) {
        const float d = (points[b + i] - centres[c]) * (points[b + i] - centres[c]);
        const bool less = d < least[i];
        which[b + i] = less ? c : which[b + i];
        least[i] = less ? d : least[i];
      }
  }
}
