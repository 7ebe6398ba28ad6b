#include "tool/tune/budget/shared_budget.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "tool/tune/budget/schedule.h"
#include "tool/tune/trial/deadline.h"

namespace hone::tune {
namespace {

using Clock = Slice::Clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Serves slices until all kernels are closed. Its lanes are threads that share everything under one mutex.
class Server {
 public:
  Server(const SharedBudget& budget, const Served& served, std::stop_token stop)
      : schedule_(budget.seconds, budget.weights, budget.lanes),
        served_(served),
        whole_(std::move(stop), seconds_from_now(budget.seconds)),
        standings_(budget.weights.size()),
        over_(whole_.token(), [this] { end_all(); }) {
    for (std::size_t i = 0; i < standings_.size(); ++i)
      slices_.push_back(std::make_unique<Slice>(schedule_.share(), [this] { look(); }));
    ready_ = true;
    if (whole_.stopped()) end_all();
  }

  Slice& slice(std::size_t kernel) { return *slices_[kernel]; }

  void serve() {
    while (const auto step = next()) {
      switch (step->kind) {
        case Step::Kind::slice:
          give_slice(*step);
          break;
        case Step::Kind::finals:
          give_finals(*step);
          break;
        case Step::Kind::end_search:
          slice(step->kernel).end_search();
          break;
        case Step::Kind::give_up:
          slice(step->kernel).end_all();
          break;
      }
    }
  }

 private:
  void look() {
    { const std::lock_guard lock(mutex_); }  // who has just looked waits by now
    changed_.notify_all();
  }

  // The time is up, or the user wants to stop: whoever waits for a slice gets none any more.
  void end_all() {
    if (!ready_) return;
    for (const auto& slice : slices_) slice->end_all();
    look();
  }

  bool all_closed() const {
    return std::ranges::all_of(slices_, [](const auto& slice) { return slice->state().stage == Slice::Stage::closed; });
  }

  // Waits for something to do. nullopt: all kernels are closed.
  std::optional<Step> next() {
    std::unique_lock lock(mutex_);
    for (;;) {
      for (std::size_t i = 0; i < standings_.size(); ++i) standings_[i].state = slices_[i]->state();
      if (all_closed()) return std::nullopt;
      const auto step = whole_.stopped() ? std::nullopt : schedule_.next(whole_.seconds_left(), standings_);
      if (step) {
        Standing& one = standings_[step->kernel];
        const bool serves = step->kind == Step::Kind::slice || step->kind == Step::Kind::finals;
        one.begun |= serves;
        one.served = serves;
        one.expired |= !serves || step->kind == Step::Kind::finals;
        return step;
      }
      changed_.wait(lock);
    }
  }

  bool is_at(std::size_t kernel, Slice::Stage stage) const { return slices_[kernel]->state().stage == stage; }

  void give_slice(const Step& step) {
    Slice& slice = this->slice(step.kernel);
    const double before = slice.state().gained;
    const auto start = Clock::now();
    served_(step.kernel, true);
    slice.resume(step.seconds);
    {
      std::unique_lock lock(mutex_);
      changed_.wait_until(lock, seconds_from(start, step.seconds), [&] {
        return whole_.stopped() || is_at(step.kernel, Slice::Stage::ended) || is_at(step.kernel, Slice::Stage::closed);
      });
    }
    slice.suspend();
    slice.wait_until_idle();
    if (!is_at(step.kernel, Slice::Stage::closed)) served_(step.kernel, false);
    finish(step.kernel, seconds_since(start), slice.state().gained - before);
  }

  // To the end of the kernel: what is measured afresh is not interrupted.
  void give_finals(const Step& step) {
    served_(step.kernel, true);
    slice(step.kernel).resume(step.seconds);
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_at(step.kernel, Slice::Stage::closed); });
    }
    finish(step.kernel, 0, 0);
  }

  void finish(std::size_t kernel, double seconds, double gain) {
    {
      const std::lock_guard lock(mutex_);
      standings_[kernel].served = false;
      if (seconds > 0) schedule_.told(kernel, seconds, gain);
    }
    changed_.notify_all();
  }

  Schedule schedule_;
  const Served& served_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Deadline whole_;
  std::vector<Standing> standings_;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::atomic<bool> ready_ = false;
  std::stop_callback<std::function<void()>> over_;  // last: it uses everything above
};

}  // namespace

void tune_within(const SharedBudget& budget, const TuneInSlices& tune, const Served& served, std::stop_token stop) {
  Server server(budget, served, std::move(stop));
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < budget.weights.size(); ++i)
    threads.emplace_back([&, i] {
      tune(i, server.slice(i));
      server.slice(i).enter(Slice::Stage::closed);
    });
  for (unsigned i = 0; i < std::max(budget.lanes, 1u); ++i) threads.emplace_back([&] { server.serve(); });
}

}  // namespace hone::tune
