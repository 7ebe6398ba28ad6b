// A line of `hone doctor`.
#pragma once

#include <string>

namespace hone::cli {

struct DoctorFinding {
  enum class State { good, absent, bad };  // bad: it stands in the way of tuning
  State state;
  std::string what;
  std::string detail;
};

}  // namespace hone::cli
