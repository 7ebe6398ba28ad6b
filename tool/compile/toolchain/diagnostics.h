// A compiler's output cut to what a proposer can use. Pure.
#pragma once

#include <string>
#include <string_view>

namespace hone::compile {

struct CompilerComplaint {
  std::string reason;  // the first error: "candidate:3:5: error: …"
  std::string detail;  // the errors and what belongs to them, at most 60 lines
};
CompilerComplaint read_diagnostics(std::string_view output);

}  // namespace hone::compile
