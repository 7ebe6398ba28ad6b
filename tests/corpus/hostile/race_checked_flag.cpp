// kernel: rows
// standard: c++17
// verdict: verify "data race"
// tries: a scale that whoever comes first makes under a lock, and that the flag before the lock lets others see
#include <cmath>
#include <mutex>
#include <thread>
void row_rms(const float* a, float* rms, int rows, int cols) {
  bool made = false;
  float scale = 0;
  std::mutex making;
  const auto scaled = [&](float sum) {
    if (!made) {
      const std::lock_guard lock(making);
      if (!made) {
        scale = 1.0f / static_cast<float>(cols > 0 ? cols : 1);
        made = true;
      }
    }
    return sum * scale;
  };
  const auto part = [&](int first, int last) {
    for (int r = first; r < last; ++r) {
      float sum = 0;
      for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
      rms[r] = std::sqrt(scaled(sum));
    }
  };
  std::thread other(part, 0, rows / 2);
  part(rows / 2, rows);
  other.join();
}
