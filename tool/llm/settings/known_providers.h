// What is known of providers by name: what their servers call things, and which models think before they answer.
//
// These are defaults. hone.json says otherwise for any of them, and what a server refuses is learned from its answer
// (request_parameters.h).
#pragma once

#include <string>
#include <string_view>

#include "tool/llm/settings/model_settings.h"
#include "tool/os/http/url.h"

namespace hone::llm {

struct ServerHabits {
  ParameterNames parameters;  // other names than the protocol's, or none
  std::string key_header;     // "": the protocol's own
};

ServerHabits habits_of(const os::Url& endpoint, Provider provider);

// Does this model think before it answers, unless it is told not to? By its name, "vendor/" in front or not.
bool is_known_to_think(std::string_view model);

}  // namespace hone::llm
