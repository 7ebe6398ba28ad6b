// The executors that there are, by what `--executor` says:
//
//   local                        hone-worker on this machine: HONE_WORKER, else the one beside this program
//   command:ARGV                 a command that reads a bundle and prints an answer, through the shell's word rules
//                                (words.h), no shell in between
//   command:ARGV… --serve        a command that starts a worker which stays (tool/bundle/service.h)
//   slurm:PARTITION [OPTIONS] [-- ARGV]   such workers as jobs of Slurm: OPTIONS are srun's, ARGV starts hone-worker
//                                on a node, where that is not the one that `local` has
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "tool/base/result.h"
#include "tool/bundle/executor.h"
#include "tool/os/process/process_runner.h"

namespace hone::executor {

struct Options {
  unsigned most_workers = 1;                          // that stay, at once
  std::function<void(const std::string&)> note = {};  // something to know, once; from any thread. May be empty
};

// Gives each search an executor of its own, which keeps to one kind of machine; workers that stay are shared by all,
// and are let go with the last of them and the source. Thread-safe.
class Source {
 public:
  // Error: a specification that is none of these, no hone-worker, no Slurm. `runner` is borrowed.
  static Result<Source> open(const std::string& specification, os::ProcessRunner& runner, Options options = {});
  std::unique_ptr<bundle::Executor> make() const { return make_(); }

  // Has a worker answer, without a bundle: which it is, in words. Error: none does, until `stop`.
  Result<std::string> try_out(std::stop_token stop) const { return try_out_(std::move(stop)); }

 private:
  using Make = std::function<std::unique_ptr<bundle::Executor>()>;
  using TryOut = std::function<Result<std::string>(std::stop_token)>;
  Source(Make make, TryOut try_out) : make_(std::move(make)), try_out_(std::move(try_out)) {}
  Make make_;
  TryOut try_out_;
};

// Whether that names workers which are jobs of a queue: many at once cost this machine nothing.
bool is_queue(const std::string& specification);

// One alone.
Result<std::unique_ptr<bundle::Executor>> make_executor(const std::string& specification, os::ProcessRunner& runner);

}  // namespace hone::executor
