#include "tool/tune/facts/machine_rates.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "tool/judge/machine/turn_lock.h"
#include "tool/tune/facts/machine_loops.h"

namespace hone::tune {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t in_memory = std::size_t{32} << 20;
constexpr std::size_t sizes[] = {16 << 10, 512 << 10, 4 << 20, in_memory};
constexpr std::size_t rates = std::size(sizes) + 1;
constexpr double each = 0.002;        // seconds, of one rate in one pass: short, so that passes find a quiet moment
constexpr double longest = 0.5;       // of all passes
constexpr unsigned quiet_passes = 5;  // so many without a better rate: there is none
constexpr double better = 1.01;       // a hundredth is within what the clock and other processes add

struct FreeAligned {
  void operator()(std::byte* data) const { ::operator delete[](data, std::align_val_t{64}); }
};
using Buffer = std::unique_ptr<std::byte[], FreeAligned>;

Buffer filled_buffer(std::size_t bytes) {
  Buffer buffer(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{64})));
  std::fill_n(buffer.get(), bytes, std::byte{1});  // every page is there before it is read
  return buffer;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The best rate of `work`, which says what it did: done again and again for a while.
double best_rate(const std::function<double()>& work) {
  double best = 0;
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    const double done = work();
    best = std::max(best, done / seconds_since(start));
  } while (seconds_since(begin) < each);
  return best;
}

// Passes over all rates; a rate is the sum over threads that begin it together.
class Bench {
 public:
  Bench(unsigned threads, MachineLoops loops) : threads_(threads), loops_(loops), together_(threads) {}

  MachineRates run() {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads_; ++i) others.emplace_back([this] { one(); });
    const auto start = Clock::now();
    const Buffer buffer = filled_buffer(in_memory);
    for (unsigned quiet = 0; quiet < quiet_passes && seconds_since(start) < longest;) {
      pass(buffer.get());
      together_.arrive_and_wait();
      quiet = take_best() ? 0 : quiet + 1;
    }
    over_ = true;
    together_.arrive_and_wait();
    others.clear();
    MachineRates found;
    for (std::size_t i = 0; i < std::size(sizes); ++i)
      found.streaming.push_back({static_cast<double>(sizes[i]), best_[i]});
    found.flops = best_.back();
    return found;
  }

 private:
  void one() {
    const Buffer buffer = filled_buffer(in_memory);
    while (pass(buffer.get())) together_.arrive_and_wait();
  }

  // False: there is no further one.
  bool pass(const std::byte* data) {
    volatile long long kept = 0;
    for (std::size_t i = 0; i < rates; ++i) {
      together_.arrive_and_wait();
      if (over_) return false;
      const double rate = best_rate([&] {
        if (i == std::size(sizes)) return loops_.multiply(1e-3f);
        kept = loops_.read(data, sizes[i]);
        return static_cast<double>(sizes[i]);
      });
      const std::lock_guard lock(mutex_);
      now_[i] += rate;
    }
    return true;
  }

  // Whether this pass, which has ended for all, found a better rate. The others wait for the next.
  bool take_best() {
    bool found = false;
    for (std::size_t i = 0; i < rates; ++i) {
      found = found || now_[i] > best_[i] * better;
      best_[i] = std::max(best_[i], std::exchange(now_[i], 0));
    }
    return found;
  }

  unsigned threads_;
  MachineLoops loops_;
  std::barrier<> together_;
  std::atomic<bool> over_ = false;
  std::mutex mutex_;
  std::array<double, rates> now_{}, best_{};
};

}  // namespace

double MachineRates::bandwidth(double bytes) const {
  double found = streaming.empty() ? 0 : streaming.front().bandwidth;
  for (const Streaming& one : streaming)
    if (one.bytes <= bytes) found = one.bandwidth;
  return found;
}

const MachineRates& machine_rates(unsigned threads, unsigned vector_bits) {
  static std::mutex mutex;
  static std::map<std::pair<unsigned, unsigned>, MachineRates> known;
  const MachineLoops loops = machine_loops(vector_bits);
  threads = std::clamp(threads, 1u, std::max(std::thread::hardware_concurrency(), 1u));
  const std::lock_guard lock(mutex);
  const auto [found, fresh] = known.try_emplace({threads, loops.vector_bits});
  if (fresh) {
    const auto alone = judge::TurnLock::acquire("cpu");
    found->second = Bench(threads, loops).run();
  }
  return found->second;
}

}  // namespace hone::tune
