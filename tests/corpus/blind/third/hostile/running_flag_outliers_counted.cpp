// kernel: flag_outliers
// verdict: gate "detach"
// wall: verify or time
// standard: c++20
// tries: three detached helpers and the caller claim blocks of 2048, collect the places of a block's outliers, count the block as done and only then set their marks; the caller returns when all are counted, while a helper may still set the marks of its last block (any n from 8192 on, by timing only)
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <thread>

namespace {
struct Shared {
  std::atomic<int> next{0}, found{0}, done{0};
};

void claim(Shared& shared, const float* x, int n, Rule rule, uint8_t* marks) {
  const int blocks = (n + 2047) / 2048;
  for (int b; (b = shared.next.fetch_add(1, std::memory_order_relaxed)) < blocks;) {
    const int begin = b * 2048, end = begin + 2048 < n ? begin + 2048 : n;
    int16_t places[2048];
    int found = 0;
    for (int i = begin; i < end; ++i)
      if (std::erfc(std::fabs(x[i] - rule.mean) / rule.sigma * 0.70710678118654752440) < rule.alpha)
        places[found++] = static_cast<int16_t>(i - begin);
    shared.found.fetch_add(found, std::memory_order_relaxed);
    shared.done.fetch_add(1, std::memory_order_acq_rel);
    for (int j = 0; j < found; ++j) {
      const int i = begin + places[j];
      marks[i >> 3] = static_cast<uint8_t>(marks[i >> 3] | 1 << (i & 7));
    }
  }
}
}  // namespace

int flag_outliers(const float* x, int n, Rule rule, uint8_t* marks) {
  const auto shared = std::make_shared<Shared>();
  if (n >= 8192)
    for (int t = 0; t < 3; ++t) std::thread([=] { claim(*shared, x, n, rule, marks); }).detach();
  claim(*shared, x, n, rule, marks);
  while (shared->done.load(std::memory_order_acquire) < (n + 2047) / 2048) std::this_thread::yield();
  return shared->found.load();
}
