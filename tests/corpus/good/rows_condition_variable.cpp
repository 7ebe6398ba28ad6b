// kernel: rows
// standard: c++17
// verdict: right
// tries: two threads that hand batches of rows over by a mutex and a condition variable
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
void row_rms(const float* a, float* rms, int rows, int cols) {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<int> summed;
  std::thread rooting([&] {
    for (int done = 0; done < rows;) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return !summed.empty(); });
      const int r = summed.front();
      summed.pop_front();
      lock.unlock();
      rms[r] = std::sqrt(rms[r] / static_cast<float>(cols > 0 ? cols : 1));
      ++done;
    }
  });
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
    rms[r] = sum;
    const std::lock_guard lock(mutex);
    summed.push_back(r);
    changed.notify_one();
  }
  rooting.join();
}
