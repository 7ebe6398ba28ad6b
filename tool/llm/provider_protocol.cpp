#include "tool/llm/provider_protocol.h"

#include <nlohmann/json.hpp>

namespace hone::llm {
using nlohmann::json;

const ProviderProtocol& protocol_of(const ModelSettings& model) {
  if (model.provider == Provider::anthropic) return anthropic_protocol;
  return model.api == Api::responses ? responses_protocol : openai_protocol;
}

os::Url address(os::Url endpoint, const ProviderProtocol& protocol) {
  const std::string_view path = protocol.path;
  if (endpoint.path.ends_with(path)) return endpoint;
  while (endpoint.path.ends_with('/')) endpoint.path.pop_back();
  if (endpoint.path.empty()) endpoint.path = "/v1";
  endpoint.path += path;
  return endpoint;
}

const json* member(const json& value, const char* name) {
  if (!value.is_object()) return nullptr;
  const auto found = value.find(name);
  return found == value.end() ? nullptr : &*found;
}

std::string text_member(const json& value, const char* name) {
  const json* found = member(value, name);
  return found && found->is_string() ? found->get<std::string>() : "";
}

std::optional<std::uint64_t> count_member(const json& value, const char* name) {
  constexpr std::uint64_t most = 1'000'000'000;  // more tokens than any model takes: sums cannot overflow
  const json* found = member(value, name);
  if (!found || !found->is_number_unsigned() || found->get<std::uint64_t>() > most) return std::nullopt;
  return found->get<std::uint64_t>();
}

json with_extra(const ModelSettings& model) {
  json body = model.extra.empty() ? json::object() : json::parse(model.extra);
  for (auto member = body.begin(); member != body.end();)
    member = member->is_null() ? body.erase(member) : std::next(member);
  return body;
}

const char* name_of(Role role) {
  return role == Role::system ? "system" : role == Role::user ? "user" : "assistant";
}

std::vector<os::HttpHeader> bearer_header(const std::string& key) {
  if (key.empty()) return {};
  return {{"Authorization", "Bearer " + key, true}};
}

std::string text_of(const json* content) {
  if (!content) return {};
  if (content->is_string()) return content->get<std::string>();
  std::string text;
  if (!content->is_array()) return text;
  for (const json& part : *content) {
    const std::string type = text_member(part, "type");
    if (type == "text" || type == "output_text") text += text_member(part, "text");
  }
  return text;
}

}  // namespace hone::llm
