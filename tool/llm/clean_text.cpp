#include "tool/llm/clean_text.h"

#include <string.h>

#include <utility>

#include <nlohmann/json.hpp>

namespace hone::llm {
namespace {
constexpr std::size_t shortest_secret = 12;
}

std::string valid_utf8(std::string_view text) {
  using nlohmann::json;
  // The writer repairs what the reader then takes.
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

std::string one_line(std::string_view text, std::size_t limit) {
  // Far more than is kept need not be repaired.
  const std::string valid = valid_utf8(text.substr(0, 16 * limit));
  std::string line;
  bool blank = false;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const auto byte = static_cast<unsigned char>(valid[i]);
    const bool c1 = byte == 0xc2 && i + 1 < valid.size() && static_cast<unsigned char>(valid[i + 1]) < 0xa0;
    if (byte <= ' ' || byte == 0x7f || c1) {
      blank = !line.empty();
      i += c1;
      continue;
    }
    if (std::exchange(blank, false)) line += ' ';
    line += valid[i];
  }
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
