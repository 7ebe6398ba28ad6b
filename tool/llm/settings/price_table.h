// Prices of models in a file of their own, so that nobody writes them down twice.
//
//   { "qwen3-coder": { "input": 3, "output": 15, "cached_input": 0.3, "cache_write": 3.75 } }      per million tokens
//
// The table that LiteLLM publishes is read, too: its members are prices of one token (`input_cost_per_token`). A model
// is found by its name, by its name behind "openai/" or "anthropic/", or by what stands behind its last slash.
#pragma once

#include <filesystem>

#include "tool/base/result.h"
#include "tool/llm/settings/model_settings.h"

namespace hone::llm {

// Error: the file cannot be read, is no table, or does not have the model.
Result<Price> price_in(const std::filesystem::path& table, const ModelSettings& model);

}  // namespace hone::llm
