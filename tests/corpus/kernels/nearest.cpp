// For each point the first of the nearest centres.
#pragma hone kernel in(points [0:n], centres [0:k])out(which [0:n]) problem(n = 3000, k = 24)
void nearest(const float* points, const float* centres, int* which, int n, int k) {
  for (int i = 0; i < n; ++i) {
    int best = 0;
    float least = 0;
    for (int c = 0; c < k; ++c) {
      const float d = (points[i] - centres[c]) * (points[i] - centres[c]);
      if (c == 0 || d < least) best = c, least = d;
    }
    which[i] = best;
  }
}
