// kernel: rows
// standard: c++17
// verdict: right
// tries: a double-checked flag as it should be, a shared pointer, and a promise
#include <atomic>
#include <cmath>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
void row_rms(const float* a, float* rms, int rows, int cols) {
  std::atomic<bool> made{false};
  std::shared_ptr<float> scale;
  std::mutex making;
  const auto scaled = [&](float sum) {
    if (!made.load(std::memory_order_acquire)) {
      const std::lock_guard lock(making);
      if (!made.load(std::memory_order_relaxed)) {
        scale = std::make_shared<float>(1.0f / static_cast<float>(cols > 0 ? cols : 1));
        made.store(true, std::memory_order_release);
      }
    }
    const std::shared_ptr<float> mine = scale;
    return sum * *mine;
  };
  const auto part = [&](int first, int last) {
    for (int r = first; r < last; ++r) {
      float sum = 0;
      for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
      rms[r] = std::sqrt(scaled(sum));
    }
  };
  std::promise<int> promise;
  std::future<int> middle = promise.get_future();
  std::thread other([&] { part(0, middle.get()); });
  promise.set_value(rows / 2);
  part(rows / 2, rows);
  other.join();
}
