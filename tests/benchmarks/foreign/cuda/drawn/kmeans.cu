// Rodinia's kmeans, its assignment: the nearest centre of each point, one thread for each point.

__global__ void find_nearest(const float* points, const float* centres, int* nearest, int count, int clusters,
                             int features) {
  int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= count) return;
  int best = -1;
  float least = INFINITY;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    float distance = 0.0f;
    for (int f = 0; f < features; ++f) {
      float d = points[point * features + f] - centres[cluster * features + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      best = cluster;
    }
  }
  nearest[point] = best;
}

#pragma hone kernel in(points[0 : count * features], centres[0 : clusters * features]) out(nearest[0 : count]) \
    init(points : uniform(0, 1), centres : uniform(0, 1)) problem(count = 494020, clusters = 5, features = 34) \
    problem(count = 10007, clusters = 3, features = 7)
void kmeans(const float* points, const float* centres, int* nearest, int count, int clusters, int features) {
  find_nearest<<<(count + 255) / 256, 256>>>(points, centres, nearest, count, clusters, features);
}
