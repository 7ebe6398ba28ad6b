#include "tool/llm/settings/known_providers.h"

#include <algorithm>
#include <cctype>

namespace hone::llm {
namespace {

bool is_at(const os::Url& url, std::string_view domain) {
  return url.host == domain || url.host.ends_with("." + std::string(domain));
}

constexpr std::string_view azure_domains[] = {"openai.azure.com", "cognitiveservices.azure.com",
                                              "services.ai.azure.com"};

constexpr std::string_view thinking_names[] = {"o1",       "o3",        "o4",      "gpt-5",     "gpt-6",
                                               "gpt-oss",  "qwq",       "grok-4",  "magistral", "gemini-2.5",
                                               "gemini-3", "minimax-m", "glm-4.5", "glm-4.6",   "kimi-k2-thinking"};
constexpr std::string_view thinking_words[] = {"thinking", "reason", "-r1"};

}  // namespace

ServerHabits habits_of(const os::Url& endpoint, Provider provider) {
  if (provider != Provider::openai) return {};
  const ParameterNames newer_limit{{"max_tokens", "max_completion_tokens"}};
  if (is_at(endpoint, "api.openai.com")) return {newer_limit, ""};
  if (std::ranges::any_of(azure_domains, [&](std::string_view domain) { return is_at(endpoint, domain); }))
    return {newer_limit, "api-key"};
  if (is_at(endpoint, "api.mistral.ai")) return {{{"seed", "random_seed"}}, ""};
  if (is_at(endpoint, "generativelanguage.googleapis.com") || is_at(endpoint, "api.anthropic.com"))
    return {{{"seed", std::nullopt}}, ""};
  return {};
}

bool is_known_to_think(std::string_view model) {
  std::string name(model.substr(model.rfind('/') + 1));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::any_of(thinking_names, [&](std::string_view start) { return name.starts_with(start); }) ||
         std::ranges::any_of(thinking_words, [&](std::string_view word) { return name.find(word) != name.npos; });
}

}  // namespace hone::llm
