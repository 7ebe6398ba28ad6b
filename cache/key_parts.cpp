#include "cache/key_parts.h"

#include <nlohmann/json.hpp>

#include "cache/key_builder.h"

namespace hone::cache {
namespace {

using PartsJson = nlohmann::json;

constexpr std::size_t most_bytes = std::size_t{256} << 10;

}  // namespace

Digest key_of(const KeyParts& parts) {
  KeyBuilder key;
  for (const auto& [name, value] : parts) key.add(name, value);
  return key.key();
}

std::optional<std::string> key_parts_text(const KeyParts& parts) {
  std::string text = "{ \"key\": \"" + key_of(parts) + "\", \"parts\": [";
  for (const auto& [name, value] : parts) {
    text += text.ends_with('[') ? "\n" : ",\n";
    text += PartsJson{name, value}.dump(-1, ' ', false, PartsJson::error_handler_t::replace);
  }
  text += "\n] }\n";
  return text.size() <= most_bytes && read_key_parts(text, key_of(parts)) ? std::optional(std::move(text))
                                                                          : std::nullopt;
}

std::optional<KeyParts> read_key_parts(std::string_view text, const Digest& key) {
  const PartsJson blob = text.size() <= most_bytes ? PartsJson::parse(text, nullptr, false) : PartsJson();
  const auto list = blob.is_object() ? blob.find("parts") : blob.end();
  if (!blob.is_object() || list == blob.end() || !list->is_array()) return std::nullopt;
  KeyParts parts;
  for (const PartsJson& part : *list) {
    if (!part.is_array() || part.size() != 2 || !part[0].is_string() || !part[1].is_string()) return std::nullopt;
    parts.emplace_back(part[0].get<std::string>(), part[1].get<std::string>());
  }
  return key_of(parts) == key ? std::optional(std::move(parts)) : std::nullopt;
}

}  // namespace hone::cache
