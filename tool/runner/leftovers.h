// What one call may find of the call before it, beside its arguments: what it left on the stack, in freed memory, in
// `errno` and in what libc keeps for itself, and its thread's own variables. All of it is the program's to overwrite,
// and a kernel that builds upon it is right here and wrong there.
//
// Between two calls it is filled anew, from a key that the judge draws. Never under a sanitizer or a tool. In the
// runner's process: no C++ runtime, one thread.
#pragma once

#include <stdint.h>

namespace hone::runner {

// `of_unit`: an address in the object that calls go to.
void renew_leftovers(uint64_t key, bool thoroughly, const void* of_unit, bool on_device);

// malloc's own count of what is in use, in all arenas.
uint64_t heap_in_use();

}  // namespace hone::runner
