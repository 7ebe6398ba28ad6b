// A prefix sum over a whole array, however a kernel comes to it: one thread that goes through the array, or one block
// that goes through it piece by piece, doubles its way through each in shared memory, and carries the sum to the next:
//
//   for (int start = 0; start < n; start += 1024) {
//     s[t] = start + t < n ? x[start + t] : 0;
//     __syncthreads();
//     for (int d = 1; d < 1024; d *= 2) { … s[t] and s[t - d] added where t >= d …; __syncthreads(); }
//     if (start + t < n) y[start + t] = carried + s[t];
//     carried += s[1023];
//   }
//
// Contract: what is not understood is nothing. Never changes anything. Borrows the AST.
#pragma once

#include <optional>
#include <string>

#include "tool/transforms/code/device_kernel.h"

namespace hone::frontend {

// A scan, in terms of the kernel's parameters and of one element's index.
struct ArrayScan {
  std::string index, index_type;       // "i", "int"
  const clang::Expr* count = nullptr;  // of elements, less one where `inclusive_count`
  bool inclusive_count = false;
  std::string before;     // declarations that everything else needs
  std::string type;       // of the sum
  std::string initial;    // what it starts from
  std::string sum;        // the sum's name in `body`
  std::string increment;  // statements that set `own`
  std::string body;       // statements that write the element and have `sum` grow by `own`
  std::string own = "own";
  const clang::Expr* written = nullptr;  // an element that is written each time
  std::string written_text;              // in terms of the index
};

std::optional<ArrayScan> array_scan_of(const KernelContext& context);

}  // namespace hone::frontend
