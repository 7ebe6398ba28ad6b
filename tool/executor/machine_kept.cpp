#include "tool/executor/machine_kept.h"

#include <fmt/format.h>

#include "tool/diagnostics/coded_failure.h"

namespace hone::executor {

void MachineKept::keep_to(const std::string& machine) {
  const std::lock_guard lock(mutex_);
  machine_ = machine;
}

std::string MachineKept::machine() const {
  const std::lock_guard lock(mutex_);
  return machine_;
}

Result<void> MachineKept::admit(const Verdict& verdict) {
  const std::lock_guard lock(mutex_);
  if (machine_.empty()) machine_ = verdict.machine;
  if (verdict.machine.empty() || verdict.machine == machine_) return {};
  return coded_failure(DiagnosticCode::executor_machine,
                       fmt::format("the executor's machine is an {} now, where the original was judged on an {}",
                                   verdict.machine, machine_),
                       {},
                       "let it ask for machines of one kind (Slurm: --constraint), or search anew with --no-resume");
}

}  // namespace hone::executor
