// How a worker that stays is started, and what else its batch system can be asked. A port: a plain command, or Slurm.
// Thread-safe.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hone::executor {

// What a batch system's words about a worker come to.
struct Meaning {
  enum class Kind {
    unknown,
    full,       // there are as many jobs as may be, for now
    timed_out,  // the time is over that its job had
    taken,      // its job had to make room for another
  };
  Kind kind = Kind::unknown;
  std::string what, advice;  // "": nothing is known
};

class WorkerSource {
 public:
  virtual ~WorkerSource() = default;

  // The command of one more worker; on none of those nodes, where they can be told apart.
  virtual std::vector<std::string> command(const std::set<std::string>& avoided) = 0;
  // Absent: the caller's, without secrets.
  virtual std::optional<std::map<std::string, std::string>> environment() { return std::nullopt; }
  // Ends what runs elsewhere under that name (bundle::Hello::job), and does not answer to its input any more.
  virtual void cancel(const std::string& /*job*/) {}
  // Why workers that were started have not said hello: "job 12 is pending (Resources)". "": nobody knows.
  virtual std::string why_waiting() { return ""; }
  // Of what a worker's command said, when it was refused or lost.
  virtual Meaning meaning(const std::string& /*words*/) { return {}; }
  // How long that job goes on at most (bundle::Hello::job). Absent: without end, or nobody knows.
  virtual std::optional<std::chrono::seconds> time_left(const std::string& /*job*/) { return std::nullopt; }
  virtual std::string name() const = 0;  // for messages: what was asked for
};

}  // namespace hone::executor
