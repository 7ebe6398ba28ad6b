// What a warp does in place of its threads' walks: fetches their next elements together, runs their iterations, stores
// what these wrote.
//
// Contract: the text is for all threads of a block of `warps` warps, each of which runs its walk as it stands; one that
// does not exist has no iterations. All walks of a kernel share their tiles, which fit into the shared memory that
// every device has: as many iterations at a time as do, of those that are asked for; where eight are too many, some of
// the stretches stay in memory. Borrows the walks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tool/transforms/code/edits.h"
#include "tool/transforms/cuda/staging/walks.h"

namespace hone::frontend {

struct WalkShape {
  int iterations = 32;  // at a time
  int warps = 4;        // of a block
  bool ahead = false;   // the next elements are loaded while the iterations run, in registers: of at most 32 iterations
};

class WalkText {
 public:
  WalkText(const KernelContext& context, NewNames& names, const Walks& walks, const WalkShape& shape);

  // The tiles, and where a thread stands in its warp: in front of the work.
  std::string declarations() const;
  // `exists`: a variable that says whether the thread has an item; "": all do.
  std::string write(const Walk& walk, const std::string& exists);
  bool spoiled() const { return spoiled_; }

 private:
  struct Tile {
    std::string name, type;
  };
  // Where the thread's next elements lie, and those on which its iterations run now.
  struct Place {
    const Stretch* stretch = nullptr;  // one of those that begin there
    std::string from, now;
    bool is_read = false, is_written = false;
  };
  // A stretch as it is written: its tile, and elements on the way there.
  struct Part {
    const Stretch* stretch = nullptr;
    std::string tile, next, from;
  };
  // The iterations that a warp runs at a time: how many the thread has next, how many it runs, and which one it is at.
  struct Strip {
    std::string left, count, step;
    std::vector<Place> places;
    std::vector<Part> parts;
  };

  long long bytes_of(const Walks& walks) const;
  void take_tile(const Walk& walk, std::size_t at, bool alone);
  Strip strip_of(const Walk& walk);
  std::string before_iterations(const Walk& walk, const Strip& strip, const std::string& exists);
  std::string ahead_of_iterations(const Walk& walk, const Strip& strip, const std::string& exists);
  std::string left_text(const Walk& walk, const std::string& exists);
  std::string leave(const Strip& strip) const;
  std::string places(const Walk& walk, const Strip& strip);
  std::string seen_from_head(const Walk& walk, const clang::Expr* expression);
  int passes() const;
  std::string row_of(const std::string& pass) const;
  std::string in_columns(const std::string& text) const;
  std::string row_text(const Strip& strip, const std::string& pass, bool loads) const;
  std::string element(const Part& part) const;
  std::string each(int passes) const;
  std::string fetch(const Strip& strip, const std::string& row) const;
  std::string keep(const Strip& strip, const std::string& row) const;
  std::string loads(const Strip& strip) const;
  std::string stores(const Strip& strip) const;
  void drop_unused(const Walk& walk, std::vector<const clang::Stmt*> gone, Substitution& changes) const;
  std::string iterations(const Walk& walk, const Strip& strip);

  const KernelContext& context_;
  NewNames& names_;
  int iterations_, warps_;
  bool ahead_;
  std::size_t most_stretches_ = 0;  // of a walk
  std::vector<Tile> tiles_;
  std::map<const Stretch*, std::size_t> tile_of_;
  std::string warp_, lane_, row_, column_, count_, pass_, first_;
  bool spoiled_ = false;
};

}  // namespace hone::frontend
