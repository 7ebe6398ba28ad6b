// kernel: rows
// verdict: verify "data race"
// tries: two halves that overlap where the number of rows is odd, and only there
#include <cmath>
static void one_row(const float* a, float* rms, int r, int cols) {
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
  rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
}
void row_rms(const float* a, float* rms, int rows, int cols) {
  const int half = (rows + 1) / 2;
#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (int part = 0; part < 2; ++part)
    for (int r = part * (rows - half); r < part * (rows - half) + half; ++r) one_row(a, rms, r, cols);
}
