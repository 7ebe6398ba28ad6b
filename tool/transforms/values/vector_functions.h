// Mathematical functions as text without branches, tables, errno or calls, for compilers to vectorize.
//
// Accuracy is a few units in the last place. Zero, infinities, NaN, denormals and the domain's ends give what the
// library gives; roots do so with `guards` alone, and without are right for positive, normal arguments. Choices are
// made with masks: a compiler turns `a ? b : c` over arithmetic that may trap back into branches.
//
// Polynomials: Cephes (S. Moshier), expf, logf, tanhf, tanh; FreeBSD's e_log.c; the series of exp. Reciprocal square
// root: the exponent trick and three Newton steps.
#pragma once

#include <string>

namespace hone::frontend {

enum class VectorFunction { exp, log, tanh, root, reciprocal_root, exp_double, log_double, tanh_double };

// The body of a C++ function of `x`. `exp`: the name of the exponential function of the same precision, for tanh.
std::string vector_function_text(VectorFunction function, bool guards, const std::string& exp);

}  // namespace hone::frontend
