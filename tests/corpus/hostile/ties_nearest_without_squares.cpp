// kernel: nearest
// verdict: verify or time
// tries: to compare c*c/2 - p*c, as there p*p falls out: to a point at 1e8 the original finds all centres alike and takes the first
void nearest(const float* points, const float* centres, int* which, int n, int k) {
  for (int i = 0; i < n; ++i) {
    int best = 0;
    float least = 0;
    for (int c = 0; c < k; ++c) {
      const float d = centres[c] * (0.5f * centres[c] - points[i]);
      if (c == 0 || d < least) best = c, least = d;
    }
    which[i] = best;
  }
}
