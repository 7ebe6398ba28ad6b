// What a CUDA kernel's structure says about how it could be tuned: what the recipes for devices go by.
//
// Contract: structure, subscripts and the first problem's values alone decide. Never changes anything.
#pragma once

#include <vector>

#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/transformation.h"

namespace hone::frontend {

// What the original's structure says; found once, since contexts do not last.
struct DeviceStructure {
  bool gathers = false;     // many threads add to one place,
  bool counts = false;      // or to a small array,
  bool sized_late = false;  // as large as the launch says
  bool rows = false;        // a thread has a loop that a group could share,
  bool across = false;      // and that loop runs along memory while the threads do not
  bool short_rows = false;  // of fewer iterations than several warps have threads, as a problem says
  bool walks = false;       // a warp could load for its threads, each of which goes along memory of its own,
  bool recurs = false;      // in a loop that a group could not share
  bool columns = false;     // a thread has a loop that threads of a block could share while others run along memory
  bool plane = false;       // two indices,
  bool turned = false;      // of which the wrong one runs along memory
  bool product = false;
  bool transposes = false;
  bool loops = false;
  bool special = false;  // a problem's value bounds loops
  bool elementwise = false;
  bool trees = false;     // blocks reduce in shared memory,
  bool lonely = false;    // each of few blocks has an item for itself,
  bool clusters = false;  // or a group could be a cluster of blocks, where items are few
  bool runs_on = false;   // or one thread or block alone sums up as it goes
  int widest_pack = 4;    // elements,
  bool pairs = false;     // of half precision, with which nothing else is done
  bool bordered = false;  // a loop asks at each step whether it lies inside,
  bool clamped = false;   // or takes the nearest index inside
  bool steps = false;     // a loop of the host launches it, whose steps need not wait for each other
  // What there is to choose where such a loop's steps do need each other; empty: there is none.
  std::vector<std::vector<int>> chain;
  bool few = true;        // there are too few items to fill a device, or nobody knows
  bool known_few = false;
  int shared = 0;         // copies of a loop around others, whose iterations load the same; 0: there is none
  std::vector<std::vector<int>> tile;  // what a tile in registers may be; empty: none suits
};

DeviceStructure structure_of(const KernelContext& context);

// Do the iterations of a loop with others inside load some of the same, and some of their own?
bool shares_loads(const KernelContext& context, const Loop& loop);

}  // namespace hone::frontend
