// kernel: rows
// verdict: right
// tries: OpenMP's reduction clause, over the columns of each row
#include <cmath>
void row_rms(const float* a, float* rms, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* row = a + r * cols;
    double sum = 0;
    float largest = 0;
#pragma omp parallel for simd num_threads(2) reduction(+ : sum) reduction(max : largest) if (cols > 64)
    for (int c = 0; c < cols; ++c) {
      sum += static_cast<double>(row[c]) * row[c];
      largest = std::fmax(largest, row[c]);
    }
    rms[r] = largest != largest ? largest : static_cast<float>(std::sqrt(sum / (cols > 0 ? cols : 1)));
  }
}
