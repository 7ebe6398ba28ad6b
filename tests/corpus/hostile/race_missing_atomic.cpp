// kernel: rows
// verdict: verify "data race" or "expected"
// tries: a queue of rows whose counter is a plain int
#include <cmath>
#include <thread>
static void one_row(const float* a, float* rms, int r, int cols) {
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
  rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
}
void row_rms(const float* a, float* rms, int rows, int cols) {
  int next = 0;
  const auto work = [&] {
    for (int r; (r = next++) < rows;) one_row(a, rms, r, cols);
  };
  std::thread other(work);
  work();
  other.join();
}
