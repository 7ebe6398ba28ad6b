#include "tool/llm/settings/clean_text.h"

#include <string.h>

#include <nlohmann/json.hpp>

#include "tool/base/printable.h"

namespace hone::llm {
namespace {
constexpr std::size_t shortest_secret = 12;  // shorter values may be words, which a message needs
}

std::string valid_utf8(std::string_view text) {
  using nlohmann::json;
  // The writer repairs what the reader then takes.
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

std::string one_line(std::string_view text, std::size_t limit) {
  // Far more than is kept need not be cleaned.
  std::string line;
  for (const char c : printable_line(text.substr(0, 16 * limit))) {
    const bool blank = c == ' ';
    if (!blank || (!line.empty() && line.back() != ' ')) line += c;
  }
  if (line.ends_with(' ')) line.pop_back();
  if (line.size() <= limit) return line;
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
  return line.substr(0, end) + "…";
}

Scrubber::Scrubber(std::vector<std::string> secrets) {
  for (std::string& secret : secrets) {
    if (secret.size() >= shortest_secret) secrets_.push_back(secret);
    ::explicit_bzero(secret.data(), secret.size());
  }
}

Scrubber::~Scrubber() {
  for (std::string& secret : secrets_) ::explicit_bzero(secret.data(), secret.size());
}

std::string Scrubber::operator()(std::string text) const {
  for (const std::string& secret : secrets_) {
    for (std::size_t at = 0; (at = text.find(secret, at)) != std::string::npos;)
      text.replace(at, secret.size(), "[key]");
  }
  return text;
}

}  // namespace hone::llm
