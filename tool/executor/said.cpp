#include "tool/executor/said.h"

#include "tool/base/printable.h"

namespace hone::executor {

std::string last_words(std::string_view text) {
  constexpr std::size_t most = 600;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return printable(text.size() <= most ? text : text.substr(text.size() - most));
}

std::string in_one_line(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace hone::executor
