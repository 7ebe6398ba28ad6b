// The digits of an item's number: a kernel that numbers the elements of a box takes its number apart again.
//
//   k = i % d;  j = i / d % h;  c = i / (d * h) % channels;  image = i / (d * h * channels)
//
// Contract: digits are found only where their units follow from one another (1, d, d * h, …), as polynomials. A digit
// that is taken apart again (group = c / n, c % n) counts as two. What is not understood is nullopt. Borrows the AST.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/device_kernel.h"

namespace hone::frontend {

struct IndexDigit {
  std::string name;                        // of a local that holds it; "" for none
  std::string extent;                      // how many values it has, in parentheses; "" of the highest one
  std::vector<const clang::Expr*> places;  // where it is computed
};

// A place that holds a digit and the next higher one together: the higher one times the lower one's extent, plus that.
struct JoinedDigits {
  const clang::Expr* place = nullptr;
  std::size_t lower = 0;
};

struct IndexDigits {
  std::vector<IndexDigit> digits;  // lowest first; at least two. The highest one is what is left
  std::vector<JoinedDigits> joined;
  std::vector<const clang::Expr*> extents;  // what the extents' texts are made of
};

// Of the item along x, which must be below a whole multiple of all extents' product.
std::optional<IndexDigits> index_digits(const KernelContext& context, const DeviceKernel& kernel,
                                        const clang::Expr* items);

// `whole` divided by `part` where one term is the result; nullopt: it does not divide.
std::optional<IndexPolynomial> quotient(const IndexPolynomial& whole, const IndexPolynomial& part);

}  // namespace hone::frontend
