#include "tool/os/files/clock.h"

namespace hone::os {

Clock::Duration SteadyClock::now() const {
  return std::chrono::steady_clock::now().time_since_epoch();
}

}  // namespace hone::os
