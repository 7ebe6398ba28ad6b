// OpenAI's /v1/responses. What is sent is not kept there ("store": false).
#include <nlohmann/json.hpp>

#include "tool/llm/provider_protocol.h"

namespace hone::llm {
namespace {
using nlohmann::json;

json responses_request(const ModelSettings& model, const Prompt& prompt) {
  json body = with_extra(model);
  body["model"] = model.model;
  body["stream"] = false;
  body["store"] = false;
  body["input"] = json::array();
  for (const Message& message : prompt.messages)
    body["input"].push_back({{"role", name_of(message.role)}, {"content", message.text}});
  body["max_output_tokens"] = prompt.max_tokens.value_or(model.max_tokens);
  if (!model.effort.empty()) body["reasoning"]["effort"] = model.effort;
  if (const auto temperature = prompt.temperature ? prompt.temperature : model.temperature)
    body["temperature"] = *temperature;
  return body;
}

void read_responses_usage(const json& body, Answer& answer) {
  const json* usage = member(body, "usage");
  if (!usage) return;
  answer.input_tokens = count_member(*usage, "input_tokens");
  answer.output_tokens = count_member(*usage, "output_tokens");
  if (const json* details = member(*usage, "input_tokens_details"))
    answer.cached_tokens = count_member(*details, "cached_tokens").value_or(0);
}

// The text of all messages; what the model thought is in items of another kind.
void read_output(const json& output, Answer& answer, std::string& refusal) {
  for (const json& item : output) {
    if (text_member(item, "type") != "message") continue;
    const json* content = member(item, "content");
    answer.text += text_of(content);
    if (!content || !content->is_array()) continue;
    for (const json& part : *content)
      if (text_member(part, "type") == "refusal") refusal += text_member(part, "refusal");
  }
}

Answer read_responses(const json& body) {
  Answer answer;
  answer.model = text_member(body, "model");
  read_responses_usage(body, answer);
  const json* incomplete = member(body, "incomplete_details");
  const std::string reason = incomplete ? text_member(*incomplete, "reason") : "";
  answer.truncated = reason == "max_output_tokens";
  const json* output = member(body, "output");
  if (!output || !output->is_array()) return answer.problem = "it holds no \"output\"", answer;
  std::string refusal;
  read_output(*output, answer, refusal);
  answer.declined = answer.text.empty() && (!refusal.empty() || reason == "content_filter");
  answer.problem = !refusal.empty() ? refusal : "its \"output\" holds no text";
  return answer;
}

}  // namespace

const ProviderProtocol responses_protocol{"/responses", bearer_header, responses_request, read_responses};

}  // namespace hone::llm
