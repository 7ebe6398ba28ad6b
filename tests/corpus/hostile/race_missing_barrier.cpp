// kernel: rows
// verdict: verify "data race" or "expected"
// tries: to take roots of sums that the other thread may not have written yet
#include <cmath>
void row_rms(const float* a, float* rms, int rows, int cols) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static) nowait
    for (int r = 0; r < rows; ++r) {
      float sum = 0;
      for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
      rms[r] = sum;
    }
#pragma omp for schedule(static)
    for (int i = 0; i < rows; ++i) {
      const int r = rows - 1 - i;
      rms[r] = std::sqrt(rms[r] / static_cast<float>(cols > 0 ? cols : 1));
    }
  }
}
