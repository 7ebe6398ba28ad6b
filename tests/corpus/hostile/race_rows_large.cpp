// kernel: rows
// verdict: verify
// tries: a shared sum from 400 rows on alone, where no declared size comes
#include <cmath>
void row_rms(const float* a, float* rms, int rows, int cols) {
  if (rows < 400) {
    for (int r = 0; r < rows; ++r) {
      float sum = 0;
      for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
      rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
    }
    return;
  }
  float sum = 0;
#pragma omp parallel for num_threads(2)
  for (int r = 0; r < rows; ++r) {
    sum = 0;
    for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
    rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
  }
}
