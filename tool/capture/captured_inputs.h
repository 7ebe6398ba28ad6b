// A capture's inputs as what the judge takes (bundle/given.h): the arguments of whole calls.
//
// What does not fit the kernel any more (another type, another parameter) is left out, and so is what is damaged.
// Problems take turns, so that the cap on their bytes leaves something of each. Reads the folder; changes nothing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tool/bundle/given.h"
#include "tool/model/kernel_spec.h"

namespace hone::capture {

inline constexpr std::size_t most_inputs_judged = 12;
inline constexpr std::size_t most_bytes_judged = std::size_t{48} << 20;

std::vector<bundle::Given> captured_inputs(const std::filesystem::path& folder, const std::string& kernel,
                                           const KernelData& data);

}  // namespace hone::capture
