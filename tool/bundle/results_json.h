// What a worker found out beside its verdict, as members of the verdict's JSON object: rates, counts, profile.
// Reading throws nlohmann exceptions on a wrong shape and std::range_error on wrong values.
#pragma once

#include <nlohmann/json.hpp>

#include "tool/bundle/bundle.h"

namespace hone::bundle {

void write_results(nlohmann::json& json, const Answer& answer);
void read_results(const nlohmann::json& json, Answer& answer);

}  // namespace hone::bundle
