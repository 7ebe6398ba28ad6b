// Mathematical functions as text without branches, tables, errno or calls, for compilers to vectorize.
//
// Accuracy is a few units in the last place. Zero, infinities, NaN, denormals and the domain's ends give what the
// library gives. Without `guards` roots and logarithms are right for positive, normal arguments alone, and what an
// exponential is too small for as a normal number is 0: processors are slow with denormals. Sine and cosine count the
// quarters of a circle in one number: they are right up to 8192 (float) and a million (double). They take a
// second argument, `unsigned* far` (of double `unsigned long long*`), which they set where x is not within that, or no
// number: whoever calls them then does it again by the library. Choices are made with
// masks: a compiler turns `a ? b : c` over arithmetic that may trap back into branches.
//
// Polynomials: Cephes (S. Moshier), expf, logf, tanhf, tanh; FreeBSD's e_log.c; the series of exp. Those of erf, sine
// and cosine are fitted with mpmath, least squares on Chebyshev nodes that are weighted anew by the error (Lawson):
// erf(x) = x P(x^2) below 0.75, and 1 - exp(-x^2) Q(1 / (2 + x)) above. Reciprocal square root: the exponent trick and
// three Newton steps, four of double precision; a root needs one less.
#pragma once

#include <string>

namespace hone::frontend {

enum class VectorFunction {
  exp,
  log,
  tanh,
  erf,
  erfc,
  sin,
  cos,
  root,
  reciprocal_root,
  exp_double,
  log_double,
  tanh_double,
  erf_double,
  erfc_double,
  sin_double,
  cos_double,
  root_double,
  reciprocal_root_double
};

bool is_of_double(VectorFunction function);
// Whether guards make a difference to what it is right for.
bool has_guards(VectorFunction function);
// Whether it is right in a range alone, and tells its caller: it is a sine or a cosine.
bool tells_far(VectorFunction function);
// Whether its body calls the exponential function of the same precision.
bool calls_exp(VectorFunction function);

// The body of a C++ function of `x`. `exp`: the name of the exponential function, for those that call it.
std::string vector_function_text(VectorFunction function, bool guards, const std::string& exp);

}  // namespace hone::frontend
