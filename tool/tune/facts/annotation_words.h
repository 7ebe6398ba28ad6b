// An annotation as a person would explain it: for each parameter its role, its extent, how its data are drawn, and how
// close the results must come.
//
// The figures are those of evaluate's comparison.h and input_data.h. Pure; holds no path.
#pragma once

#include <string>
#include <vector>

#include "tool/model/kernel_spec.h"

namespace hone::tune {

// A line for each parameter, "- …", and a last one for the order of the problems' weights where there are several.
std::string annotation_in_words(const KernelSpec& spec);

// The problems that the annotation has, each with values as it writes them, in the key's order: "h=2 * n w=1920".
std::vector<std::string> problems_in_words(const KernelSpec& spec);

// "y: |got - expected| <= 1e-05 * max(|expected|, rms of all expected)"; one sentence for each output that differs.
std::string tolerance_in_words(const KernelSpec& spec);

// The annotation in its canonical spelling, as the key has it; "" where there is none.
std::string canonical_annotation(const KernelSpec& spec);

}  // namespace hone::tune
