// What providers' HTTP interfaces have in common: where to ask, in what words, and how to understand the answer.
//
// Reading is tolerant of what is missing and strict about what is there: a field of the wrong type counts as absent,
// and an answer without text is a problem, not an empty reply. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tool/llm/client.h"
#include "tool/llm/settings/model_settings.h"
#include "tool/os/http/http_transport.h"
#include "tool/os/http/url.h"

namespace hone::llm {

// A provider's answer, as far as it was understood.
struct Answer {
  std::string text;     // "": see `problem`
  std::string problem;  // why there is no text
  std::string model;
  std::optional<std::uint64_t> input_tokens;  // all, cached or not
  std::optional<std::uint64_t> output_tokens;
  std::uint64_t cached_tokens = 0;  // of the input, read from the provider's cache
  std::uint64_t cache_writes = 0;   // of the input, put into it
  bool truncated = false;
  bool declined = false;
};

struct ProviderProtocol {
  const char* path;  // behind the endpoint's
  std::vector<os::HttpHeader> (*headers)(const std::string& key);
  nlohmann::json (*request)(const ModelSettings& model, const Prompt& prompt);
  Answer (*read)(const nlohmann::json& body);
};

extern const ProviderProtocol openai_protocol;     // chat completions
extern const ProviderProtocol responses_protocol;  // OpenAI's newer interface
extern const ProviderProtocol anthropic_protocol;

const ProviderProtocol& protocol_of(const ModelSettings& model);

// An endpoint as a user writes it is a base ("https://host", "http://localhost:8000/v1") or the whole address.
os::Url address(os::Url endpoint, const ProviderProtocol& protocol);

// Shared by the protocols: members of whatever type `value` is; absent when it has another.
const nlohmann::json* member(const nlohmann::json& value, const char* name);
std::string text_member(const nlohmann::json& value, const char* name);                    // "" when absent
std::optional<std::uint64_t> count_member(const nlohmann::json& value, const char* name);  // within reason

// A request that holds what the user adds to it; null there takes a member away, later.
nlohmann::json with_extra(const ModelSettings& model);

const char* name_of(Role role);
std::vector<os::HttpHeader> bearer_header(const std::string& key);  // none without a key

// A string, or the text parts of a list of parts; thinking is left out.
std::string text_of(const nlohmann::json* content);

}  // namespace hone::llm
