#include "tool/tune/reduction/comment.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "tool/frontend/parse/statement_ranges.h"

namespace hone::tune {
namespace {

constexpr std::size_t most_lines = 3, fewest_columns = 40, most_columns = 100;
constexpr std::string_view opening = "Faster: ", cut_short = " ...";

// Letters that models like, in ASCII.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> spelled{{{"\u00d7", "x"},
                                                                                 {"\u2013", "-"},
                                                                                 {"\u2014", "-"},
                                                                                 {"\u2192", "->"},
                                                                                 {"\u2264", "<="},
                                                                                 {"\u2265", ">="},
                                                                                 {"\u2248", "~"},
                                                                                 {"\u2018", "'"},
                                                                                 {"\u2019", "'"},
                                                                                 {"\u201c", "\""},
                                                                                 {"\u201d", "\""},
                                                                                 {"\u00b5", "u"}}};

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

// What begins at `at` in printable ASCII; `at` moves behind it.
std::string_view in_ascii(std::string_view text, std::size_t& at) {
  for (const auto& [letter, words] : spelled)
    if (text.substr(at).starts_with(letter)) {
      at += letter.size();
      return words;
    }
  const char byte = text[at++];
  if (byte >= ' ' && byte <= '~') return text.substr(at - 1, 1);
  if (static_cast<unsigned char>(byte) < 0x80) return " ";  // a control character
  while (at < text.size() && continues(text[at])) ++at;
  return "_";
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
    text.replace(at, what.size(), with);
}

// Words of a comment: no end of one, no start of another, no line that goes on, no trigraph.
std::vector<std::string> safe_words(std::string_view text) {
  std::string ascii;
  for (std::size_t at = 0; at < text.size();) ascii += in_ascii(text, at);
  std::ranges::replace(ascii, '\\', '/');
  replace_all(ascii, "*/", "* /");
  replace_all(ascii, "/*", "/ *");
  replace_all(ascii, "??", "?");
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = ascii.find_first_not_of(' ', at)) != std::string::npos;) {
    const std::size_t end = std::min(ascii.find(' ', at), ascii.size());
    words.push_back(ascii.substr(at, end - at));
    at = end;
  }
  return words;
}

std::vector<std::string> in_lines(const std::vector<std::string>& words, std::size_t width) {
  std::vector<std::string> lines{std::string(opening.substr(0, opening.size() - 1))};
  for (std::string word : words) {
    if (word.size() > width / 2) word.resize(width / 2);
    const bool last = lines.size() == most_lines;
    const std::size_t room = width - (last ? cut_short.size() : 0);
    if (lines.back().size() + 1 + word.size() <= room) {
      lines.back() += ' ' + word;
    } else if (!last) {
      lines.push_back(std::move(word));
    } else {
      lines.back() += cut_short;
      break;
    }
  }
  return lines;
}

}  // namespace

std::string explanation(const std::string& words, std::size_t columns, CommentStyle style) {
  const std::vector<std::string> safe = safe_words(words);
  if (safe.empty()) return "";
  const bool block = style == CommentStyle::block;
  const std::size_t marks = block ? std::string_view("/*  */").size() : std::string_view("// ").size();
  const std::size_t width = std::clamp(columns, fewest_columns, most_columns) - marks;
  std::string comment;
  for (const std::string& line : in_lines(safe, width)) comment += block ? "/* " + line + " */\n" : "// " + line + "\n";
  return comment;
}

std::string with_explanation(const std::string& source, const std::string& comment) {
  const auto body = comment.empty() ? std::nullopt : frontend::body_of_last_function(source);
  if (!body) return source;
  return source.substr(0, *body) + "\n" + comment + source.substr(source[*body] == '\n' ? *body + 1 : *body);
}

}  // namespace hone::tune
