// What the judge knows of a kernel with workload(fn): the function's scalars, then arrays of Hone's own, by which the
// harness (unit/workload_text.h) draws arguments and hands over results.
//
//   n                 the workload's own scalars, as problem(…) sets them
//   seed              in: one number, from which everything is drawn
//   call's sizes      in: a few constants, whose number changes with each whole scalar: so the judge takes them for
//   sizes room of …         in: how many elements the array of results of that kind has exact bytes, …    out: the
//   results, an array of each kind; result counts: how many there were, and of which shape
//
// How much room results need, the original's own run says. Pure.
#pragma once

#include <string>
#include <vector>

#include "annotations/directive.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// In the order of hone::detail::stream_count (annotations/include/hone/workload.h).
inline constexpr unsigned kResultStreams = 9;
// Of "result counts": one for each stream, the shape, the digest, and whether the workload was skipped.
inline constexpr unsigned kResultCounts = kResultStreams + 3;

// What the arrays' extents and contents are, in the harness's words. They must be the first expressions.
std::vector<annotations::Expression> workload_expressions(annotations::Location location);

// Behind the workload's own scalars.
void add_workload_data(KernelData& data);

}  // namespace hone::frontend
