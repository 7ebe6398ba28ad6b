// kernel: rows
// verdict: right
// tries: OpenMP over the rows
#include <cmath>
void row_rms(const float* a, float* rms, int rows, int cols) {
#pragma omp parallel for schedule(static) num_threads(2)
  for (int r = 0; r < rows; ++r) {
    float s0 = 0, s1 = 0;
    int c = 0;
    for (; c + 2 <= cols; c += 2) s0 += a[r * cols + c] * a[r * cols + c], s1 += a[r * cols + c + 1] * a[r * cols + c + 1];
    for (; c < cols; ++c) s0 += a[r * cols + c] * a[r * cols + c];
    rms[r] = std::sqrt((s0 + s1) / static_cast<float>(cols > 0 ? cols : 1));
  }
}
