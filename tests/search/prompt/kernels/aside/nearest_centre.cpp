// right: argmax vectorise-outer
// The nearest of several centres for each point.
void nearest_centre(const float* points, const float* centres, int* group, int n, int groups, int features) {
  for (int p = 0; p < n; ++p) {
    float least = 3.4e38f;
    int nearest = 0;
    for (int g = 0; g < groups; ++g) {
      float distance = 0;
      for (int f = 0; f < features; ++f) {
        float d = points[p * features + f] - centres[g * features + f];
        distance += d * d;
      }
      if (distance < least) {
        least = distance;
        nearest = g;
      }
    }
    group[p] = nearest;
  }
}
