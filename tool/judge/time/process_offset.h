// Two processes take different times for the same code on a device: some tens of nanoseconds for each launch, memory
// that lies elsewhere. What the candidate's process takes more is not the candidate's. Pure.
#pragma once

#include <optional>

namespace hone::judge {

// With the original in both processes.
struct ProcessOffset {
  double more = 0;   // seconds a call in the candidate's process
  double error = 0;  // standard error of it
};

struct OffsetCorrection {
  double seconds = 0;       // to be taken off each of the candidate's samples
  double common_error = 0;  // what stays in doubt: standard error of the log ratios, the same for all
};

// `reference`, `candidate`: a typical call of each, in seconds. nullopt: the processes were not compared.
OffsetCorrection correct_offset(const std::optional<ProcessOffset>& offset, double reference, double candidate);

}  // namespace hone::judge
