#include "tool/base/printable.h"

#include <fmt/format.h>

#include "tool/base/utf8.h"

namespace hone {
namespace {

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
    const Utf8Character character = first_character(text);
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
