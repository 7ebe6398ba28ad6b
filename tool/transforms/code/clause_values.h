// What an annotation's clauses say in numbers, read back from the harness that the kernel's unit carries: there they
// stand as the user wrote them. Only what is a plain number is found; everything else is nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// How many elements a pointer has, if the clause says so in numbers alone ("256", "16 * 16").
std::optional<long long> constant_extent(const KernelSpec& spec, const Parameter& parameter);

// The same as an expression of what the clause mentions ("(channels) * (bins)"); nullopt: there are elements in front
// of the first one, or gaps between them.
std::optional<std::string> extent_text(const KernelSpec& spec, const Parameter& parameter);

// The value that a problem, numbered from 0, gives to a scalar parameter.
std::optional<long long> problem_value(const KernelSpec& spec, unsigned problem, const std::string& parameter);

// The values that the problems give to a scalar parameter, each once, in order.
std::vector<long long> problem_values(const KernelSpec& spec, const std::string& parameter);

const Parameter* find_parameter(const KernelSpec& spec, const std::string& name);

}  // namespace hone::frontend
