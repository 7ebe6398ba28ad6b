// Which of several searches gets the next slice of a time that they share, by what each can still gain. Pure.
//
//   1. A search that has ended is measured afresh at once: its finals are the next slice.
//   2. Each kernel gets a first slice: a quarter of what would be its share if all got the same.
//   3. Further slices go where the program's time is expected to shrink most:
//        weight / best · min(mean + luck, limit)
//      weight / best is what is left of the kernel's share of the run. The mean is of the gains (logarithms of the
//      speedup) of its slices, the latest counting most, beside a prior. Luck is UCB1's term: large where a kernel was
//      served little. Gains fall as a search is served, so that old ones say little: a bandit whose arms rot as they
//      are pulled. The limit is what the machine still allows, where it is known.
//   4. What the finals of the searches with something accepted may take is kept for them. When no more is left, the
//   least
//      promising of these ends: its finals mostly take less, and the others search on with the rest.
//
// The same standings lead to the same steps. docs/decisions/0061 has the sources and what else there was.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tool/tune/trial/slice.h"

namespace hone::tune {

// One kernel, between two steps.
struct Standing {
  Slice::State state;
  bool begun = false;    // had a first slice
  bool served = false;   // has a slice now
  bool expired = false;  // its search was told to end
};

struct Step {
  enum class Kind {
    slice,       // serve it for so many seconds
    finals,      // let it measure its winner, in so many seconds at most
    end_search,  // no more trials
    give_up,     // nothing more at all: the time never sufficed to begin
  };
  Kind kind = Kind::slice;
  std::size_t kernel = 0;
  double seconds = 0;
};

class Schedule {
 public:
  // `weights`: what share of the run's time each kernel takes, in any unit. `lanes`: how many are served at once.
  Schedule(double seconds, std::vector<double> weights, unsigned lanes);

  // What each kernel would get if all got the same.
  double share() const { return share_; }

  // nullopt: nothing can begin now. Either all is closed, or what is served must end first.
  std::optional<Step> next(double seconds_left, const std::vector<Standing>& standings) const;
  // A slice has ended.
  void told(std::size_t kernel, double seconds, double gain);
  // By how much the program's time is expected to shrink with one more slice.
  double promise(std::size_t kernel, const Slice::State& state) const;

 private:
  struct History {
    double served = 0;  // in usual slices
    double slices = 0;  // the same, the old ones counting less
    double gain = 0;    // of these, as logarithm of the speedup
  };
  double spare(double seconds_left, const std::vector<Standing>& standings) const;
  std::optional<Step> end_one(const std::vector<Standing>& standings) const;
  std::optional<Step> first_slice(double spare, const std::vector<Standing>& standings) const;

  const std::vector<double> weights_;
  const unsigned lanes_;
  const double share_;
  const double usual_;  // seconds of a slice
  std::vector<History> histories_;
};

}  // namespace hone::tune
