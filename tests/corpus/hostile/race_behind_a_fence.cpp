// kernel: rows
// verdict: verify "a memory fence"
// tries: to keep the race checker out by a fence that it cannot follow
#include <atomic>
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
    for (int r; (r = next++) < rows;) {
      std::atomic_thread_fence(std::memory_order_seq_cst);
      one_row(a, rms, r, cols);
    }
  };
  std::thread other(work);
  work();
  other.join();
}
