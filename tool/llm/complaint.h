// What a server's refusal says of one parameter of the request, and what would do instead.
//
// Reads OpenAI's `param` and `code`, and the sentences of Anthropic, Azure, vLLM, LiteLLM and their like. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace hone::llm {

struct Correction {
  std::string parameter;              // as it was sent
  std::optional<std::string> rename;  // it goes by another name
  std::optional<std::uint64_t> most;  // the value was too large
  // neither: it is to be left out
};

// nullopt: the refusal names no parameter of `sent` that could be missing.
std::optional<Correction> correction_for(const nlohmann::json& sent, const nlohmann::json& answer,
                                         std::string_view complaint);

}  // namespace hone::llm
