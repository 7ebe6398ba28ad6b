// kernel: totals
// verdict: verify
// tries: a row buffer of 1024 without a look at w: a row of 1100 overwrites the stack
#include <cstring>
void totals(const float* a, float* sums, int h, int w) {
  float row[1024];
  for (int y = 0; y < h; ++y) {
    if (w > 0) std::memcpy(row, a + y * w, sizeof(float) * w);
    float s0 = 0, s1 = 0;
    int x = 0;
    for (; x + 2 <= w; x += 2) s0 += row[x], s1 += row[x + 1];
    if (x < w) s0 += row[x];
    sums[y] = s0 + s1;
  }
}
