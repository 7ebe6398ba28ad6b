// What a call must leave as it found it: how the processor rounds and traps, which signals are blocked, how OpenMP is
// set, the environment. What is changed is told and put back. In the runner's process: no C++ runtime, one thread.
#pragma once

#include <stdint.h>

namespace hone::runner {

// OpenMP's functions, looked for in what the object brought along; without them nothing is looked at.
void find_openmp(void* object);

// Around a call. `closely`: also what costs system calls, which is not for calls that are timed.
void begin_balance(bool closely);
uint32_t end_balance(bool closely);  // bits of Changed in protocol.h

}  // namespace hone::runner
