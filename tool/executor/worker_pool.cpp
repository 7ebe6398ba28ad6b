#include "tool/executor/worker_pool.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tool/bundle/answer.h"
#include "tool/diagnostics/coded_failure.h"

namespace hone::executor {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto tending = 1s;  // how often an idle worker is looked after

// With what its batch system meant by it. Where that is a whole answer, the words themselves add nothing.
Error explained(Error error, const Meaning& meaning) {
  if (meaning.what.empty()) return error;
  if (meaning.kind != Meaning::Kind::unknown)
    error.what.resize(std::min(error.what.find(", saying: "), error.what.size()));
  const DiagnosticCode code = take_code(error.advice.empty() ? error.what : error.advice);
  error.what = meaning.what + ": " + error.what;
  error.advice = meaning.advice;
  std::string& last = error.advice.empty() ? error.what : error.advice;
  last = with_code(std::move(last), code);
  return error;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

// One bundle on its way. The pool's mutex guards what changes.
struct WorkerPool::Request {
  std::string bytes, fingerprint, kind;
  bool cuda = false;
  bool greeting = false;  // it waits for a worker, and has nothing to judge
  unsigned losses = 0, taken = 0;
  bool given_up = false;  // nobody waits for it any more
  std::optional<Result<Reply>> outcome;

  bool suits(const bundle::Hello& hello) const { return !greeting && (kind.empty() || hello.kind(cuda) == kind); }
};

struct WorkerPool::Worker {
  enum class State { starting, idle, busy, ended };
  unsigned number = 0;
  State state = State::starting;
  std::set<std::string> avoided;  // nodes
  bundle::Hello hello;
  bool distrusted = false;
  unsigned judged = 0;
  std::optional<std::chrono::seconds> time;  // that it had when it came; absent: no end is known
  Clock::time_point since = Clock::now(), came;
  std::jthread thread;
};

WorkerPool::WorkerPool(std::unique_ptr<WorkerSource> source, PoolOptions options)
    : source_(std::move(source)), options_(std::move(options)), most_(std::max(options_.most_workers, 1u)) {}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  for (Worker& worker : workers_) worker.thread.request_stop();
  changed_.notify_all();
  for (Worker& worker : workers_) worker.thread.join();
}

Result<WorkerPool::Reply> WorkerPool::judge(const std::string& bytes, bool cuda, const std::string& kind,
                                            std::stop_token stop) {
  const std::shared_ptr<Request> request(new Request{bytes, bundle::fingerprint(bytes), kind, cuda});
  {
    const std::lock_guard lock(mutex_);
    join_ended();
    waiting_.push_back(request);
    start_workers();
  }
  changed_.notify_all();
  return wait_for(request, std::move(stop));
}

Result<WorkerPool::Reply> WorkerPool::wait_for(const std::shared_ptr<Request>& request, std::stop_token stop) {
  Lock lock(mutex_);
  changed_.wait(lock, stop, [&] { return request->outcome.has_value(); });
  if (request->outcome) return std::move(*request->outcome);
  request->given_up = true;
  std::erase(waiting_, request);
  return failure("the judgment was stopped");
}

void WorkerPool::distrust(unsigned number) {
  const std::lock_guard lock(mutex_);
  for (Worker& worker : workers_)
    if (worker.number == number) worker.distrusted = true;
  changed_.notify_all();
}

Result<bundle::Hello> WorkerPool::greet(std::stop_token stop) {
  const std::shared_ptr<Request> greeting(new Request{.greeting = true});
  Lock lock(mutex_);
  waiting_.push_back(greeting);
  start_workers();
  if (!changed_.wait(lock, stop, [&] { return greeting->outcome.has_value(); })) {
    std::erase(waiting_, greeting);
    lock.unlock();
    std::string why = source_->why_waiting();
    if (why.empty()) why = held_up_;
    take_code(why);
    return coded_failure(DiagnosticCode::executor_unreachable,
                         "no worker has said hello" + (why.empty() ? "" : ": " + why), source_->name());
  }
  if (!*greeting->outcome) return tl::unexpected(greeting->outcome->error());
  return nodes_.begin()->second;
}

// One for each bundle that no worker is free for, or about to be.
void WorkerPool::start_workers() {
  if (closing_) return;
  if (most_ < options_.most_workers && Clock::now() - limited_at_ > options_.limited)
    most_ = options_.most_workers;  // others' jobs may have ended
  std::vector<const Worker*> free;
  std::size_t coming = 0, up = 0;
  for (const Worker& worker : workers_) {
    up += worker.state != Worker::State::ended;
    coming += worker.state == Worker::State::starting;
    if (worker.state == Worker::State::idle && !worker.distrusted) free.push_back(&worker);
  }
  for (const auto& request : waiting_) {
    const auto taken = std::ranges::find_if(free, [&](const Worker* worker) { return request->suits(worker->hello); });
    if (taken != free.end())
      free.erase(taken);
    else if (coming > 0)
      --coming;
    else if (up++ < most_)
      start_worker(*request);
  }
}

void WorkerPool::start_worker(const Request& request) {
  Worker& worker = workers_.emplace_back();
  worker.number = ++started_;
  for (const auto& [node, hello] : nodes_)
    if (!node.empty() && !request.suits(hello)) worker.avoided.insert(node);
  worker.thread = std::jthread([this, &worker](std::stop_token stop) { run(worker, std::move(stop)); });
}

void WorkerPool::join_ended() {
  std::erase_if(workers_, [](const Worker& worker) { return worker.state == Worker::State::ended; });
}

// A worker's life, on its own thread.
void WorkerPool::run(Worker& worker, std::stop_token stop) {
  if (auto process = come_in(worker, stop)) {
    take_in(worker);
    serve(worker, *process, stop);
  } else if (!stop.stop_requested()) {
    refused(worker, process.error(), stop);
  }
  const std::lock_guard lock(mutex_);
  worker.state = Worker::State::ended;
  start_workers();
  changed_.notify_all();
}

Result<StayingWorker> WorkerPool::come_in(Worker& worker, std::stop_token stop) {
  HONE_TRY(StayingWorker process, StayingWorker::start(*source_, worker.avoided, options_.patience));
  HONE_CHECK(process.greet(stop, [&] { tell_of_queue(worker, process); }));
  const auto time = source_->time_left(process.hello().job);
  const std::lock_guard lock(mutex_);
  worker.hello = process.hello();
  worker.time = time;
  worker.came = Clock::now();
  return process;
}

void WorkerPool::take_in(Worker& worker) {
  const std::lock_guard lock(mutex_);
  nodes_[worker.hello.node] = worker.hello;
  worker.state = Worker::State::idle;
  worker.since = Clock::now();
  told_ = false;
  held_up_.clear();
  tell_of_short_time(worker);
  for (const auto& request : waiting_)
    if (request->greeting) request->outcome = Reply{};
  std::erase_if(waiting_, [](const auto& request) { return request->greeting; });
  start_workers();  // it may be of a kind that none of those that wait is for
  changed_.notify_all();
}

// More workers are not to be had. With others it goes on more slowly. Without any it waits where a limit is reached
// that frees itself; else that is the answer.
void WorkerPool::refused(const Worker& worker, const Error& why, std::stop_token stop) {
  const Meaning meaning = source_->meaning(why.what);
  const Error error = explained(why, meaning);
  Lock lock(mutex_);
  unsigned others = 0, at_work = 0;
  for (const Worker& other : workers_) {
    if (&other == &worker || other.state == Worker::State::ended) continue;
    ++others;
    at_work += other.state != Worker::State::starting;
  }
  if (others > 0) {
    fewer(others, at_work > 0 || meaning.kind == Meaning::Kind::full, error.message());
  } else if (meaning.kind == Meaning::Kind::full) {
    wait_for_room(lock, error, stop);
  } else if (++refusals_ >= options_.most_refusals) {
    give_up(error);
  } else if (!waiting_.empty()) {
    changed_.wait_for(lock, stop, options_.pause, [] { return false; });
  }
}

// Without one at work it may be that none comes, which is said then; a limit is one at any time.
void WorkerPool::fewer(unsigned others, bool is_news, const std::string& why) {
  if (is_news && others < most_ && !std::exchange(told_of_limit_, true)) note("no more workers for now: " + why);
  most_ = std::min(most_, others);
  limited_at_ = Clock::now();
}

void WorkerPool::wait_for_room(Lock& lock, const Error& why, std::stop_token stop) {
  held_up_ = why.what;
  if (!std::exchange(told_, true)) note("waits until the queue takes a worker: " + why.message());
  const auto end = Clock::now() + 10 * options_.pause;
  while (!stop.stop_requested() && !waiting_.empty() && Clock::now() < end)
    changed_.wait_for(lock, stop, options_.pause, [] { return false; });
}

void WorkerPool::give_up(const Error& why) {
  refusals_ = mismatches_ = 0;
  most_ = std::max(options_.most_workers, 1u);
  for (const auto& request : std::exchange(waiting_, {})) request->outcome = tl::unexpected(why);
  changed_.notify_all();
}

void WorkerPool::tell_of_queue(Worker& worker, const StayingWorker& process) {
  std::size_t at_work = 0, up = 0;
  {
    const std::lock_guard lock(mutex_);
    for (const Worker& other : workers_) {
      up += other.state != Worker::State::ended;
      at_work += other.state == Worker::State::idle || other.state == Worker::State::busy;
    }
    bool& told = at_work > 0 ? told_of_few_ : told_;
    if (told || Clock::now() - worker.since < options_.told_of_queue) return;
    told = true;
  }
  std::string why = source_->why_waiting();
  if (why.empty()) why = process.last_line();
  note(fmt::format("the queue has given {} for {:.0f} s{}",
                   at_work > 0 ? fmt::format("only {} of {} workers", at_work, up) : "nothing",
                   seconds_since(worker.since), why.empty() ? "" : ": " + why));
}

// A judgment that its job's end would cut off is paid for twice. The first one is given to it all the same: others may
// be shorter than the longest, and the next job would have no more time.
bool WorkerPool::has_time(const Worker& worker) const {
  return !worker.time || worker.judged == 0 || worker.came + *worker.time > Clock::now() + options_.spare + longest_;
}

void WorkerPool::tell_of_short_time(const Worker& worker) {
  if (!worker.time || *worker.time > longest_ + options_.spare || told_of_time_) return;
  told_of_time_ = true;
  note(fmt::format("a job has {} s and a judgment took up to {:.0f} s: ask for more time with --time",
                   worker.time->count(), longest_.count()));
}

void WorkerPool::serve(Worker& worker, StayingWorker& process, std::stop_token stop) {
  bool alive = true;
  while (alive && !stop.stop_requested()) {
    const auto request = next(worker, stop, alive);
    if (!request) {
      if (alive) alive = process.tend().has_value();
      continue;
    }
    const auto start = Clock::now();
    auto line = process.ask(request->bytes, request->fingerprint, stop);
    if (stop.stop_requested()) return;
    alive = line.has_value();
    settle(worker, request, std::move(line), seconds_since(start));
  }
}

// Null: nothing to do for now. `alive`: false where the worker is not needed any more.
std::shared_ptr<WorkerPool::Request> WorkerPool::next(Worker& worker, std::stop_token stop, bool& alive) {
  Lock lock(mutex_);
  const auto suited = [&] {
    return std::ranges::find_if(waiting_, [&](const auto& request) { return request->suits(worker.hello); });
  };
  changed_.wait_for(lock, stop, tending, [&] { return worker.distrusted || suited() != waiting_.end(); });
  const auto found = suited();
  if (worker.distrusted || stop.stop_requested() || (found != waiting_.end() && !has_time(worker))) {
    alive = false;
    return nullptr;
  }
  if (found == waiting_.end()) {
    alive = !is_in_the_way(worker) && Clock::now() - worker.since < options_.idle;
    return nullptr;
  }
  const auto request = *found;
  waiting_.erase(found);
  worker.state = Worker::State::busy;
  refusals_ = mismatches_ = 0;
  return request;
}

// What waits keeps to another kind of machine, and no more workers may be started beside this one.
bool WorkerPool::is_in_the_way(const Worker& worker) {
  std::size_t up = 0;
  for (const Worker& other : workers_) up += other.state != Worker::State::ended;
  if (waiting_.empty() || up < most_) return false;
  const Request& first = *waiting_.front();
  if (++mismatches_ >= options_.most_mismatches)
    give_up({fmt::format("the workers are on machines of another kind ({}) than the search was begun on ({})",
                         worker.hello.kind(first.cuda), first.kind),
             source_->name(), "ask for machines of one kind (Slurm: --constraint)"});
  return true;
}

void WorkerPool::settle(Worker& worker, const std::shared_ptr<Request>& request, Result<std::string> line,
                        double seconds) {
  const Meaning meaning = line ? Meaning{} : source_->meaning(line.error().what);
  const std::lock_guard lock(mutex_);
  if (line) {  // free before its caller asks for the next
    worker.state = Worker::State::idle;
    worker.since = Clock::now();
    ++worker.judged;
    longest_ = std::max(longest_, std::chrono::duration<double>(seconds));
  }
  if (request->given_up) return;
  if (line)
    request->outcome = Reply{std::move(*line), seconds, worker.number, worker.hello.kind(request->cuda)};
  else
    lose(worker, *request, explained(line.error(), meaning), meaning.kind);
  if (!request->outcome) waiting_.push_front(request);
  changed_.notify_all();
}

// A worker that was taken away says nothing of the bundle that it had; nor does one that had used up its time on
// others.
void WorkerPool::lose(const Worker& worker, Request& request, Error error, Meaning::Kind kind) {
  const bool is_chance = kind == Meaning::Kind::taken || (kind == Meaning::Kind::timed_out && worker.judged > 0);
  unsigned& count = is_chance ? request.taken : request.losses;
  if (++count >= (is_chance ? options_.most_taken : options_.most_losses)) {
    error.what = fmt::format("{} workers were lost over one candidate; of the last: {}", count, error.what);
    request.outcome = tl::unexpected(std::move(error));
  } else {
    note("what it had is judged elsewhere: " + error.message());
  }
}

void WorkerPool::note(const std::string& line) const {
  if (options_.note) options_.note(line);
}

}  // namespace hone::executor
