// The kind of machine that a search keeps to: figures of two kinds are never compared. Thread-safe.
#pragma once

#include <mutex>
#include <string>

#include "tool/base/result.h"
#include "tool/model/verdict.h"

namespace hone::executor {

class MachineKept {
 public:
  void keep_to(const std::string& machine);
  std::string machine() const;  // "": of any, so far

  // Keeps to the machine of the first verdict. Error: this one is of another. Workers of earlier versions do not say
  // what they are; theirs pass.
  Result<void> admit(const Verdict& verdict);

 private:
  mutable std::mutex mutex_;
  std::string machine_;
};

}  // namespace hone::executor
