// Workers that stay, shared by all searches of this process: as many as there is work for, and no more than a number.
//
// A worker is started where a bundle would wait otherwise, and let go when it had nothing to do for a while. A bundle
// whose worker is lost goes to another, a few times; then that is the answer. An answer that has come is never asked
// for again. Where the queue refuses more workers, those that there are go on, and after a while it is asked again. A
// worker whose time would not last for one more judgment gets none. A bundle that keeps to a kind of machine goes to no
// other. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

#include "tool/base/result.h"
#include "tool/executor/staying_worker.h"
#include "tool/executor/worker_source.h"

namespace hone::executor {

struct PoolOptions {
  unsigned most_workers = 1;
  unsigned most_losses = 3;       // workers that one bundle may lose
  unsigned most_taken = 16;       // and that were preempted, or were near the end of their time
  unsigned most_refusals = 3;     // workers in a row that end before their hello
  unsigned most_mismatches = 16;  // and that are on machines of another kind than is waited for
  std::chrono::milliseconds idle = std::chrono::seconds(60);           // then a worker is let go
  std::chrono::milliseconds told_of_queue = std::chrono::seconds(60);  // that gives nothing: then it is said
  std::chrono::milliseconds pause = std::chrono::seconds(1);           // after a worker that ended before its hello
  std::chrono::milliseconds limited = std::chrono::minutes(2);  // the queue has a limit: then it is asked once more
  std::chrono::milliseconds spare = std::chrono::seconds(10);   // of a worker's time, beside a judgment
  Patience patience = {};
  std::function<void(const std::string&)> note = {};
};

class WorkerPool {
 public:
  struct Reply {
    std::string line;    // tool/bundle/service.h
    double seconds = 0;  // from sending the bundle, by our clock
    unsigned worker = 0;
    std::string kind;  // of its machine
  };

  WorkerPool(std::unique_ptr<WorkerSource> source, PoolOptions options);
  ~WorkerPool();  // lets all workers go, within a second

  // `kind`: of machine, that has to judge; "": any. Error: what failed, and that nothing more is left to try; or
  // `stop`.
  Result<Reply> judge(const std::string& bundle_bytes, bool cuda, const std::string& kind, std::stop_token stop);
  // What it answered is no answer: it gets nothing more to do.
  void distrust(unsigned worker);

  // The first worker says hello, or why there is none: for whoever wants to know whether it works.
  Result<bundle::Hello> greet(std::stop_token stop);

 private:
  struct Request;
  struct Worker;
  using Lock = std::unique_lock<std::mutex>;

  Result<Reply> wait_for(const std::shared_ptr<Request>& request, std::stop_token stop);
  // These with the mutex held.
  void start_workers();
  void start_worker(const Request& request);
  void join_ended();
  void give_up(const Error& why);
  bool is_in_the_way(const Worker& worker);

  void run(Worker& worker, std::stop_token stop);
  Result<StayingWorker> come_in(Worker& worker, std::stop_token stop);
  void take_in(Worker& worker);
  void serve(Worker& worker, StayingWorker& process, std::stop_token stop);
  std::shared_ptr<Request> next(Worker& worker, std::stop_token stop, bool& alive);
  void settle(Worker& worker, const std::shared_ptr<Request>& request, Result<std::string> line, double seconds);
  void lose(const Worker& worker, Request& request, Error error, Meaning::Kind kind);
  void refused(const Worker& worker, const Error& why, std::stop_token stop);
  void fewer(unsigned others, bool is_news, const std::string& why);
  void wait_for_room(Lock& lock, const Error& why, std::stop_token stop);
  bool has_time(const Worker& worker) const;
  void tell_of_short_time(const Worker& worker);
  void tell_of_queue(Worker& worker, const StayingWorker& process);
  void note(const std::string& line) const;

  const std::unique_ptr<WorkerSource> source_;
  const PoolOptions options_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::shared_ptr<Request>> waiting_;
  std::map<std::string, bundle::Hello> nodes_;  // that said hello
  unsigned started_ = 0, refusals_ = 0, mismatches_ = 0, most_;
  bool told_ = false, told_of_few_ = false, told_of_limit_ = false, told_of_time_ = false, closing_ = false;
  std::string held_up_;  // the limit that no worker passes
  std::chrono::steady_clock::time_point limited_at_;
  std::chrono::duration<double> longest_{0};  // judgment so far
  std::list<Worker> workers_;                 // last: their threads use everything above
};

}  // namespace hone::executor
