// A command for each bundle: on its standard input the bundle, on its standard output the answer.
#pragma once

#include <string>
#include <vector>

#include "tool/bundle/executor.h"
#include "tool/executor/machine_kept.h"
#include "tool/os/process/process_runner.h"

namespace hone::executor {

class CommandExecutor final : public bundle::Executor {
 public:
  // `local`: it is this machine's worker. `runner` is borrowed.
  CommandExecutor(std::vector<std::string> words, bool local, os::ProcessRunner& runner)
      : words_(std::move(words)), local_(local), runner_(runner) {}

  Result<void> ready_for(const KernelSpec& spec) override;
  Result<bundle::Answer> run(const bundle::Bundle& bundle, std::stop_token stop) override;
  void keep_to(const std::string& machine) override { kept_.keep_to(machine); }

 private:
  Result<bundle::Answer> broken(const std::string& how, const std::string& said) const;

  std::vector<std::string> words_;
  bool local_;
  os::ProcessRunner& runner_;
  MachineKept kept_;
};

}  // namespace hone::executor
