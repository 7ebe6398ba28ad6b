#include "tool/tune/depfile_text.h"

#include <cstddef>

namespace hone::tune {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Where the word at `at` ends: at a blank that no backslash protects.
std::size_t word_end(std::string_view text, std::size_t at) {
  for (; at < text.size() && !is_space(text[at]); ++at)
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n' && text[at + 1] != '\r') ++at;
  return at;
}

bool is_continuation(std::string_view word) {
  return word == "\\";
}

std::string unescaped(std::string_view word) {
  std::string path;
  for (std::size_t at = 0; at < word.size(); ++at) {
    bool pair = at + 1 < word.size();
    bool escape = pair && word[at] == '\\' && (word[at + 1] == ' ' || word[at + 1] == '#' || word[at + 1] == '\\');
    bool dollar = pair && word[at] == '$' && word[at + 1] == '$';
    path += word[escape || dollar ? ++at : at];
  }
  return path;
}

// The first rule's colon is behind us, and a prerequisite starts here.
struct Insertion {
  bool colon_seen = false;
  bool done = false;
};

std::string joined(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) text += " \\\n " + depfile_name(path);
  return text;
}

}  // namespace

std::string depfile_name(std::string_view path) {
  std::string name;
  for (std::size_t at = 0; at < path.size(); ++at) {
    if (path[at] == ' ' || path[at] == '#') name += '\\';
    if (path[at] == '$') name += '$';
    name += path[at];
  }
  return name;
}

std::string changed_depfile(std::string_view text, const DepfileChange& change) {
  std::string changed;
  Insertion insertion;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      changed += text[at++];
      continue;
    }
    std::size_t end = word_end(text, at);
    std::string_view word = text.substr(at, end - at);
    at = end;
    bool names_shadow = !change.shadow.empty() && unescaped(word) == change.shadow;
    changed += names_shadow ? depfile_name(change.original) : std::string(word);
    if (insertion.colon_seen && !insertion.done && !is_continuation(word)) {
      changed += joined(change.further);  // right behind the main source
      insertion.done = true;
    }
    if (word.back() == ':') insertion.colon_seen = true;
  }
  if (change.phony && insertion.done)
    for (const std::string& path : change.further) changed += depfile_name(path) + ":\n";
  return changed;
}

}  // namespace hone::tune
