// A KernelSpec without its source, as JSON: the part of a bundle's header that describes the kernel's data.
// read_spec throws nlohmann exceptions on a wrong shape and std::range_error on wrong values; parse_bundle catches
// both.
#pragma once

#include <nlohmann/json.hpp>

#include "tool/model/kernel_spec.h"

namespace hone::bundle {

nlohmann::json write_spec(const KernelSpec& spec);
KernelSpec read_spec(const nlohmann::json& json);

}  // namespace hone::bundle
