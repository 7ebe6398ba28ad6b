// Time as an argument: what needs it takes a Clock, so that a test can hold it still.
#pragma once

#include <chrono>

namespace hone::os {

class Clock {
 public:
  using Duration = std::chrono::nanoseconds;
  virtual ~Clock() = default;
  virtual Duration now() const = 0;                                                // monotonic
  double seconds() const { return std::chrono::duration<double>(now()).count(); }  // the same
};

class SteadyClock final : public Clock {
 public:
  Duration now() const override;
};

}  // namespace hone::os
