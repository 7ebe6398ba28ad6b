#include "tool/frontend/parse/statement_ranges.h"

#include <algorithm>

#include "tool/frontend/parse/source_tokens.h"

namespace hone::frontend {
namespace {

namespace tok = clang::tok;

class Statements {
 public:
  explicit Statements(const std::string& source) : tokens_(source, permissive_language()) {}

  bool readable() const {
    bool first = false;
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (!tokens_[at].directive) continue;
      if (first && tokens_.spelling(at).starts_with("if")) return false;
      first = tokens_.is(at, "#");
    }
    return true;
  }

  std::vector<TextPart> at_level(unsigned level) {
    wanted_ = level;
    for (std::size_t at = skip(0); at < tokens_.size();) {
      const std::size_t begin = at;
      at = declaration(at);
      if (level == 0 && skip(at) < tokens_.size()) found_.push_back(part(begin, at));
      at = skip(at);
    }
    std::ranges::sort(found_, {}, &TextPart::begin);
    return std::move(found_);
  }

  std::optional<std::size_t> last_body() {
    std::optional<std::size_t> body;
    for (std::size_t at = skip(0); at < tokens_.size(); at = skip(at)) {
      body_ = tokens_.size();
      at = declaration(at);
      body = body_ < tokens_.size() ? std::optional(tokens_[body_].end) : std::nullopt;
    }
    return body;
  }

 private:
  std::size_t skip(std::size_t at) const {
    while (at < tokens_.size() && tokens_[at].directive) ++at;
    return at;
  }
  bool is(std::size_t at, const char* spelling) const { return at < tokens_.size() && tokens_.is(at, spelling); }
  // Behind the brackets at `at`, but at least one token on.
  std::size_t behind(std::size_t at) const { return std::max(tokens_.behind_brackets(at), at + 1); }

  // With the pragmas directly in front.
  TextPart part(std::size_t begin, std::size_t end) const {
    std::size_t first = begin;
    while (first > 0 && tokens_[first - 1].directive) --first;
    bool pragmas = first < begin;
    for (std::size_t at = first; at < begin; ++at)
      if (tokens_.is(at, "#") && tokens_[at].line_start) pragmas = pragmas && is(at + 1, "pragma");
    return {tokens_[pragmas ? first : begin].begin, tokens_[end - 1].end};
  }

  // Up to the semicolon, or the end of a function's body, of what stands at namespace level.
  std::size_t declaration(std::size_t at) {
    bool parameters = false, record = false;
    while (at < tokens_.size()) {
      if (is(at, ";")) return at + 1;
      if (is(at, "struct") || is(at, "class") || is(at, "enum") || is(at, "union") || is(at, "namespace") ||
          is(at, "="))
        record = !parameters;
      if (is(at, "{")) {
        const std::size_t end = behind(at);
        if (parameters && !record) {
          body_ = at;
          block(at, end, 1);
          return end;
        }
        at = end;
        if (!is(at, ";") && record && !is(at, "=")) return at;
        continue;
      }
      parameters |= is(at, "(");
      at = is(at, "(") || is(at, "[") ? behind(at) : at + 1;
    }
    return at;
  }

  // The statements of the block whose brace is at `open`.
  void block(std::size_t open, std::size_t end, unsigned level) {
    for (std::size_t at = skip(open + 1); at + 1 < end; at = skip(at)) {
      const std::size_t begin = at;
      at = std::min(statement(at, level), end - 1);
      if (level == wanted_ && !leaves(begin, at)) found_.push_back(part(begin, at));
    }
  }

  bool leaves(std::size_t begin, std::size_t end) const {
    for (std::size_t at = begin; at < end; ++at)
      for (const char* word : {"return", "break", "continue", "goto", "throw", "case", "default"})
        if (tokens_.is(at, word)) return true;
    return false;
  }

  std::size_t statement(std::size_t at, unsigned level) {
    at = skip(at);
    if (is(at, "{")) {
      const std::size_t end = behind(at);
      block(at, end, level + 1);
      return end;
    }
    if (is(at, "else") || is(at, "do")) {
      at = statement(at + 1, level);
      if (is(at, "while")) at = behind(at + 1) + 1;
      return at;
    }
    const bool branch = is(at, "if");
    if (branch || is(at, "for") || is(at, "while") || is(at, "switch")) {
      ++at;
      while (at < tokens_.size() && !is(at, "(")) ++at;
      at = statement(behind(at), level);
      return branch && is(skip(at), "else") ? statement(skip(at), level) : at;
    }
    while (at < tokens_.size() && !is(at, ";") && !is(at, "}"))
      at = is(at, "(") || is(at, "[") || is(at, "{") ? behind(at) : at + 1;
    return is(at, ";") ? at + 1 : at;
  }

  SourceTokens tokens_;
  unsigned wanted_ = ~0u;
  std::size_t body_ = 0;
  std::vector<TextPart> found_;
};

}  // namespace

std::vector<TextPart> parts_of(const std::string& source, unsigned level) {
  Statements statements(source);
  return statements.readable() ? statements.at_level(level) : std::vector<TextPart>();
}

std::string without_parts(const std::string& source, const std::vector<TextPart>& parts) {
  std::string text;
  std::size_t at = 0;
  for (const TextPart& part : parts) {
    std::size_t begin = part.begin, end = part.end;
    const std::size_t line = source.find_last_not_of(" \t", begin == 0 ? 0 : begin - 1);
    const std::size_t rest = source.find_first_not_of(" \t", end);
    const bool whole = (begin == 0 || line == std::string::npos || source[line] == '\n') &&
                       (rest == std::string::npos || source[rest] == '\n');
    if (whole) {
      begin = begin == 0 || line == std::string::npos ? 0 : line + 1;
      end = rest == std::string::npos ? source.size() : rest + 1;
    }
    if (begin < at) begin = at;
    text += source.substr(at, begin - at);
    at = std::max(at, end);
  }
  return text + source.substr(at);
}

std::optional<std::size_t> body_of_last_function(const std::string& source) {
  return Statements(source).last_body();
}

}  // namespace hone::frontend
