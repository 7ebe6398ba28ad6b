#include "tool/command/make_rule.h"

namespace hone {

bool is_make_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t make_word_end(std::string_view text, std::size_t at) {
  for (; at < text.size() && !is_make_blank(text[at]); ++at)
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n' && text[at + 1] != '\r') ++at;
  return at;
}

std::string make_path(std::string_view word) {
  std::string path;
  for (std::size_t at = 0; at < word.size(); ++at) {
    const bool pair = at + 1 < word.size();
    const bool escape =
        pair && word[at] == '\\' && (word[at + 1] == ' ' || word[at + 1] == '#' || word[at + 1] == '\\');
    const bool dollar = pair && word[at] == '$' && word[at + 1] == '$';
    path += word[escape || dollar ? ++at : at];
  }
  return path;
}

std::vector<std::string> make_prerequisites(std::string_view text) {
  std::vector<std::string> paths;
  bool behind_colon = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n' && behind_colon) break;
    if (is_make_blank(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = make_word_end(text, at);
    const std::string_view word = text.substr(at, end - at);
    at = end;
    if (word == "\\") {
      while (at < text.size() && text[at] != '\n') ++at;
      at += at < text.size();
    } else if (behind_colon) {
      paths.push_back(make_path(word));
    }
    behind_colon = behind_colon || word.back() == ':';
  }
  return paths;
}

}  // namespace hone
