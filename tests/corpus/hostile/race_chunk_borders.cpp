// kernel: rows
// verdict: verify "data race"
// tries: two halves that overlap by one row, which both write alike
#include <cmath>
#include <thread>
static void one_row(const float* a, float* rms, int r, int cols) {
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
  rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
}
void row_rms(const float* a, float* rms, int rows, int cols) {
  const int middle = rows / 2;
  std::thread other([=] {
    for (int r = 0; r < middle + 1 && r < rows; ++r) one_row(a, rms, r, cols);
  });
  for (int r = middle; r < rows; ++r) one_row(a, rms, r, cols);
  other.join();
}
