// Was what is locked measured with another compiler, driver or device than there is here?
//
// None of them is in the key: another patch release would ask for another search. So an entry holds all the same, and a
// reader hears where its figures come from. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cache/lock_file.h"
#include "tool/lock/record.h"

namespace hone::lock {

// "": not known, which differs from nothing.
struct Surroundings {
  std::string compiler;  // as Compiler::identity() has it
  std::string device;    // as device_name() has it
};

// What goes on behind "was measured": "with g++ 12.2.0, and here is g++ 13.1.0". Of the device only a record says
// anything, where it is of the very measurement that the entry has.
std::vector<std::string> other_evidence(const cache::LockEntry& entry, const std::optional<Record>& record,
                                        const Surroundings& here);

}  // namespace hone::lock
