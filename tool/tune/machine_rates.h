// How fast this machine streams memory and multiplies, for rooflines: measured in the process, in about 50 ms, once for
// each number of threads.
//
// Rates are the best seen, so that a floor computed from them is none too high. Thread-safe; the callers wait for the
// one that measures. Rates of a busy machine come out low: they are for prompts and reports, never for a verdict.
#pragma once

#include <vector>

namespace hone::tune {

struct MachineRates {
  struct Streaming {
    double bytes = 0;      // of the data read
    double bandwidth = 0;  // bytes a second
  };
  std::vector<Streaming> streaming;  // smallest data first: in the first cache …; the last: in memory
  double flops = 0;                  // on float, an fma is two

  // For so many bytes; of the largest measured data that are no more.
  double bandwidth(double bytes) const;
  double memory_bandwidth() const { return streaming.empty() ? 0 : streaming.back().bandwidth; }
};

// `vector_bits`: 128, 256 or 512, what the kernel's target has; more than this processor has is taken for what it has.
const MachineRates& machine_rates(unsigned threads, unsigned vector_bits);

}  // namespace hone::tune
