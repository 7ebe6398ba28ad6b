// How fast a CUDA device multiplies and adds, measured there. The driver translates the kernels, so that no toolkit is
// needed.
#pragma once

#include "tool/cuda/driver.h"
#include "tool/judge/device/arithmetic_ptx.h"

namespace hone::judge {

// Operations a second in the calling thread's context: the best of a few tries of about a millisecond each. 0: the
// device has no such instructions, or the driver translates nothing. What else runs there makes it too low.
double measured_arithmetic(const cuda::Driver& driver, ArithmeticPipe pipe, int multiprocessors);

}  // namespace hone::judge
