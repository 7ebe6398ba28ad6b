// Is a compile for the machine that it runs on, and no other? Pure.
#pragma once

#include <string>
#include <vector>

namespace hone {

// -march=native or -mcpu=native, the last of several -march counting, also for nvcc's host compiler.
bool is_for_this_machine(const std::vector<std::string>& words);

}  // namespace hone
