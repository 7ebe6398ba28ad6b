// A Slurm of one's own, on this machine and as this user: munged, slurmctld, and a slurmd for each node, node1, node2
// and so on, of one processor each. It goes with the object, jobs and all.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tool/os/files/files.h"
#include "tool/os/process/child.h"
#include "tool/os/process/process_runner.h"

namespace hone::executor {

class SlurmCluster {
 public:
  // "": it can be started here; else the reason, for GTEST_SKIP.
  static std::string missing();

  // Whether nodes share this machine, or have a processor and a /tmp each.
  enum class Nodes { together, apart };
  explicit SlurmCluster(unsigned count = 2, Nodes nodes = Nodes::together);  // sets SLURM_CONF in this process
  ~SlurmCluster();

  // Of Slurm's commands: what it printed.
  std::string ask(const std::vector<std::string>& command) const;
  std::string jobs() const { return ask({"squeue", "--noheader", "--format=%i %P %T %N"}); }
  bool comes_to_have_no_jobs(std::chrono::seconds limit = std::chrono::seconds(10)) const;

  // As if the machine had lost its power: slurmd, and what runs on its node.
  void lose(const std::string& node) { daemons_.erase(node); }

 private:
  void start(const std::string& name, const std::vector<std::string>& command);
  bool are_nodes_up() const;

  const unsigned count_;
  os::TemporaryFolder folder_;
  std::map<std::string, os::Child> daemons_;
};

}  // namespace hone::executor
