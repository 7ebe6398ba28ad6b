#include "tool/llm/settings/header_setting.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "tool/diagnostics/coded_failure.h"
#include "tool/llm/settings/key.h"
#include "tool/os/process/environment.h"

namespace hone::llm {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_name(const std::string& name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; };
  return !name.empty() && name.size() <= 100 && std::ranges::all_of(name, fits);
}

bool is_ours(const std::string& name) {
  constexpr std::array<const char*, 7> names{"content-length",    "content-type", "host",  "connection",
                                             "transfer-encoding", "expect",       "accept"};
  return std::ranges::find(names, lower(name)) != names.end();
}

// Headers that nothing but a key is sent in.
bool holds_key(const std::string& name) {
  const std::string known = lower(name);
  for (const char* end : {"authorization", "cookie", "key", "token", "secret"})
    if (known.ends_with(end)) return true;
  return false;
}

tl::unexpected<Error> wrong(std::string expected) {
  return tl::unexpected(Error{std::move(expected), "", ""});
}

}  // namespace

Result<HeaderSetting> header_setting(const std::string& name, const std::string& value) {
  if (!is_name(name)) return wrong("the name of a header");
  if (is_ours(name)) return wrong("left out: Hone sends it");
  if (!std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; })) return wrong("of printable ASCII");
  const std::size_t dollar = value.find('$');
  HeaderSetting header{name, value.substr(0, dollar), dollar == value.npos ? "" : value.substr(dollar + 1)};
  if (dollar != value.npos && !os::is_secret(header.variable))
    return wrong("a text that ends in $ and a variable whose name ends in _KEY, _TOKEN or _SECRET");
  if (dollar == value.npos && holds_key(name)) return wrong("$ and the name of a variable: keys do not belong here");
  return header;
}

Result<std::vector<os::HttpHeader>> read_headers(const ModelSettings& model, const Environment& environment) {
  std::vector<os::HttpHeader> headers;
  for (const HeaderSetting& header : model.headers) {
    std::string value;
    if (!header.variable.empty()) {
      HONE_TRY(value, read_variable(header.variable, environment));
      if (value.empty())
        return coded_failure(DiagnosticCode::model_key, "the key is not set", header.variable, "export it");
    }
    headers.push_back({header.name, header.text + value, !header.variable.empty()});
  }
  return headers;
}

}  // namespace hone::llm
