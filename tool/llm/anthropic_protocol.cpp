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

json anthropic_request(const ModelSettings& model, const os::Url&, const Prompt& prompt) {
  json body = model.extra.empty() ? json::object() : json::parse(model.extra);
  body["model"] = model.model;
  body["stream"] = false;
  body["max_tokens"] = prompt.max_tokens.value_or(model.max_tokens);
  if (const auto temperature = prompt.temperature ? prompt.temperature : model.temperature)
    body["temperature"] = std::min(*temperature, 1.0);  // the most there is
  std::string system;
  json messages = json::array();
  for (const Message& message : prompt.messages) {
    if (message.role == Role::system) {
      system += (system.empty() ? "" : "\n\n") + message.text;
    } else {
      messages.push_back({{"role", message.role == Role::user ? "user" : "assistant"}, {"content", message.text}});
    }
  }
  if (messages.empty()) {
    messages.push_back({{"role", "user"}, {"content", system}});
  } else if (!system.empty()) {
    body["system"] = system;
  }
  body["messages"] = std::move(messages);
  return body;
}

std::optional<std::uint64_t> input_tokens(const json& usage) {
  auto tokens = count_member(usage, "input_tokens");
  // Tokens read from or put into the provider's cache are counted apart; the sum is what was sent.
  for (const char* cached : {"cache_creation_input_tokens", "cache_read_input_tokens"}) {
    if (tokens) *tokens += count_member(usage, cached).value_or(0);
  }
  return tokens;
}

Answer read_anthropic(const json& body) {
  Answer answer;
  answer.model = text_member(body, "model");
  if (const json* usage = member(body, "usage")) {
    answer.input_tokens = input_tokens(*usage);
    answer.output_tokens = count_member(*usage, "output_tokens");
  }
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
