// Runs a program to its end under limits: time, output, sandbox. A port: tests may put a table of answers in its place.
//
// Whatever happens (success, timeout, cancel, our own death) nothing of the child's process tree survives it.
// Thread-safe: several threads may run processes at once.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::os {

struct Process {
  std::vector<std::string> arguments;  // program first; found on PATH when it has no slash
  std::string directory;               // "" keeps the caller's
  std::optional<std::map<std::string, std::string>>
      environment;    // absent: the caller's without secrets (*_KEY, *_TOKEN, *_SECRET, *PASSWORD*, *CREDENTIAL*);
                      // with a sandbox PATH, LANG, TMPDIR and HOME only
  std::string input;  // on stdin; then end of file
  std::chrono::milliseconds timeout{60'000};  // wall; the whole tree is killed then
  std::size_t output_bytes = 16u << 20;       // kept of stdout and of stderr each; the rest is read and dropped
  bool stop_when_full = false;                // kills the tree once there is more than that
  std::optional<SandboxPolicy> sandbox;       // absent: trusted
  int nice = 0;
  std::stop_token stop;  // kills the tree within 100 ms
};

struct Exit {
  int code = 0;  // exit status; 128+signal when killed by one
  int signal = 0;
  bool timed_out = false;
  bool canceled = false;
  bool over_memory = false;  // killed for SandboxPolicy::memory_bytes
  bool over_disk = false;    // killed for SandboxPolicy::disk_bytes
  bool truncated = false;    // more output than output_bytes
  std::string out;
  std::string err;
  double seconds = 0;  // wall
  bool ok() const { return code == 0 && !timed_out && !canceled && !over_memory && !over_disk; }
};

class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  // Error: the program could not be started at all. A program that fails is an Exit.
  virtual Result<Exit> run(const Process& process) = 0;
};

class PosixProcessRunner final : public ProcessRunner {
 public:
  Result<Exit> run(const Process& process) override;
};

}  // namespace hone::os
