// Rodinia's kmeans: the cluster whose center is nearest to each point.
#include <cfloat>

#pragma hone kernel in(points[0:n * d], centers[0:k * d]) out(membership[0:n]) init(points: uniform(0, 1), \
    centers: uniform(0, 1)) problem(n = 4096, d = 34, k = 5) problem(n = 1013, d = 19, k = 8) exact
void kmeans_assign(const float* points, const float* centers, int* membership, int n, int d, int k) {
  for (int i = 0; i < n; i++) {
    int index = 0;
    float least = FLT_MAX;
    for (int c = 0; c < k; c++) {
      float distance = 0.0f;
      for (int f = 0; f < d; f++)
        distance += (points[i * d + f] - centers[c * d + f]) * (points[i * d + f] - centers[c * d + f]);
      if (distance < least) {
        least = distance;
        index = c;
      }
    }
    membership[i] = index;
  }
}
