// An error with the system's words for what went wrong.
#pragma once

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "tool/base/result.h"

namespace hone::os {

// What to do about limits that a shell or a container sets; "" for other errors.
inline const char* advice_on(int error) {
  if (error == EMFILE) return "let this process open more files: ulimit -n 1024";
  if (error == ENFILE) return "the whole system has too many files open (fs.file-max)";
  if (error == ENOMEM) return "let this process have more memory (ulimit -v, the container's limit)";
  if (error == EAGAIN) return "let this user have more processes (ulimit -u, the container's limit)";
  return "";
}

// "cannot start it: No such file or directory"
inline tl::unexpected<Error> system_failure(const char* doing, int error = errno) {
  return failure(fmt::format("cannot {}: {}", doing, std::strerror(error)), "", advice_on(error));
}

}  // namespace hone::os
