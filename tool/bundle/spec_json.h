// What a worker is told of a kernel, as JSON: one object with the members of both parts by name.
// Reading throws nlohmann exceptions on a wrong shape and std::range_error on wrong values; parse_bundle catches both.
#pragma once

#include <nlohmann/json.hpp>

#include "tool/model/kernel_spec.h"

namespace hone::bundle {

nlohmann::json write_spec(const KernelIdentity& kernel, const KernelData& data);
KernelIdentity read_identity(const nlohmann::json& json);
KernelData read_data(const nlohmann::json& json);

}  // namespace hone::bundle
