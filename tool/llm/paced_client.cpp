#include "tool/llm/paced_client.h"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hone::llm {
namespace {
using Duration = os::Clock::Duration;

// The clock is the caller's and may jump: while a call pauses, it is looked at this often.
constexpr std::chrono::milliseconds look_interval{20};

}  // namespace

class PacedClient::Queue {
 public:
  Queue(std::unique_ptr<Backend> backend, const Pace& pace, const os::Clock& clock)
      : backend_(std::move(backend)), pace_(pace), clock_(clock), thread_([this] { work(); }) {}

  ~Queue() {
    std::vector<std::stop_source> sources;
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      for (const Call& call : calls_) sources.push_back(call.source);
    }
    for (std::stop_source& source : sources) source.request_stop();
    wake();
    thread_.join();
    backend_.reset();
  }

  void add(Prompt prompt, std::stop_token stop, Done done) {
    std::list<Call> one;
    Call& call = one.emplace_back();
    call.prompt = std::move(prompt);
    call.done = std::move(done);
    call.on_stop.emplace(std::move(stop), [this, source = call.source]() mutable {
      source.request_stop();
      wake();
    });
    const std::lock_guard lock(mutex_);
    call.number = calls_made_++;
    calls_.splice(calls_.end(), one);
    changed_ = true;
    signal_.notify_one();
  }

 private:
  enum class State { waiting, flying, pausing, over };
  struct Call {
    std::uint64_t number = 0;
    Prompt prompt;
    Done done;
    std::stop_source source;  // stopped by the caller's token and by the client's end
    std::optional<std::stop_callback<std::function<void()>>> on_stop;
    State state = State::waiting;
    unsigned attempts = 0;
    Usage spent;  // of failed attempts
    Duration started{};
    Duration due{};                  // of the next attempt
    std::optional<Attempt> arrived;  // the flying attempt's end
    std::optional<Outcome> outcome;
  };

  void wake() {
    const std::lock_guard lock(mutex_);
    changed_ = true;
    signal_.notify_one();
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (!closing_ || !calls_.empty()) {
      changed_ = false;
      for (Call& call : calls_) settle(call);
      const std::vector<Call*> starting = next();
      std::list<Call> over = ended();
      lock.unlock();
      // Neither `done` nor the removal of a stop callback may happen under the lock: both may wait for others.
      for (Call* call : starting) fly(*call);
      for (Call& call : over) call.done(std::move(*call.outcome));
      over.clear();
      lock.lock();
      sleep(lock);
    }
  }

  void sleep(std::unique_lock<std::mutex>& lock) {
    const bool pausing =
        std::any_of(calls_.begin(), calls_.end(), [](const Call& c) { return c.state == State::pausing; });
    if (pausing) {
      signal_.wait_for(lock, look_interval, [this] { return changed_; });
    } else {
      signal_.wait(lock, [this] { return changed_ || (closing_ && calls_.empty()); });
    }
  }

  // Handles what became of a call since the last look.
  void settle(Call& call) {
    if (call.state == State::flying) {
      if (call.arrived) land(call, std::move(*std::exchange(call.arrived, {})));
      return;
    }
    if (closing_ || call.source.stop_requested()) {
      cancel(call);
    } else if (dead_) {
      finish(call, Failure(*dead_));
    }
  }

  void land(Call& call, Attempt attempt) {
    if (Reply* reply = std::get_if<Reply>(&attempt.outcome)) return finish(call, std::move(*reply));
    Failure& failed = std::get<Failure>(attempt.outcome);
    call.spent += failed.spent;
    if (call.prompt.pay_once && failed.spent.input_tokens + failed.spent.output_tokens > 0) attempt.again = false;
    if (attempt.again && call.source.stop_requested()) return cancel(call);
    const auto pause =
        attempt.again ? pause_after(pace_, call.number, call.attempts, attempt.retry_after) : std::nullopt;
    if (pause) {
      call.state = State::pausing;
      call.due = clock_.now() + *pause;
      return;
    }
    if (attempt.again && call.attempts > 1) failed.what += fmt::format(" ({} attempts)", call.attempts);
    finish(call, std::move(failed));
  }

  void cancel(Call& call) { finish(call, Failure{FailureKind::canceled, "the call was canceled"}); }

  void finish(Call& call, Reply reply) {
    failures_in_a_row_ = 0;
    reply.usage += call.spent;
    close(call, reply);
    call.outcome = std::move(reply);
  }

  void finish(Call& call, Failure failed) {
    const bool about_the_provider = failed.kind != FailureKind::canceled && failed.kind != FailureKind::declined;
    if (about_the_provider && !dead_ && ++failures_in_a_row_ >= pace_.failures_in_a_row && !failed.ends_the_run) {
      failed.ends_the_run = true;
      failed.what += fmt::format("; {} calls in a row have failed", failures_in_a_row_);
    }
    if (failed.ends_the_run && !dead_) {
      dead_ = failed;
      dead_->spent = {};
      changed_ = true;  // for those that were looked at before
    }
    failed.spent = call.spent;
    close(call, failed);
    call.outcome = std::move(failed);
  }

  template <class Result>
  void close(Call& call, Result& result) {
    result.attempts = call.attempts;
    result.seconds = call.attempts > 0 ? std::chrono::duration<double>(clock_.now() - call.started).count() : 0;
    call.state = State::over;
  }

  // The calls to send now: those whose pause is over, then as many of those that wait as there is room for.
  std::vector<Call*> next() {
    std::vector<Call*> starting;
    const Duration now = clock_.now();
    unsigned busy = 0;
    for (Call& call : calls_) {
      if (call.state == State::pausing && call.due <= now) starting.push_back(&call);
      busy += call.state == State::flying || call.state == State::pausing;
    }
    for (Call& call : calls_) {
      if (call.state != State::waiting || busy >= pace_.concurrency) continue;
      call.started = now;
      starting.push_back(&call);
      ++busy;
    }
    for (Call* call : starting) {
      call->state = State::flying;
      ++call->attempts;
    }
    return starting;
  }

  // The list's nodes stay where they are until their call is over, which a flying one is not before it has landed.
  void fly(Call& call) {
    backend_->start(call.prompt, call.source.get_token(), [this, &call](Attempt attempt) {
      const std::lock_guard lock(mutex_);
      call.arrived = std::move(attempt);
      changed_ = true;
      signal_.notify_one();
    });
  }

  std::list<Call> ended() {
    std::list<Call> over;
    for (auto call = calls_.begin(); call != calls_.end();) {
      const auto next = std::next(call);
      if (call->state == State::over) over.splice(over.end(), calls_, call);
      call = next;
    }
    return over;
  }

  std::unique_ptr<Backend> backend_;
  const Pace pace_;
  const os::Clock& clock_;
  std::mutex mutex_;
  std::condition_variable signal_;
  std::list<Call> calls_;  // in order of arrival
  std::uint64_t calls_made_ = 0;
  unsigned failures_in_a_row_ = 0;
  std::optional<Failure> dead_;
  bool changed_ = false;
  bool closing_ = false;
  std::thread thread_;
};

PacedClient::PacedClient(std::unique_ptr<Backend> backend, const Pace& pace, const os::Clock& clock)
    : queue_(std::make_unique<Queue>(std::move(backend), pace, clock)) {}

PacedClient::~PacedClient() = default;

void PacedClient::submit(Prompt prompt, std::stop_token stop, Done done) {
  queue_->add(std::move(prompt), std::move(stop), std::move(done));
}

}  // namespace hone::llm
