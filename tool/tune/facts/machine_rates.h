// How fast this machine streams memory and multiplies, for rooflines: measured in the process, once for each number of
// threads.
//
// All rates are measured in turn, briefly, pass after pass, until no pass finds a better one for a while (a tenth of a
// second on a quiet machine, at most half a second); the best counts, so that a floor computed from them is none too
// high and what else runs for a moment does no harm. Nobody times anything meanwhile (judge/machine/turn_lock.h). On a
// machine that is busy throughout rates still come out low: they are for prompts and reports, never for a verdict.
// Thread-safe; the callers wait for the one that measures.
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
