// What looks into a kernel beyond its answers: tools for memory errors and races, and tools that count.
//
// Each ground has tools of its own, and the judgment asks for them in the same words, whichever they are. What they
// find is data; an Error is the machine's. docs/decisions/0019.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/judge/count/counting.h"
#include "tool/judge/process/subject.h"
#include "tool/judge/verify/finding.h"
#include "tool/judge/verify/verifier.h"
#include "tool/model/tried.h"

namespace hone::judge {

struct Inspected {
  std::optional<Finding> finding;
  Tried tried;            // which tools looked, and which could not
  std::string unwatched;  // what could not be looked for, and why: for every verdict
  std::string unusable;   // which tools could not be used, and why: for verdicts without a timing
};

// What is inspected: the candidate, or the original where that is the task. Borrowed.
struct InspectedKernel {
  Verifier& verifier;          // after it verified
  Subject& second;             // the process that it verified
  std::size_t argument_bytes;  // that a process may have mapped at once
};

class Inspection {
 public:
  virtual ~Inspection() = default;

  // All tools that look for memory errors and races.
  virtual Result<Inspected> look_for_errors(const InspectedKernel& kernel) = 0;

  // The tool that takes longer than timing does, so that a trial asks it last, and about nothing but what is faster.
  // "": there is none, and everything is looked for before the timing.
  virtual std::string last_tool() const = 0;
  virtual Result<Inspected> ask_last_tool(const InspectedKernel& kernel) = 0;

  // What a call of the candidate executes, or does on a device.
  virtual Result<Counting> count(const InspectedKernel& kernel) = 0;
};

}  // namespace hone::judge
