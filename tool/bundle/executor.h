// Where bundles are run: something that takes a bundle and gives back what a worker answers. A port: tool/executor has
// those that there are.
#pragma once

#include <stop_token>
#include <string>

#include "tool/base/result.h"
#include "tool/bundle/bundle.h"

namespace hone::bundle {

class Executor {
 public:
  virtual ~Executor() = default;
  // Asked before anything is compiled for it. Error: it cannot run such a kernel, as it has no device for it, or is
  // another machine than those that the kernel is compiled for.
  virtual Result<void> ready_for(const KernelSpec&) { return {}; }
  // Thread-safe. Error: the executor itself failed (not found, died, answered nonsense), never the candidate.
  virtual Result<Answer> run(const Bundle& bundle, std::stop_token stop = {}) = 0;
  // From now on verdicts of another kind of machine (Verdict::machine) are errors, where a machine says what it is. Who
  // is not told keeps to the kind of the first verdict. "": any kind.
  virtual void keep_to(const std::string& /*machine*/) {}
  // Whether what failed may succeed a moment later. Others have tried all that there is to try.
  virtual bool may_stumble() const { return true; }
};

}  // namespace hone::bundle
