// The stack that a kernel is called on: memory of the runner's own, so that what a call left there can be filled anew
// before the next one, and so that it shows how deep a call went.
//
// Never used before renew_own_stack(): under a sanitizer or a tool, which keep books about the stack, nobody asks for
// it, and calls run where they are. One thread. No C++ runtime.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tool/runner/abi.h"

namespace hone::runner {

using Call = decltype(&hone_call);

// Calls on the own stack where there is one.
void call_kernel(Call call, void* const* slots, void* result);

// Changes one word that a call may have left; for between two calls of a batch. Costs a nanosecond.
void disturb_own_stack();

// Fills it with what follows from `key`, in one of several ways: noise near or far below the frame, or what the last
// call left, with words of it changed: who trusts its leftovers by a mark in them is fooled by that. The frame begins
// at another address each time. Not thoroughly: only a few words are changed, which costs microseconds.
void renew_own_stack(uint64_t key, bool thoroughly);

// Bytes below the frame that calls touched since, in whole pages; 0: no more than is always filled.
size_t own_stack_used();

}  // namespace hone::runner
