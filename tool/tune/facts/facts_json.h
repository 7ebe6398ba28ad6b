// What a search's prompts say of kernel and machine, as JSON: a recording carries it, so that a replay on another
// machine asks the same questions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tool/search/brief.h"

namespace hone::tune {

nlohmann::json facts_json(const search::TaskFacts& facts);
// Throws a std::exception where a member has another type or is no whole number; absent members have their defaults.
search::TaskFacts facts_from(const nlohmann::json& from);

}  // namespace hone::tune
