// OpenAI's /v1/chat/completions, as vLLM, llama.cpp, Ollama and many hosts speak it too.
#include <nlohmann/json.hpp>

#include "tool/llm/provider_protocol.h"

namespace hone::llm {
namespace {
using nlohmann::json;

json openai_request(const ModelSettings& model, const Prompt& prompt) {
  json body = with_extra(model);
  body["model"] = model.model;
  body["stream"] = false;
  body["messages"] = json::array();
  for (const Message& message : prompt.messages) {
    body["messages"].push_back({{"role", name_of(message.role)}, {"content", message.text}});
  }
  body["max_tokens"] = prompt.max_tokens.value_or(model.max_tokens);  // the name that most servers know
  if (!model.effort.empty()) body["reasoning_effort"] = model.effort;
  if (const auto temperature = prompt.temperature ? prompt.temperature : model.temperature)
    body["temperature"] = *temperature;
  if (prompt.seed) body["seed"] = *prompt.seed & 0x7fffffff;  // some servers keep it in 32 bits
  return body;
}

// A model's thinking stands in front of its answer if the server does not take it out.
std::string without_thinking(std::string text) {
  constexpr std::string_view open = "<think>", close = "</think>";
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos || text.compare(start, open.size(), open) != 0) return text;
  const std::size_t end = text.find(close, start);
  return end == std::string::npos ? text : text.substr(end + close.size());
}

Answer read_openai(const json& body) {
  Answer answer;
  answer.model = text_member(body, "model");
  if (const json* usage = member(body, "usage")) {
    answer.input_tokens = count_member(*usage, "prompt_tokens");
    answer.output_tokens = count_member(*usage, "completion_tokens");
    if (const json* details = member(*usage, "prompt_tokens_details"))
      answer.cached_tokens = count_member(*details, "cached_tokens").value_or(0);
  }
  const json* choices = member(body, "choices");
  if (!choices || !choices->is_array()) return answer.problem = "it holds no \"choices\"", answer;
  if (choices->empty()) return answer.problem = "its \"choices\" are empty", answer;
  const json& choice = choices->front();
  const std::string reason = text_member(choice, "finish_reason");
  answer.truncated = reason == "length";
  const json* message = member(choice, "message");
  if (!message) return answer.problem = "its choice holds no \"message\"", answer;
  answer.text = without_thinking(text_of(member(*message, "content")));
  const std::string refusal = text_member(*message, "refusal");
  answer.declined = answer.text.empty() && (!refusal.empty() || reason == "content_filter");
  answer.problem = !refusal.empty() ? refusal : "its message holds no text";
  return answer;
}

}  // namespace

const ProviderProtocol openai_protocol{"/chat/completions", bearer_header, openai_request, read_openai};

}  // namespace hone::llm
