// What verification has against a candidate or an original, as a sentence for whoever wrote it.
#pragma once

#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/diagnostics/diagnostic_code.h"

namespace hone::judge {

struct Finding {
  DiagnosticCode code;
  std::string reason;  // a sentence
  std::string detail;
};

// nullopt: nothing wrong was found. An Error is the machine's.
using Found = Result<std::optional<Finding>>;

inline std::optional<Finding> nothing() {
  return std::nullopt;
}

}  // namespace hone::judge
