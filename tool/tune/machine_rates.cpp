#include "tool/tune/machine_rates.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include "tool/tune/machine_loops.h"

namespace hone::tune {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t in_memory = std::size_t{32} << 20;
constexpr std::size_t sizes[] = {16 << 10, 512 << 10, 4 << 20, in_memory};
constexpr double each = 0.008;  // seconds: of one rate

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

// The sum over threads that begin each rate together.
class Bench {
 public:
  Bench(unsigned threads, MachineLoops loops) : threads_(threads), loops_(loops), together_(threads) {}

  MachineRates run() {
    for (const std::size_t bytes : sizes) rates_.streaming.push_back({static_cast<double>(bytes), 0});
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads_; ++i) others.emplace_back([this] { one(); });
    one();
    others.clear();
    return std::move(rates_);
  }

 private:
  void one() {
    const Buffer buffer = filled_buffer(in_memory);
    volatile long long kept = 0;
    for (std::size_t i = 0; i < std::size(sizes); ++i) {
      together_.arrive_and_wait();
      const double rate = best_rate([&] {
        kept = loops_.read(buffer.get(), sizes[i]);
        return static_cast<double>(sizes[i]);
      });
      add(rates_.streaming[i].bandwidth, rate);
    }
    together_.arrive_and_wait();
    add(rates_.flops, best_rate([&] { return loops_.multiply(1e-3f); }));
  }

  void add(double& sum, double rate) {
    const std::lock_guard lock(mutex_);
    sum += rate;
  }

  unsigned threads_;
  MachineLoops loops_;
  std::barrier<> together_;
  std::mutex mutex_;
  MachineRates rates_;
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
  if (fresh) found->second = Bench(threads, loops).run();
  return found->second;
}

}  // namespace hone::tune
