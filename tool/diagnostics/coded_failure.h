// An Error whose text ends with its code: "hone.lock:3:1: the lock file has …; restore it … [hone-lock-damaged]".
#pragma once

#include <string>
#include <utility>

#include "tool/base/result.h"
#include "tool/diagnostics/diagnostic_code.h"

namespace hone {

inline tl::unexpected<Error> coded_failure(DiagnosticCode code, std::string what, std::string where = {},
                                           std::string advice = {}) {
  std::string& last = advice.empty() ? what : advice;
  last = with_code(std::move(last), code);
  return failure(std::move(what), std::move(where), std::move(advice));
}

}  // namespace hone
