// Where a case's arrays lie: in a file of inputs that both processes read, and in a file of outputs of each process.
//
// For verification every array has pages of its own between two pages that fault, or between two margins of canaries
// where the ground has no such pages. It stands at their very start or at their very end, so that an element too far
// faults in the one or the other; the rest of its pages holds canaries. Or it stands a few elements behind the start,
// where it is aligned as its type asks and no better. An empty array has no page at all: any access to it faults. Pure
// arithmetic, apart from the filling of memory that it is given.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tool/judge/data/case.h"
#include "tool/judge/data/comparison.h"
#include "tool/judge/ground/ground.h"
#include "tool/judge/ground/shared_memory.h"
#include "tool/model/kernel_spec.h"
#include "tool/runner/protocol.h"

namespace hone::judge {

// Which end of its pages an array touches; askew: none. Then: what is written is askew and what is read is not,
// and the reverse, for who tests one address and relies on another.
// Last: each second array is, from the first or from the second one on.
enum class Ends { start, end, askew, askew_outputs, askew_inputs, askew_first, askew_second };

// How the parameters of an alias group share their memory: from one address on, or shifted against each other.
struct Overlap {
  bool any = false;     // else each has memory of its own
  long long shift = 0;  // by so many elements what is written stands behind what is read; negative: before it
};

struct Place {
  int region = -1;         // -1: a scalar
  bool output = false;     // which file
  std::size_t offset = 0;  // of the region in its file
  std::size_t length = 0;  // of the region
  std::size_t block = 0;   // bytes that are used of it, by all who share it
  std::size_t shift = 0;   // of the array in the block
  std::size_t margin = 0;  // at both ends of the region, where no array ever is
  std::size_t skew = 0;    // how far behind the start it stands askew
  std::size_t bytes = 0;   // of the array
  std::size_t lead = 0;    // of them stand before what the pointer points to
  std::size_t block_at(Ends ends) const {
    if (ends == Ends::end) return offset + length - margin - block;
    return offset + margin + (is_askew(ends) ? skew : 0);
  }
  bool is_askew(Ends ends) const {
    return ends == Ends::askew || ends == (output ? Ends::askew_outputs : Ends::askew_inputs) ||
           ends == (region % 2 == 0 ? Ends::askew_first : Ends::askew_second);
  }
  std::size_t at(Ends ends) const { return block_at(ends) + shift; }
};

struct Layout {
  std::vector<Place> places;  // per parameter
  std::vector<runner::Region> regions;
  std::size_t input_bytes = 0;
  std::size_t output_bytes = 0;
};

Layout lay_out(const KernelData& spec, const Case& c, Overlap overlap, Guard guard = Guard::pages);
std::vector<runner::Binding> bindings_of(const KernelData& spec, const Layout& layout, Ends ends);

void place_inputs(const KernelData& spec, const Case& c, const Layout& layout, Ends ends, const SharedMemory& inputs);

// Poison in outputs, drawn data in inouts.
void place_outputs(const KernelData& spec, const Case& c, const Layout& layout, Ends ends, const SharedMemory& outputs,
                   std::uint64_t poison_key);
Poison poison_of(const KernelData& spec, unsigned parameter, std::uint64_t poison_key);

// The arrays of one of the two files, as they lie there. Borrowed.
struct PlacedArrays {
  const Layout& layout;
  bool output;  // which file
  Ends ends;
  const SharedMemory& file;
};

// Around the arrays.
void place_canaries(const PlacedArrays& arrays, std::uint64_t key);

// "" or what was written outside: "wrote y[33], one element past the end".
std::string disturbed_canary(const KernelData& spec, const Case& c, const PlacedArrays& arrays, std::uint64_t key);

// Of the arrays in the inputs' file.
std::uint64_t checksum(const Layout& layout, Ends ends, const SharedMemory& inputs);

// "y[3][4]" for flat element number `element`, "y[12].pos.x" with a field.
std::string element_name(const Parameter& parameter, const Array& array, long long element,
                         const std::string& field = "");

// "one element past the end of x", "3 elements before the start of x"; "" when inside.
std::string distance_from(const Parameter& parameter, const Array& array, long long element);

}  // namespace hone::judge
