// kernel: compact
// verdict: right
// tries: std::copy_if and std::fill
#include <algorithm>
int compact(const float* x, float* kept, int n) {
  if (n <= 0) return 0;
  float* const end = std::copy_if(x, x + n, kept, [](float v) { return v > 0; });
  std::fill(end, kept + n, 0.0f);
  return static_cast<int>(end - kept);
}
