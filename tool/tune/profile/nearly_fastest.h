// Which versions come near the fastest so far, in the order in which they come. Thread-safe.
#pragma once

#include <atomic>

namespace hone::tune {

class NearlyFastest {
 public:
  // Whether a version of so many times the original's speed is the fastest so far, or at four fifths of it or more.
  bool take(double speedup) {
    double fastest = fastest_;
    while (speedup > fastest && !fastest_.compare_exchange_weak(fastest, speedup)) continue;
    return speedup >= 0.8 * fastest;
  }

 private:
  std::atomic<double> fastest_ = 0;
};

}  // namespace hone::tune
