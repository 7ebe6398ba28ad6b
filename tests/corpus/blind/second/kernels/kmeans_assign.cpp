// For each colour the first of the nearest centres; -1 if none is at a finite distance.
#include <cmath>

#pragma hone kernel in(p[0:n][0:3], c[0:k][0:3]) out(label[0:n]) problem(n = 4000, k = 24)
void kmeans_assign(const float* p, const float* c, int* label, int n, int k) {
  for (int i = 0; i < n; ++i) {
    float least = INFINITY;
    int best = -1;
    for (int j = 0; j < k; ++j) {
      const float dx = p[3 * i] - c[3 * j], dy = p[3 * i + 1] - c[3 * j + 1], dz = p[3 * i + 2] - c[3 * j + 2];
      const float d = dx * dx + dy * dy + dz * dz;
      if (d < least) least = d, best = j;
    }
    label[i] = best;
  }
}
