// Reads what a captured program wrote (recorder/recorder.h).
//
// A recording is the user's own program's, and may still end in the middle of a record, or hold what another version
// wrote: lengths are checked against what is there, and what does not fit ends the reading. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tool/model/element_type.h"

namespace hone::capture {

// A scalar, or an array's elements.
struct CapturedValue {
  std::string name;
  ScalarKind kind = ScalarKind::floating;
  unsigned size = 0;
  std::uint64_t count = 0;
  std::string bytes;  // size * count
  bool operator==(const CapturedValue&) const = default;
};

struct CapturedCall {
  std::string kernel;
  std::vector<CapturedValue> scalars;
  std::vector<CapturedValue> arrays;  // of a call whose inputs were kept; scalars that are no sizes too
  std::uint64_t calls = 0;            // of what counts calls: so many had these scalars; 0: inputs
  std::uint64_t nanoseconds = 0;      // that these took
  bool operator==(const CapturedCall&) const = default;
};

// Of one file. Each problem's calls are counted once.
std::vector<CapturedCall> read_recording(std::string_view bytes);

}  // namespace hone::capture
