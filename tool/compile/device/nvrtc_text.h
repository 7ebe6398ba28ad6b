// A unit's text for NVRTC: what it has for the device, without the harness. Pure.
#pragma once

#include <string>
#include <string_view>

#include "tool/compile/unit/frozen_unit.h"

namespace hone::compile {

// As text_to_compile(), without the harness. What the unit includes first stands in front of all line directives, and
// is closed by a mark: only so does NVRTC take it from precompiled headers. Diagnostics in a candidate name "candidate"
// and its own lines; in those headers' lines nobody reads them.
//
// NVRTC marks what stands in unnamed namespaces by the text's first function that others could call, and else by
// chance. `mark`: of nvcc's compile, "" where that marked nothing (HostHalf::mark()); NVRTC's gets its length.
std::string device_text(const FrozenUnit& unit, const std::string& source, std::string_view mark = {});

// Whether there is something to be precompiled.
bool includes_first(const FrozenUnit& unit);

}  // namespace hone::compile
