// Clang walks nested code by recursion, and a thread has 8 MB for that. GCC takes 64 MB for itself, so sources that it
// compiles need as much here: an else-if chain of thousands, a sum of thousands of terms.
//
// The function runs in a thread with a large stack, and so do threads that are started later without a size of their
// own. The memory is taken as it is used. Where no such thread can be had, the function runs where it is called.
#pragma once

#include <functional>

namespace hone {

int on_deep_stack(const std::function<int()>& function);

}  // namespace hone
