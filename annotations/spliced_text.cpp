#include "annotations/spliced_text.h"

#include <optional>

namespace hone::annotations {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Splicer {
 public:
  Splicer(std::string_view text, Location origin) : text_(text), here_(origin) {}

  std::variant<SplicedText, ParseError> run() {
    while (!error_ && !at_end()) step();
    if (error_) return *error_;
    while (!out_.text.empty() && out_.text.back() == ' ') drop_last();
    out_.locations.push_back(out_.text.empty() ? here_ : after_last());
    return std::move(out_);
  }

 private:
  // The end of the directive, with splices taken out before each look.
  bool at_end() {
    skip_splices();
    return at_ >= text_.size() || is_newline(at_);
  }

  bool is_newline(std::size_t i) const { return i < text_.size() && (text_[i] == '\n' || text_[i] == '\r'); }

  void skip_splices() {
    while (at_ < text_.size() && text_[at_] == '\\') {
      std::size_t end = at_ + 1;
      while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) ++end;
      if (!is_newline(end)) return;
      while (at_ < end) advance();
      advance();
    }
  }

  // One byte of the file; \r\n counts as one newline.
  void advance() {
    if (!is_newline(at_)) {
      ++here_.column;
    } else {
      if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
      ++here_.line;
      here_.column = 1;
    }
    ++at_;
  }

  void step() {
    const char c = text_[at_];
    if (c == '/' && follows('/')) return line_comment();
    if (c == '/' && follows('*')) return block_comment();
    if (c == '"') return ends_in_raw_prefix() ? raw_string() : literal('"');
    if (c == '\'' && !separates_digits()) return literal('\'');
    if (c == '\t' || c == '\v' || c == '\f' || c == ' ') return blank();
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      return fail(here_, "control character in the directive", "expected text");
    take();
  }

  // Is the next byte, behind any splices, `c`?
  bool follows(char c) const {
    Splicer ahead(text_.substr(at_), here_);
    ahead.advance();
    ahead.skip_splices();
    return ahead.at_ < ahead.text_.size() && ahead.text_[ahead.at_] == c;
  }

  void take() { emit(text_[at_], here_), advance(); }
  void blank() { emit(' ', here_), advance(); }

  void emit(char c, Location location) {
    follow_number(c);
    out_.text.push_back(c);
    out_.locations.push_back(location);
    if (out_.text.size() > kMaxDirectiveBytes)
      fail(location, "the directive is longer than 64 KiB", "expected a shorter one");
  }

  void line_comment() {
    while (!at_end()) advance();
  }

  void block_comment() {
    const Location start = here_;
    const std::size_t begin = at_;
    advance();
    skip_splices();
    advance();
    for (;;) {
      if (at_ >= text_.size()) return fail(start, "unterminated comment", "expected '*/'");
      if (text_[at_] == '*' && follows('/')) break;
      advance();
      skip_splices();
    }
    advance();
    skip_splices();
    advance();
    const std::size_t width = here_.line == start.line ? at_ - begin : 1;
    for (std::size_t i = 0; i < width && !error_; ++i) emit(' ', {start.line, start.column + static_cast<unsigned>(i)});
  }

  void literal(char quote) {
    const Location start = here_;
    take();
    while (!error_) {
      if (at_end() || text_[at_] == '\0')
        return fail(start, "unterminated literal", std::string("expected a closing ") + quote);
      const char c = text_[at_];
      take();
      if (c == quote) return;
      if (c == '\\' && !at_end()) take();
    }
  }

  // Splices count for nothing in a raw string, and a newline would end the directive.
  void raw_string() {
    const Location start = here_;
    const std::size_t open = text_.find('(', at_);
    const std::string_view delimiter = text_.substr(at_ + 1, open == text_.npos ? 0 : open - at_ - 1);
    if (open == text_.npos || delimiter.size() > 16 || delimiter.find_first_of(" \t\n\r\\)\"") != delimiter.npos)
      return fail(start, "malformed raw string", "expected R\"(…)\"");
    const std::size_t close = text_.find(std::string(1, ')').append(delimiter).append("\""), open);
    const std::size_t end = close == text_.npos ? close : close + delimiter.size() + 2;
    if (end == text_.npos || text_.substr(at_, end - at_).find_first_of(std::string_view("\n\r\0", 3)) != text_.npos)
      return fail(start, "unterminated raw string", "expected its end on the same line");
    while (at_ < end && !error_) take();
  }

  bool ends_in_raw_prefix() const {
    const std::string& t = out_.text;
    std::size_t begin = t.size();
    while (begin > 0 && is_word(t[begin - 1])) --begin;
    const std::string_view word = std::string_view(t).substr(begin);
    return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
  }

  // 1'000: a quote inside a number.
  bool separates_digits() const { return in_number_ && out_.text.back() != '\''; }

  void follow_number(char c) {
    const bool continues = is_word(c) || c == '.' || c == '\'';
    if (!continues) in_word_ = in_number_ = false;
    if (!continues || in_word_ || c == '.') return;
    in_word_ = true;
    in_number_ = c >= '0' && c <= '9';
  }

  void drop_last() { out_.text.pop_back(), out_.locations.pop_back(); }

  Location after_last() const { return {out_.locations.back().line, out_.locations.back().column + 1}; }

  void fail(Location location, std::string message, std::string expected) {
    if (!error_) error_ = ParseError{location, std::move(message), std::move(expected)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Location here_;
  SplicedText out_;
  bool in_word_ = false;    // the last byte belongs to an identifier or a number
  bool in_number_ = false;  // … to a number
  std::optional<ParseError> error_;
};

}  // namespace

std::variant<SplicedText, ParseError> splice(std::string_view text, Location origin) {
  return Splicer(text, origin).run();
}

}  // namespace hone::annotations
