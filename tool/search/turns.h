// When the next line of work may begin, and when it has to wait for verdicts: what keeps a strategy the one that it is
// called while many calls are made at once.
//
// Three rules, each only where the strategy has it (strategy.h):
//   generation     so many lines begin; the next begins when each of them has had its verdict or ended without one.
//                  Repairs and post-mortems go on beside the next.
//   starts_first   evolution waits for the starts, and no more of them are open than are still wanted
//   abreast        so many lines are open on one program
// A rule makes wait only while a line is open that owes a verdict, so whoever drives never waits for nothing. Holds
// numbers, draws nothing, and is not changed by being asked. Not thread-safe.
#pragma once

#include <map>
#include <vector>

#include "tool/search/population.h"
#include "tool/search/strategy.h"

namespace hone::search {

class Turns {
 public:
  explicit Turns(const Strategy& strategy);

  // Starts that are still wanted: that were not asked for yet, and right ones that are not there.
  struct Starts {
    unsigned asked = 0;
    unsigned right = 0;
  };
  bool may_begin(const Starts& wanted) const;
  // Leaves those on which another line may work.
  void keep_free(std::vector<Population::Member>& members) const;

  void begin(unsigned line, bool start, std::vector<unsigned> programs, const Starts& wanted);
  // A request of the line for which others wait is to come; it was told, or failed.
  void owe(unsigned line);
  void settle(unsigned line);
  // `answered`: a trial came of it.
  void end(unsigned line, bool answered);

 private:
  struct Line {
    bool start = false;
    std::vector<unsigned> programs;
    unsigned owed = 0;
  };

  bool owing() const;
  unsigned open_starts() const;

  unsigned generation_, abreast_;
  bool starts_first_;
  std::map<unsigned, Line> lines_;  // that have not ended
  unsigned size_ = 0;               // of the generation that is on
  unsigned begun_ = 0;              // its lines
};

}  // namespace hone::search
