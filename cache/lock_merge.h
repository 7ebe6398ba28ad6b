// Two lock files that grew out of one, as one: what git's merge driver for hone.lock does.
//
// Entries are independent of each other. One that only one side changed, added or removed is as that side has it. One
// that both changed is the one with better evidence: whole before not, measured afresh before not, finished before not,
// then the higher lower end of its speedup. One that a side changed and the other removed stays. So entries of two
// states of one kernel may both stay: the merged source decides which of them holds, and the next tuning removes the
// other. Entries are taken whole, with their seals, but for the figures of other machines, which are merged kind by
// kind (held_on.h): a figure that one side adds is no change of the entry. A file of Hone 0.1's is sealed first. Pure.
#pragma once

#include "cache/lock_file.h"

namespace hone::cache {

LockFile merge(LockFile base, LockFile ours, LockFile theirs);

}  // namespace hone::cache
