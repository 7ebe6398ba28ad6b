// The roofline of a kernel: what its problems must move and compute, what the machine can, and how near a version is.
//
// Bytes and operations are the original's, counted from annotation and source (frontend/count/work_count.h); what
// cannot be counted is left at zero, and then nothing is said. Rates are this machine's (machine_rates.h), or those
// that the judge measured on its device.
#pragma once

#include <optional>
#include <string>

#include "tool/command/compile_command.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/model/device_profile.h"
#include "tool/model/device_rates.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/verdict.h"
#include "tool/search/brief.h"

namespace hone::tune {

// Fills the problems' bytes, operations and floors, and the hardware's rates.
void add_roofline(search::TaskFacts& facts, const KernelSpec& spec, const CompileCommand& command,
                  const frontend::Options& options);

// Fills them of a kernel on a device, from the judge's verdict on the original and the device's rates: its name and
// rates, bytes and the floors that they make. No rates: nothing is known of it but its architecture.
void add_device_roofline(search::TaskFacts& facts, const KernelData& spec, const Verdict& original,
                         const std::optional<DeviceRates>& device);

// What the original executes and moves on the device by its counters, for the floor of the problem that was counted.
// Where it moves less than its arrays' sizes say (it reads a part of them, or writes a part of what is inout), that
// counts.
void add_counters(search::TaskFacts& facts, const DeviceProfile& counted);

// A line for each problem: achieved bandwidth and rate, and what they are of the machine's. `candidate`: of the
// candidate's times, else the original's. "" where nothing is known.
std::string achieved(const search::TaskFacts& facts, const Measurement& measurement, bool candidate = true);

}  // namespace hone::tune
