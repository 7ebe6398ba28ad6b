// kernel: rows
// verdict: verify "data race"
// tries: to hand the lower half over by an atomic that promises no order
#include <atomic>
#include <cmath>
#include <thread>
static void one_row(const float* a, float* rms, int r, int cols) {
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
  rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
}
void row_rms(const float* a, float* rms, int rows, int cols) {
  std::atomic<bool> done{false};
  std::thread other([&] {
    for (int r = 0; r < rows / 2; ++r) one_row(a, rms, r, cols);
    done.store(true, std::memory_order_relaxed);
  });
  for (int r = rows / 2; r < rows; ++r) one_row(a, rms, r, cols);
  while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
  for (int r = 0; r < rows / 2; ++r) rms[r] = rms[r] < 0 ? 0 : rms[r];
  other.join();
}
