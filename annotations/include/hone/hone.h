/* What a program may include of Hone. Optional: `#pragma hone kernel` needs no header.
 *
 * Harmless without Hone: everything here is a plain constant to any C++11 or CUDA compiler, and including it changes
 * no other code, needs no library and warns about nothing.
 *
 * With HONE_LINKED defined in front of it, there is hone_for_each_linked(), too, by which a program asks which of its
 * kernels are locked variants (linked.h, which C includes by itself).
 */
#ifndef HONE_HONE_H
#define HONE_HONE_H

#if defined(__GNUC__) || defined(__clang__) || defined(__CUDACC__)
#define HONE_UNUSED_ __attribute__((unused))
#else
#define HONE_UNUSED_
#endif

#define HONE_FIRST_(value, ...) value

/* HONE_TUNABLE(BLOCK, 64, 128, 256);
 *
 * Declares the constant BLOCK with the first value, and tells the tuner which others are worth trying. In a function
 * or at namespace scope; the constant has the type of its first value and may size arrays and fill in template
 * arguments. The values are constant expressions of one type.
 */
#define HONE_TUNABLE(NAME, ...) constexpr HONE_UNUSED_ auto NAME = HONE_FIRST_(__VA_ARGS__, 0)

#ifdef HONE_LINKED
#include "linked.h"
#endif

#endif
