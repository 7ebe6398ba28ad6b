// kernel: columns
// verdict: right
// tries: scratch that each thread keeps, cleared before it is used
#include <vector>
void columns(const float* a, float* sums, int h, int w) {
  if (w < 1) return;
  thread_local std::vector<double> room;
  room.assign(w, 0.0);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) room[x] += a[y * w + x];
  for (int x = 0; x < w; ++x) sums[x] = static_cast<float>(room[x]);
}
