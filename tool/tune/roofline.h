// The roofline of a kernel: what its problems must move and compute, what the machine can, and how near a version is.
//
// Bytes and operations are the original's, counted from annotation and source (frontend/work_count.h); what cannot be
// counted is left at zero, and then nothing is said. Rates are this machine's (machine_rates.h).
#pragma once

#include <string>

#include "tool/frontend/frontend.h"
#include "tool/model/compile_command.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/verdict.h"
#include "tool/search/prompt/brief.h"

namespace hone::tune {

// Fills the problems' bytes, operations and floors, and the hardware's rates.
void add_roofline(search::TaskFacts& facts, const KernelSpec& spec, const CompileCommand& command,
                  const frontend::Options& options);

// A line for each problem: achieved bandwidth and rate, and what they are of the machine's. `candidate`: of the
// candidate's times, else the original's. "" where nothing is known.
std::string achieved(const search::TaskFacts& facts, const Measurement& measurement, bool candidate = true);

}  // namespace hone::tune
