// kernel: rows
// verdict: right
// tries: two threads that take rows from an atomic counter
#include <atomic>
#include <cmath>
#include <thread>
void row_rms(const float* a, float* rms, int rows, int cols) {
  std::atomic<int> next{0};
  auto work = [&] {
    for (int r; (r = next.fetch_add(8, std::memory_order_relaxed)) < rows;)
      for (int end = r + 8 < rows ? r + 8 : rows; r < end; ++r) {
        double sum = 0;
        for (const float *v = a + r * cols, *last = v + cols; v != last; ++v) sum += static_cast<double>(*v) * *v;
        rms[r] = static_cast<float>(std::sqrt(sum / (cols > 0 ? cols : 1)));
      }
  };
  std::thread other(work);
  work();
  other.join();
}
