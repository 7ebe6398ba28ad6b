// Keys: from the environment into requests, and nowhere else.
#pragma once

#include <string>

#include "tool/base/result.h"
#include "tool/llm/settings/model_settings.h"

namespace hone::llm {

// The key of a model, blanks around it cut; "" where it needs none. Error: the variable is not set although it is
// required, or what it holds cannot stand in a header. Never quotes the key.
Result<std::string> read_key(const ModelSettings& model, const Environment& environment);

// What a variable holds, blanks around it cut; "" where it is not set. Error: it cannot stand in a header.
Result<std::string> read_variable(const std::string& name, const Environment& environment);

// `environment` without the variables that hold the keys of these models, and without HONE_API_KEY.
Environment without_keys(Environment environment, const Settings& settings);

// From now on a core dump of this process (and of what it starts) holds no memory. As good as the system allows.
void keep_memory_out_of_core_dumps();

}  // namespace hone::llm
