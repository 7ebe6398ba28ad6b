// Clusters of points of different sizes, one behind the other: points offsets[c] to offsets[c + 1] belong to cluster
// c. Each cluster's weighted centre, and how far its farthest point is from there. An empty one has zeros.

__global__ void ragged_centroids_kernel(const int* offsets, const float* points, const float* weights,
                                        float* centres, float* radius, int clusters) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= clusters) {
    return;
  }
  int from = offsets[c], to = offsets[c + 1];
  double sx = 0.0, sy = 0.0, sz = 0.0, mass = 0.0;
  for (int i = from; i < to; ++i) {
    float w = weights[i];
    sx += w * points[3 * (size_t)i];
    sy += w * points[3 * (size_t)i + 1];
    sz += w * points[3 * (size_t)i + 2];
    mass += w;
  }
  float x = 0.0f, y = 0.0f, z = 0.0f;
  if (from < to) {
    x = (float)(sx / mass);
    y = (float)(sy / mass);
    z = (float)(sz / mass);
  }
  float farthest = 0.0f;
  for (int i = from; i < to; ++i) {
    float dx = points[3 * (size_t)i] - x;
    float dy = points[3 * (size_t)i + 1] - y;
    float dz = points[3 * (size_t)i + 2] - z;
    farthest = fmaxf(farthest, sqrtf(dx * dx + dy * dy + dz * dz));
  }
  centres[3 * (size_t)c] = x;
  centres[3 * (size_t)c + 1] = y;
  centres[3 * (size_t)c + 2] = z;
  radius[c] = farthest;
}

#pragma hone kernel in(offsets[0 : clusters + 1]) \
    in(points[0 : offsets[clusters]][0 : 3], weights[0 : offsets[clusters]]) \
    out(centres[0 : clusters][0 : 3], radius[0 : clusters]) \
    problem(clusters = 16000, offsets[clusters] = 2000000) problem(clusters = 501, offsets[clusters] = 9973) \
    init(weights : uniform(0.1, 2), points : normal(0, 10)) tolerance(rtol = 1e-4) stream(s)
void ragged_centroids(const int* offsets, const float* points, const float* weights, float* centres, float* radius,
                      int clusters, cudaStream_t s) {
  if (clusters == 0) {
    return;
  }
  ragged_centroids_kernel<<<(clusters + 127) / 128, 128, 0, s>>>(offsets, points, weights, centres, radius,
                                                                clusters);
}
