// One set of arguments to judge on: the scalars of a problem (or a perturbation of it), and with them the size of every
// array. The arrays' content is not kept: input_data.h makes it again from the case's seed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/bundle/given.h"
#include "tool/judge/data/pattern.h"
#include "tool/judge/process/subject.h"
#include "tool/model/kernel_spec.h"
#include "tool/runner/protocol.h"

namespace hone::judge {

struct Span {
  long long start = 0, length = 0;  // compared: [start, start+length); [0, start) exists too
  long long stride = 0;             // as the clause has it; 0: what the dimensions behind it take
  long long room = 0;               // how many there are in memory, compared or not; 0: start+length
  long long size() const { return room != 0 ? room : start + length; }
};

struct Array {
  std::vector<Span> spans;   // per dimension, outermost first; row-major over the size of each
  std::size_t elements = 0;  // of the whole array
  std::size_t bytes = 0;
  std::size_t lead = 0;  // elements before what the pointer points to
};

// Values that ordinary draws never hit, put into arrays that are drawn by default. See special_values.h.
enum class Special {
  none,
  small,
  huge,
  exponential_overflows,
  square_overflows,
  far_square_overflows,  // a larger one, for an original that came through the first one by chance
  largest,
  nan,
  infinite,
  all_infinite,  // every element is minus infinity: what begins with the least number finds none
  integer_extremes
};

// What is put where.
struct SpecialValues {
  Special kind = Special::none;
  int parameter = -1;  // -1: all arrays
  unsigned round = 0;  // first element, last, among the last few, anywhere
};

// A value for a scalar parameter in place of what the problem assigns.
struct Override {
  unsigned parameter = 0;
  long long value = 0;
  double real = 0;  // of a floating parameter, in place of `value`
};

struct Case {
  unsigned problem = 0;
  std::vector<Override> overrides;  // some: perturbed sizes, other scalars; the last of a parameter counts
  std::uint64_t seed = 0;
  SpecialValues special;
  Pattern pattern;
  bool exact = false;                                       // floating outputs must be equal, whatever the tolerance
  std::string label;                                        // "w=641 h=479"
  std::vector<unsigned> nulls;                              // parameters that are null pointers
  std::vector<runner::Scalar> scalars;                      // per parameter
  std::vector<Array> arrays;                                // per parameter; empty for scalars
  ExpressionValues values;                                  // of the clauses' expressions
  std::shared_ptr<const bundle::Given> given;               // the data, where they are not drawn
  std::vector<std::shared_ptr<const bundle::Given>> turns;  // given data of these sizes that take turns while timed
  const KernelData* drawn_as = nullptr;  // the data are drawn in its types and converted; null: in the spec's own

  // As the annotation has it. Else the original may refuse it by crashing.
  bool declared() const {
    return overrides.empty() && nulls.empty() && special.kind == Special::none && !pattern.any() && !given;
  }

  std::size_t bytes() const {  // of one set of arrays
    std::size_t total = 0;
    for (const Array& array : arrays) total += array.bytes;
    return total;
  }
};

// Bytes that a call must move at least, if it needs all of its inputs: what is read and written counts twice.
double least_moved(const KernelData& spec, const Case& c);

// Why there is no case: the annotation makes no sense for these scalars (a sentence), or the harness itself failed.
struct NoCase {
  std::string reason;
  std::optional<RunnerFailure> failure;
};

// Asks the original's object for the problem's scalars, draws the others, and evaluates the extents. With overrides, an
// array of negative length is an empty one: whether the original takes that shows when it runs.
// `memory_bytes` bounds what the arrays may take, all copies that judging needs included.
tl::expected<Case, NoCase> make_case(const KernelData& spec, Subject& reference, unsigned problem, std::uint64_t seed,
                                     const std::vector<Override>& overrides, std::size_t memory_bytes);

// The same call with null pointers for these parameters.
Case with_nulls(const KernelData& spec, const Case& like, const std::vector<unsigned>& nulls);

// With these scalars and arrays. No case where the arrays have other sizes than the annotation says.
tl::expected<Case, NoCase> make_given_case(const KernelData& spec, Subject& reference, const bundle::Given& given);

}  // namespace hone::judge
