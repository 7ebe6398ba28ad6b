// The nearest of k centroids for each point, and its squared distance, by a nest of three: points and centroids walk on, the inner loop counts down.
#include <cfloat>
#include <cstdint>

#pragma hone kernel in(points[0:n*dim], centroids[0:k*dim]) out(label[0:n], dist[0:n]) problem(n=203, k=12, dim=8) tolerance(rtol=1e-4)
void nearest_centroid(const float* points, const float* centroids, int32_t* label, float* dist, int n, int k, int dim) {
  for (; n > 0; --n, points += dim) {
    const float* c = centroids;
    float best = FLT_MAX;
    int32_t best_index = -1;
    for (int32_t j = 0; j < k; ++j) {
      const float* p = points;
      float d2 = 0.0f;
      for (int left = dim; left > 0; --left) {
        const float d = *p++ - *c++;
        d2 += d * d;
      }
      if (d2 < best) {
        best = d2;
        best_index = j;
      }
    }
    *label++ = best_index;
    *dist++ = best;
  }
}
