// Bundles to workers that stay. Each search has one of its own, the pool is shared.
#pragma once

#include <memory>
#include <string>

#include "tool/bundle/executor.h"
#include "tool/executor/machine_kept.h"
#include "tool/executor/worker_pool.h"

namespace hone::executor {

class StayingExecutor final : public bundle::Executor {
 public:
  explicit StayingExecutor(std::shared_ptr<WorkerPool> pool) : pool_(std::move(pool)) {}

  Result<bundle::Answer> run(const bundle::Bundle& bundle, std::stop_token stop) override;
  void keep_to(const std::string& machine) override { kept_.keep_to(machine); }
  bool may_stumble() const override { return false; }

 private:
  Result<bundle::Answer> read(const WorkerPool::Reply& reply, const bundle::Bundle& bundle, const std::string& bytes);

  std::shared_ptr<WorkerPool> pool_;
  MachineKept kept_;
};

}  // namespace hone::executor
