// Anthropic's /v1/messages.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "tool/llm/provider_protocol.h"

namespace hone::llm {
namespace {
using nlohmann::json;

std::vector<os::HttpHeader> anthropic_headers(const std::string& key) {
  std::vector<os::HttpHeader> headers{{"anthropic-version", "2023-06-01"}};
  if (!key.empty()) headers.push_back({"x-api-key", key, true});
  return headers;
}

json text_block(std::string_view text, bool kept) {
  json block{{"type", "text"}, {"text", text}};
  if (kept) block["cache_control"] = {{"type", "ephemeral"}};
  return block;
}

// Whatever stands in front of a mark is kept by the provider for some minutes and costs a tenth when it comes again.
// Texts of less than a thousand tokens are never kept.
json content_of(const Message& message, bool caches) {
  constexpr std::size_t least = 2048;  // bytes: system messages count in front of it
  const std::size_t stable = std::min(message.stable, message.text.size());
  if (!caches || stable < least) return message.text;
  const std::string_view text = message.text;
  json blocks = json::array({text_block(text.substr(0, stable), true)});
  if (stable < text.size()) blocks.push_back(text_block(text.substr(stable), false));
  return blocks;
}

void put_thinking(json& body, const ModelSettings& model) {
  if (model.thinking == ModelSettings::adaptive_thinking)
    body["thinking"] = {{"type", "adaptive"}};
  else if (model.thinking > 0)
    body["thinking"] = {{"type", "enabled"}, {"budget_tokens", model.thinking}};
  if (!model.effort.empty()) body["output_config"]["effort"] = model.effort;
}

void put_messages(json& body, const ModelSettings& model, const Prompt& prompt) {
  std::string system;
  json messages = json::array();
  for (const Message& message : prompt.messages) {
    if (message.role == Role::system) {
      system += (system.empty() ? "" : "\n\n") + message.text;
    } else {
      messages.push_back({{"role", name_of(message.role)}, {"content", content_of(message, model.cache)}});
    }
  }
  if (messages.empty()) {
    messages.push_back({{"role", "user"}, {"content", system}});
  } else if (!system.empty()) {
    body["system"] = content_of({Role::system, system, system.size()}, model.cache);
  }
  body["messages"] = std::move(messages);
}

json anthropic_request(const ModelSettings& model, const Prompt& prompt) {
  json body = with_extra(model);
  body["model"] = model.model;
  body["stream"] = false;
  body["max_tokens"] = prompt.max_tokens.value_or(model.max_tokens);
  const auto temperature = prompt.temperature ? prompt.temperature : model.temperature;
  if (temperature && model.thinking == 0) body["temperature"] = std::min(*temperature, 1.0);  // the most there is
  put_thinking(body, model);
  put_messages(body, model, prompt);
  return body;
}

// Tokens read from or put into the provider's cache are counted apart; the sum is what was sent.
void read_usage(const json& usage, Answer& answer) {
  answer.cache_writes = count_member(usage, "cache_creation_input_tokens").value_or(0);
  answer.cached_tokens = count_member(usage, "cache_read_input_tokens").value_or(0);
  if (const auto tokens = count_member(usage, "input_tokens"))
    answer.input_tokens = *tokens + answer.cache_writes + answer.cached_tokens;
  answer.output_tokens = count_member(usage, "output_tokens");
}

Answer read_anthropic(const json& body) {
  Answer answer;
  answer.model = text_member(body, "model");
  if (const json* usage = member(body, "usage")) read_usage(*usage, answer);
  const std::string reason = text_member(body, "stop_reason");
  answer.truncated = reason == "max_tokens" || reason == "model_context_window_exceeded";
  answer.text = text_of(member(body, "content"));
  answer.declined = reason == "refusal";
  answer.problem = answer.declined ? "the model declined" : "its \"content\" holds no text";
  return answer;
}

}  // namespace

const ProviderProtocol anthropic_protocol{"/messages", anthropic_headers, anthropic_request, read_anthropic};

}  // namespace hone::llm
