// kernel: rows
// verdict: right
// tries: threads over rows and lanes within them
#include <cmath>
void row_rms(const float* a, float* rms, int rows, int cols) {
#pragma omp parallel for num_threads(2)
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
    rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
  }
}
