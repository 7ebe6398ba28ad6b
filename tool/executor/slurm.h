// Workers that stay as jobs of Slurm: an srun for each, whose streams are the worker's.
//
// srun asks the queue for a job of its own and carries the streams, so nothing is needed but Slurm: no shared folder,
// no port of ours. Whatever ends this process (kill -9 too), its jobs are canceled within seconds: a watcher outside of
// it sees its end. Inside a job of Slurm's, what that job set for its own steps is left out: workers are jobs, not
// steps.
#pragma once

#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/executor/worker_source.h"
#include "tool/os/files/descriptor.h"
#include "tool/os/process/process_runner.h"

namespace hone::executor {

// "PARTITION [OPTIONS] [-- ARGV]"
struct SlurmRequest {
  std::string partition;
  std::vector<std::string> options, worker;  // `worker` is empty where the request does not name it
};
Result<SlurmRequest> read_slurm_request(const std::string& text);

class SlurmSource final : public WorkerSource {
 public:
  // Error: srun and scancel are not here. `worker` is used where the request names none; `runner` is borrowed.
  static Result<std::unique_ptr<SlurmSource>> open(SlurmRequest request, const std::string& worker,
                                                   os::ProcessRunner& runner);

  std::vector<std::string> command(const std::set<std::string>& avoided) override;
  std::optional<std::map<std::string, std::string>> environment() override;
  void cancel(const std::string& job) override;
  std::string why_waiting() override;
  Meaning meaning(const std::string& words) override;
  std::optional<std::chrono::seconds> time_left(const std::string& job) override;
  std::string name() const override { return "slurm:" + request_.partition; }

 private:
  SlurmSource(SlurmRequest request, os::ProcessRunner& runner);
  Result<void> start_watcher();
  std::string ask(std::vector<std::string> question);  // "": no answer
  std::string offer();                                 // what nodes the partition has

  const SlurmRequest request_;
  os::ProcessRunner& runner_;
  const std::string job_name_;  // of all its jobs, and of no others
  os::Descriptor watched_;      // its end ends the jobs
};

}  // namespace hone::executor
