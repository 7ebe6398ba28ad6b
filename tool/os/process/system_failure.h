// An error with the system's words for what went wrong.
#pragma once

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "tool/base/result.h"

namespace hone::os {

// "cannot start it: No such file or directory"
inline tl::unexpected<Error> system_failure(const char* doing, int error = errno) {
  return failure(fmt::format("cannot {}: {}", doing, std::strerror(error)));
}

}  // namespace hone::os
