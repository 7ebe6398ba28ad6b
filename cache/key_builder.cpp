#include "cache/key_builder.h"

#include <cstdint>

namespace hone::cache {
namespace {

// Eight bytes, little end first, on every machine.
void append_prefixed(std::string& to, std::string_view text) {
  for (std::uint64_t rest = text.size(), i = 0; i < 8; ++i, rest >>= 8) to += static_cast<char>(rest & 0xff);
  to += text;
}

}  // namespace

void KeyBuilder::add(std::string_view name, std::string_view value) {
  append_prefixed(hashed_, name);
  append_prefixed(hashed_, value);
  dump_.append(name).append(":");
  if (value.find('\n') == std::string_view::npos) {
    dump_.append(value.empty() ? "" : " ").append(value).append("\n");
    return;
  }
  if (value.back() == '\n') value.remove_suffix(1);
  dump_ += "\n  ";
  for (const char c : value) {
    dump_ += c;
    if (c == '\n') dump_ += "  ";
  }
  dump_ += '\n';
}

Digest KeyBuilder::key() const {
  return sha256(hashed_);
}
const std::string& KeyBuilder::dump() const {
  return dump_;
}

}  // namespace hone::cache
