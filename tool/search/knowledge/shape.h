// What kind of computation a kernel's text is, seen in its tokens: loops, what its subscripts do along them, sums,
// conditions. Of a CUDA kernel the grid counts as loops, since each thread is one turn of them.
//
// A guess: nothing is parsed, and text that is no C++ has some shape too. Pure.
#pragma once

#include <string_view>

namespace hone::search {

struct Shape {
  unsigned depth = 0;  // of the deepest loop, the grid's included

  // Sums.
  bool sum = false;             // scalar += …
  bool sum_into_array = false;  // a[…] += …
  bool matrix_product = false;  // of elements of two arrays, each of which lacks a loop that chooses the other's
  bool histogram = false;       // the element that another array names is counted up
  bool atomic_sum = false;      // atomicAdd() to a place that the data do not choose
  bool scan = false;            // the running sum is stored by the loop that sums; sums at doubling distances
  bool chain = false;           // a[i] is made of a[i - 1]
  bool extreme = false;         // the place of the largest or smallest is kept

  // Accesses.
  bool gather = false;       // a[b[i]]
  bool copy = false;         // a[…] = b[…];
  bool turns = false;        // a copy whose two sides run along different loops
  bool strided = false;      // the innermost loop, or neighbouring threads, jump by rows
  bool window = false;       // outputs that lie beside each other read the same elements
  bool pairs = false;        // x[i] and x[j] of one array
  bool members = false;      // several members of a[i]
  bool interleaved = false;  // a[3 * i], a[3 * i + 1]
  bool rows = false;         // a loop over rows has several loops along the row, one of which sums
  bool moves = false;        // a[j + 1] = a[j], swaps: elements are put in order

  // Conditions and costs.
  bool choice = false;       // depends on data
  bool border = false;       // depends on counters alone
  bool uneven = false;       // how often a loop runs depends on data
  bool short_loops = false;  // with bounds that are small numbers
  bool launches_in_loop = false;
  bool division = false, root = false, exponential = false, logarithm = false, other_function = false;

  bool sums() const { return sum || sum_into_array; }
  bool functions() const { return exponential || logarithm || other_function; }
};

// Of all functions in the text together. `device`: it is CUDA's.
Shape shape_of(std::string_view text, bool device);

}  // namespace hone::search
