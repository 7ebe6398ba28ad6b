// kernel: nearest
// verdict: verify
// tries: <= for <: of two centres alike the second
void nearest(const float* points, const float* centres, int* which, int n, int k) {
  for (int i = 0; i < n; ++i) {
    int best = 0;
    float least = 3.4e38f;
    for (int c = 0; c < k; ++c) {
      const float d = (points[i] - centres[c]) * (points[i] - centres[c]);
      best = d <= least ? c : best;
      least = d <= least ? d : least;
    }
    which[i] = best;
  }
}
