#include "tool/base/printable.h"

#include <fmt/format.h>

namespace hone {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: no UTF-8
};

// RFC 3629: shortest form, no surrogates, at most U+10FFFF.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  char32_t code = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes};
}

bool is_hidden(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

// ECMA-48 5.4: ESC [, parameters, intermediates, one final byte. 0: there is none.
std::size_t control_sequence(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  std::size_t at = 2;
  while (at < text.size() && text[at] >= 0x20 && text[at] < 0x40) ++at;
  return at < text.size() && text[at] >= 0x40 && text[at] < 0x7f ? at + 1 : 0;
}

std::string clean(std::string_view text, bool lines) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    if (const std::size_t sequence = control_sequence(text)) {
      text.remove_prefix(sequence);
      continue;
    }
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes == 0 ? 1 : character.bytes);
    text.remove_prefix(bytes.size());
    if (character.bytes == 1 && (character.code == '\n' || character.code == '\t'))
      shown += lines ? bytes.front() : ' ';
    else if (character.bytes == 0)
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes.front()));
    else if (is_hidden(character.code))
      shown += character.code < 0x100 ? fmt::format("\\x{:02x}", static_cast<unsigned>(character.code))
                                      : fmt::format("\\u{:04x}", static_cast<unsigned>(character.code));
    else
      shown += bytes;
  }
  return shown;
}

}  // namespace

std::string printable(std::string_view text) {
  return clean(text, true);
}

std::string printable_line(std::string_view text) {
  return clean(text, false);
}

}  // namespace hone
