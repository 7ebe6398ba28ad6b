// kernel: compact
// verdict: verify or time
// tries: to free on one of two ways out: each call without a positive element loses its copy
#include <cstdlib>
int compact(const float* x, float* kept, int n) {
  if (n < 1) return 0;
  float* room = static_cast<float*>(std::malloc(sizeof(float) * n));
  int count = 0;
  for (int i = 0; i < n; ++i) {
    room[count] = x[i];
    count += x[i] > 0;
  }
  if (count == 0) {
    for (int i = 0; i < n; ++i) kept[i] = 0;
    return 0;
  }
  for (int i = 0; i < n; ++i) kept[i] = i < count ? room[i] : 0;
  std::free(room);
  return count;
}
