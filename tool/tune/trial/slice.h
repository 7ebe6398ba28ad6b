// When a search may work that shares its time with others: it works in slices, and stands still between them.
//
// A search brackets each piece of work that takes a processor or a device (compile, judge, parse) by begin(). While it
// is suspended no piece begins, and its clock stands still; what is under way is finished. So nothing is asked, told or
// judged otherwise than in a search that was never suspended, only later. What waits for the network alone (calls to a
// model) goes on. A Slice that nobody suspends changes nothing: that is a search which has its budget for itself.
//
// The upper half is for the search, the lower for whoever shares the time out. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace hone::tune {

class Slice {
 public:
  using Clock = std::chrono::steady_clock;
  // `opening`: what is done before the first trial. `ended`: its finals may begin. `closed`: nothing more is to come.
  enum class Stage { opening, searching, ended, closed };

  Slice() = default;
  // Suspended at first. `planned`: seconds that would be its share if all kernels got the same.
  explicit Slice(double planned, std::function<void()> changed)
      : planned_(planned), changed_(std::move(changed)), served_(false), suspended_at_(Clock::now()) {}
  Slice(const Slice&) = delete;

  class Piece {
   public:
    explicit Piece(Slice* slice) : slice_(slice) {}
    Piece(Piece&& other) noexcept : slice_(std::exchange(other.slice_, nullptr)) {}
    ~Piece() {
      if (slice_) slice_->end_piece();
    }

   private:
    Slice* slice_;
  };
  // Waits until it is served. nullopt: `stop` fired first. Not from within another piece.
  std::optional<Piece> begin(std::stop_token stop);
  // Of the clock that stands still between slices.
  Clock::time_point now() const;
  double planned() const { return planned_; }
  void enter(Stage stage);
  // How many times as fast as the original its fastest is, after each trial; which share of the machine's limit that
  // reaches, 0 where nobody knows; seconds that the winner's own measurement may take.
  void told(double best, double share_of_limit);
  void reserve(double seconds);
  // No more trials: whatever was found is to be measured afresh.
  std::stop_token search_over() const { return search_over_.get_token(); }
  // Nothing more at all.
  std::stop_token all_over() const { return all_over_.get_token(); }
  // Seconds of the clock that are left to whoever is served now; a search that has its budget for itself: no bound.
  double allotted() const;

  struct State {
    Stage stage = Stage::opening;
    double best = 1;
    double gained = 0;  // by all trials but the first, as logarithm of the speedup
    double share_of_limit = 0;
    double reserve = 0;
    unsigned trials = 0;
  };
  State state() const;
  void resume(double seconds);
  // No piece begins any more. The clock goes on until the last one has ended, which wait_until_idle() waits for.
  void suspend();
  void wait_until_idle();
  void end_search() { search_over_.request_stop(); }
  void end_all() { all_over_.request_stop(); }

 private:
  void end_piece();
  void stand_still();

  const double planned_ = std::numeric_limits<double>::infinity();
  const std::function<void()> changed_ = [] {};
  mutable std::mutex mutex_;
  std::condition_variable_any moved_;
  State state_;
  unsigned under_way_ = 0;
  bool served_ = true;
  std::optional<Clock::time_point> suspended_at_;  // while it stands still
  Clock::duration stood_still_{};
  std::optional<Clock::time_point> slice_ends_;  // while it is served; of the steady clock
  std::stop_source search_over_, all_over_;
};

}  // namespace hone::tune
