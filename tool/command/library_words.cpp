#include "tool/command/library_words.h"

#include <string_view>

namespace hone {
namespace {

bool ends_before_link(std::string_view word) {
  return word == "-c" || word == "-E" || word == "-S" || word == "-fsyntax-only" || word == "-M" || word == "-MM";
}

}  // namespace

bool is_shared_object(const std::string& path) {
  const std::size_t slash = path.rfind('/'), from = slash == path.npos ? 0 : slash;
  const std::size_t at = path.find(".so", from);
  return at != path.npos && (at + 3 == path.size() || path[at + 3] == '.');
}

std::vector<std::string> library_words(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (ends_before_link(word)) return {};
    if (word == "-o") {
      ++i;
    } else if ((word == "-L" || word == "-l") && i + 1 < arguments.size()) {
      words.push_back(word + arguments[++i]);
    } else if (word.size() > 2 && (word.compare(0, 2, "-L") == 0 || word.compare(0, 2, "-l") == 0)) {
      words.push_back(word);
    } else if (!word.empty() && word[0] != '-' && is_shared_object(word)) {
      words.push_back(word);
    }
  }
  return words;
}

}  // namespace hone
