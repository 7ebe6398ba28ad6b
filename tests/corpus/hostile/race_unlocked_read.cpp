// kernel: rows
// standard: c++17
// verdict: verify "data race"
// tries: a sum that is written under a lock and read without
#include <cmath>
#include <mutex>
#include <thread>
void row_rms(const float* a, float* rms, int rows, int cols) {
  std::mutex mutex;
  int done = 0;
  const auto part = [&](int first, int last) {
    for (int r = first; r < last; ++r) {
      float sum = 0;
      for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
      rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
      if (done >= rows) return;
      const std::lock_guard lock(mutex);
      ++done;
    }
  };
  std::thread other(part, 0, rows / 2);
  part(rows / 2, rows);
  other.join();
}
