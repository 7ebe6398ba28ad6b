// What a user has to mend in an annotation, as a value that needs no Clang to be read.
#pragma once

#include <string>

namespace hone::frontend {

// A mistake in an annotation, or a kernel that cannot be described: the user's to mend.
struct Diagnostic {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string message;   // one sentence, and what to do
  std::string rendered;  // "file:line:column: error: message\n<source line>\n   ^" as compilers print
  bool warning = false;  // an annotation that this version passes over; nothing needs to be mended
};

}  // namespace hone::frontend
