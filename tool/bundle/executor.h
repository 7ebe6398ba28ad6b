// Where bundles are run: a command that takes a bundle on stdin and prints a Verdict.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "tool/base/result.h"
#include "tool/bundle/bundle.h"
#include "tool/model/verdict.h"
#include "tool/os/process/process_runner.h"

namespace hone::bundle {

class Executor {
 public:
  virtual ~Executor() = default;
  // Asked before anything is compiled for it. Error: it cannot run such a kernel, as it has no device for it, or is
  // another machine than those that the kernel is compiled for.
  virtual Result<void> ready_for(const KernelSpec&) { return {}; }
  // Thread-safe. Error: the executor itself failed (not found, died, answered nonsense), never the candidate.
  virtual Result<Answer> run(const Bundle& bundle, std::stop_token stop = {}) = 0;
};

// "local": HONE_WORKER, else the hone-worker beside this program. "command:srun … hone-worker -": that command, through
// the shell's word rules (words.h), no shell in between. Error: a specification that is neither, no hone-worker.
Result<std::unique_ptr<Executor>> make_executor(const std::string& specification, os::ProcessRunner& runner);

}  // namespace hone::bundle
