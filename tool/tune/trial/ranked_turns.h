// A number of things that may go on at once, for which there are two queues: who is first goes before who is later.
//
// Thread-safe. Within a queue the order is the system's.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace hone::tune {

class RankedTurns {
 public:
  enum class Rank { first, later };

  explicit RankedTurns(std::size_t free) : free_(free) {}

  // Waits for its turn, which ends with it.
  class Turn {
   public:
    Turn(RankedTurns& turns, Rank rank) : turns_(turns) { turns_.take(rank); }
    ~Turn() { turns_.give_back(); }
    Turn(const Turn&) = delete;

   private:
    RankedTurns& turns_;
  };

  // Those that wait now.
  std::size_t waiting(Rank rank) {
    const std::lock_guard lock(mutex_);
    return rank == Rank::first ? first_waiting_ : later_waiting_;
  }

 private:
  void take(Rank rank) {
    std::unique_lock lock(mutex_);
    std::size_t& waiting = rank == Rank::first ? first_waiting_ : later_waiting_;
    ++waiting;
    given_back_.wait(lock, [&] { return free_ > 0 && (rank == Rank::first || first_waiting_ == 0); });
    --waiting;
    --free_;
    if (free_ > 0) given_back_.notify_all();  // the last one that is first lets the others go on
  }
  void give_back() {
    const std::lock_guard lock(mutex_);
    ++free_;
    given_back_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable given_back_;
  std::size_t free_;
  std::size_t first_waiting_ = 0, later_waiting_ = 0;
};

}  // namespace hone::tune
