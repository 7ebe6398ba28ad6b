// What happened to a runner, as a sentence for whoever wrote the code: "crashed: SIGSEGV reading x[1024] (one element
// past the end of x)". Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tool/diagnostics/diagnostic_code.h"
#include "tool/judge/data/case.h"
#include "tool/judge/data/layout.h"
#include "tool/judge/process/subject.h"

namespace hone::judge {

// `addresses`: where the runner said that it mapped the layout's regions; empty when it ran on heap copies.
std::string describe(const RunnerFailure& failure, const KernelData& spec, const Case& c, const Layout& layout,
                     Ends ends, std::span<const std::uint64_t> addresses);

// Without a case: while loading, or in the harness.
std::string describe(const RunnerFailure& failure);

// What `hone explain` has to say of it.
DiagnosticCode code_of(const RunnerFailure& failure);
DiagnosticCode code_of_report(std::string_view sanitizers_report);

// "heap-buffer-overflow reading 4 bytes at kernel.cpp:7": the first sanitizer report's kind and line; "" when there is
// none.
std::string sanitizer_summary(const std::string& report);

// Is what a call failed of, in CUDA's words, that the device had no room for its launch? Pauses take registers, which a
// launch of large blocks or of blocks that must all be resident may have had none of to spare.
bool lacks_room(std::string_view failure);

}  // namespace hone::judge
