#include "tool/apply/depfile_text.h"

#include <algorithm>
#include <cstddef>

#include "tool/command/make_rule.h"

namespace hone::apply {
namespace {

bool is_continuation(std::string_view word) {
  return word == "\\";
}

// Is it absent as a prerequisite, or as the target of an empty rule?
bool is_absent(std::string_view word, const std::vector<std::string>& absent) {
  std::string path = make_path(word);
  if (path.ends_with(':')) path.pop_back();
  return std::find(absent.begin(), absent.end(), path) != absent.end();
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
    if (is_make_blank(text[at])) {
      changed += text[at++];
      continue;
    }
    std::size_t end = make_word_end(text, at);
    std::string_view word = text.substr(at, end - at);
    at = end;
    if (is_absent(word, change.absent)) continue;
    bool names_shadow = !change.shadow.empty() && make_path(word) == change.shadow;
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

}  // namespace hone::apply
