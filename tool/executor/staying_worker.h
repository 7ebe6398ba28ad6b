// One worker that stays, as its sender has it: a process here (srun, ssh), whose streams lead to it.
//
// Started, it may be in a queue for hours; then it says hello, and judges one bundle after the other. Whatever goes
// wrong (it ends, says nothing for too long, answers what was not asked) is a Loss, and nothing more is to be had of
// it. One thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "tool/base/result.h"
#include "tool/bundle/service.h"
#include "tool/executor/worker_source.h"
#include "tool/os/files/descriptor.h"
#include "tool/os/process/child.h"

namespace hone::executor {

struct Patience {
  std::chrono::milliseconds pulse = bundle::pulse_interval, silence = bundle::longest_silence;
  std::chrono::milliseconds judgment = std::chrono::minutes(30);  // the worker bounds each call by itself
};

class StayingWorker {
 public:
  using Clock = std::chrono::steady_clock;

  static Result<StayingWorker> start(WorkerSource& source, const std::set<std::string>& avoided, Patience patience);
  StayingWorker(StayingWorker&&) = default;
  ~StayingWorker();  // lets it go, within a second

  // Waits for its hello; `waiting` is called some ten times a second. Error: it ended first, or `stop`.
  Result<void> greet(std::stop_token stop, const std::function<void()>& waiting);
  const bundle::Hello& hello() const { return hello_; }
  std::string last_line() const;  // that its command said, on its standard error

  // The line that answers the bundle. Error: the worker is lost, or `stop`.
  Result<std::string> ask(const std::string& bundle_bytes, const std::string& fingerprint, std::stop_token stop);
  // While there is nothing to ask. Error: it is lost.
  Result<void> tend();

 private:
  StayingWorker(WorkerSource& source, os::Child child, Patience patience);

  enum class Event { line, nothing };
  Result<Event> listen(std::chrono::milliseconds most);  // takes in what came, for at most so long
  bool has_line();
  bool take_line(std::string& line);
  bool read_into(os::Descriptor& from, std::string& text);
  Result<void> send(std::string_view text, std::stop_token stop);
  void pulse();
  Result<void> not_silent() const;
  tl::unexpected<Error> lost(const std::string& how) const;

  WorkerSource* source_;
  std::unique_ptr<os::Child> child_;
  Patience patience_;
  os::Descriptor input_, output_, error_;
  std::string heard_, complaint_;
  std::size_t looked_ = 0;  // in heard_: no line ends there
  bundle::Hello hello_;
  Clock::time_point heard_at_, pulse_at_;
};

}  // namespace hone::executor
