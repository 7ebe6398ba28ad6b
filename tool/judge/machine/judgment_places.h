// Judgments on the CUDA devices of this machine, counted across all its processes.
//
// A search has one judgment at any time, whatever others do. A second and a third beside it hide how long processes
// take to start, but only where nobody else wants the device: many at once make each other slow. Files in /tmp, as of
// TurnLock; a process that dies gives its place back.
#pragma once

#include <string>

#include "tool/judge/machine/turn_lock.h"

namespace hone::judge {

class JudgmentPlaces {
 public:
  // `name`: whose places they are; "cuda": this machine's devices. `most`: with so many taken there is none to spare.
  explicit JudgmentPlaces(std::string name, unsigned most) : name_(std::move(name)), most_(most) {}

  // For a search's only judgment. It begins whether a place is held() or not.
  TurnLock take() const;
  // For one beside it: not held() where as many judgments as `most` are under way already.
  TurnLock take_spare() const;

 private:
  TurnLock place(unsigned number) const;

  std::string name_;
  unsigned most_;
};

}  // namespace hone::judge
