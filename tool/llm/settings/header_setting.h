// A header as hone.json gives it: a text, or one that ends in the name of a variable that holds a key.
//
//   "api-key": "$AZURE_KEY"      "Authorization": "Bearer $MY_TOKEN"      "anthropic-beta": "…"
//
// A key never stands in the file itself: what only keys go into has to name a variable, and the variable's name has to
// tell every part of Hone to keep it from its children (os::is_secret).
#pragma once

#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/llm/settings/model_settings.h"
#include "tool/os/http/http_transport.h"

namespace hone::llm {

// Error: `what` is what the value has to be, behind "such that NAME is".
Result<HeaderSetting> header_setting(const std::string& name, const std::string& value);

// The headers as they are sent; those with keys are secret. Error: a variable is not set, or cannot stand in a header.
Result<std::vector<os::HttpHeader>> read_headers(const ModelSettings& model, const Environment& environment);

}  // namespace hone::llm
