// kernel: rows
// verdict: right
// tries: a single thread, where two are allowed
#include <cmath>
#include <numeric>
void row_rms(const float* a, float* rms, int rows, int cols) {
  for (; rows-- > 0; a += cols, ++rms)
    *rms = std::sqrt(std::accumulate(a, a + cols, 0.0f, [](float s, float v) { return s + v * v; }) / (cols > 0 ? cols : 1));
}
