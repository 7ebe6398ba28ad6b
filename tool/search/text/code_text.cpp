#include "tool/search/text/code_text.h"

#include <algorithm>

namespace hone::search {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool is_name(char c) {
  return is_name_start(c) || is_digit(c);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<CodeToken> run() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    const char c = peek();
    if (c == '\n') return newline();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0') return void(++at_);
    if (c == '\\' && peek(1) == '\n') return void(at_ += 2);
    if (c == '/' && peek(1) == '/') return void(at_ = std::min(text_.find('\n', at_), text_.size()));
    if (c == '/' && peek(1) == '*') return comment();
    if (c == '#' && line_start_) directive_ = true;
    line_start_ = false;
    if (is_name_start(c)) return name();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '"' || c == '\'') return quoted(at_, c);
    add(CodeTokenKind::punctuation, at_, at_ + 1);
  }

  void newline() {
    ++at_;
    line_start_ = true;
    directive_ = false;
  }

  void comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
  }

  void add(CodeTokenKind kind, std::size_t begin, std::size_t end) {
    tokens_.push_back({kind, begin, end, directive_});
    at_ = end;
  }

  void name() {
    std::size_t end = at_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (end < text_.size() && text_[end] == '"' && word.ends_with('R') && is_encoding(word.substr(0, word.size() - 1)))
      return raw(end);
    if (end < text_.size() && (text_[end] == '"' || text_[end] == '\'') && is_encoding(word) && !word.empty()) {
      at_ = end;
      return quoted(end - word.size(), text_[end]);
    }
    add(CodeTokenKind::identifier, at_, end);
  }

  static bool is_encoding(std::string_view word) {
    return word.empty() || word == "u8" || word == "u" || word == "U" || word == "L";
  }

  // Reads a number: 0x1p-3, 1'000, 1e+9f.
  void number() {
    std::size_t end = at_;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool sign = (c == '+' || c == '-') && end > at_ &&
                        std::string_view("eEpP").find(text_[end - 1]) != std::string_view::npos &&
                        !(text_[end - 1] != 'p' && text_[end - 1] != 'P' && text_.substr(at_, 2) == "0x");
      const bool separator = c == '\'' && end + 1 < text_.size() && is_name(text_[end + 1]);
      if (!is_name(c) && c != '.' && !sign && !separator) break;
      ++end;
    }
    add(CodeTokenKind::number, at_, end);
  }

  // An ordinary literal ends with its line at the latest: an apostrophe in prose takes no code with it.
  void quoted(std::size_t begin, char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    end = std::min(end, text_.size());
    if (end < text_.size() && text_[end] == quote) ++end;
    add(CodeTokenKind::literal, begin, end);
  }

  void raw(std::size_t quote) {
    const std::size_t open = text_.find('(', quote);
    if (open == std::string_view::npos || open - quote > 17) return add(CodeTokenKind::identifier, at_, quote);
    const std::string end = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t close = text_.find(end, open);
    add(CodeTokenKind::literal, at_, close == std::string_view::npos ? text_.size() : close + end.size());
  }

  std::string_view text_;
  std::vector<CodeToken> tokens_;
  std::size_t at_ = 0;
  bool line_start_ = true;
  bool directive_ = false;
};

char partner(char open) {
  return open == '(' ? ')' : open == '[' ? ']' : '}';
}

bool is_any(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

CodeText::CodeText(std::string_view text) : text_(text), tokens_(Lexer(text).run()) {}

std::string_view CodeText::spelling(std::size_t token) const {
  return text_.substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
}

bool CodeText::is(std::size_t token, std::string_view spelling) const {
  return token < tokens_.size() && this->spelling(token) == spelling;
}

bool CodeText::balanced() const {
  std::string open;
  for (const CodeToken& token : tokens_) {
    if (token.kind != CodeTokenKind::punctuation || token.directive) continue;
    const char c = text_[token.begin];
    if (c == '(' || c == '[' || c == '{') open += partner(c);
    if (c != ')' && c != ']' && c != '}') continue;
    if (open.empty() || open.back() != c) return false;
    open.pop_back();
  }
  return open.empty();
}

std::size_t CodeText::closing(std::size_t token) const {
  const char open = text_[tokens_[token].begin];
  int depth = 0;
  for (std::size_t i = token; i < tokens_.size(); ++i) {
    if (tokens_[i].kind != CodeTokenKind::punctuation || tokens_[i].directive) continue;
    const char c = text_[tokens_[i].begin];
    if (c == open) ++depth;
    if (c == partner(open) && --depth == 0) return i;
  }
  return npos;
}

// The place behind the arguments in an explicit specialization's name: f<float, 4>(…).
std::size_t CodeText::behind_arguments(std::size_t name) const {
  if (!is(name + 1, "<")) return name + 1;
  constexpr std::size_t most = 256;  // tokens: a text of nothing but `a<` takes linear time
  const std::size_t end = std::min(tokens_.size(), name + most);
  int depth = 0;
  for (std::size_t i = name + 1; i < end && !is(i, "{") && !is(i, ";"); ++i) {
    depth += is(i, "<") ? 1 : is(i, ">") ? -1 : is(i, ">>") ? -2 : 0;
    if (depth <= 0) return i + 1;
  }
  return name + 1;
}

std::vector<CodeText::Definition> CodeText::definitions() const {
  std::vector<Definition> found;
  std::size_t start = 0;  // of the declaration at hand
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].directive) {
      start = i + 1;
      continue;
    }
    if (is(i, ";") || is(i, "}")) start = i + 1;
    if (is(i, "(") || is(i, "[")) {
      const std::size_t close = closing(i);
      if (close == npos) return found;
      i = close;
      continue;
    }
    if (!is(i, "{")) continue;

    // Brace: what stands in front of it says whose body it is.
    Definition definition{npos, i, npos};
    bool enters = false;
    bool type = false;
    for (std::size_t j = start; j < i && definition.name == npos; ++j) {
      if (tokens_[j].directive) continue;
      const std::string_view word = spelling(j);
      if (is_any(word, {"namespace", "extern"})) enters = true;
      if (is_any(word, {"class", "struct", "union", "enum"})) type = true;
      const bool name = tokens_[j].kind == CodeTokenKind::identifier && is(behind_arguments(j), "(") && j > start;
      if (name && !is_any(word, {"__attribute__", "alignas", "decltype", "requires", "noexcept", "__launch_bounds__"}))
        definition.name = j;
      if (is(j, "(") || is(j, "[")) {
        const std::size_t close = closing(j);
        if (close == npos || close > i) break;
        j = close;
      }
      if (is(j, "=")) break;
    }
    if (definition.name == npos && enters && !type) {
      start = i + 1;
      continue;  // look inside
    }
    definition.close = closing(i);
    if (definition.name != npos) found.push_back(definition);
    if (definition.close == npos) return found;
    i = definition.close;
    start = i + 1;
  }
  return found;
}

const CodeText::Definition* CodeText::find(const std::vector<Definition>& among, std::string_view function) const {
  function = function.substr(0, function.find('<'));
  for (std::size_t i = among.size(); i-- > 0;)
    if (function.empty() || spelling(among[i].name) == function) return &among[i];
  return nullptr;
}

}  // namespace hone::search
