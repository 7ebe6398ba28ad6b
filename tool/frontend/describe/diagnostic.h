// What a user has to mend in an annotation, as a value that needs no Clang to be read.
#pragma once

#include <string>

#include "annotations/directive.h"
#include "tool/diagnostics/diagnostic_code.h"

namespace hone::frontend {

// A mistake in an annotation, or a kernel that cannot be described: the user's to mend.
struct Mistake {
  DiagnosticCode code;
  annotations::Location location;
  std::string message;
};

// The same, as it is said.
struct Diagnostic {
  DiagnosticCode code = DiagnosticCode::none;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string message;   // one sentence, and what to do; without the code
  std::string rendered;  // "file:line:column: error: message [hone-code]\n<source line>\n   ^" as compilers print
  bool warning = false;  // an annotation that this version passes over; nothing needs to be mended
  std::string kernel{};  // that is annotated, or its function; "": nobody knows
};

}  // namespace hone::frontend
