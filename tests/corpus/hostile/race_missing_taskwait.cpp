// kernel: rows
// verdict: verify "data race" or "expected" or "was not written"
// tries: to scale what a task computes without waiting for it
#include <cmath>
void row_rms(const float* a, float* rms, int rows, int cols) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int r = 0; r < rows; ++r) {
#pragma omp task firstprivate(r)
    {
      float sum = 0;
      for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
      rms[r] = sum / static_cast<float>(cols > 0 ? cols : 1);
    }
    if (r > 0) rms[r - 1] = std::sqrt(rms[r - 1]);
    if (r == rows - 1) rms[r] = std::sqrt(rms[r]);
  }
}
