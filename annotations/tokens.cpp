#include "annotations/tokens.h"

#include <algorithm>
#include <array>

namespace hone::annotations {
namespace {

// Longest first. Digraphs are left out: `x[0<:n]` is nobody's intention.
constexpr std::array<std::string_view, 26> kLongPunctuators = {
    "<<=", ">>=", "...", "->*", "<=>", "::", "->", ".*", "++", "--", "<<", ">>", "<=",
    ">=",  "==",  "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
constexpr std::string_view kShortPunctuators = "()[]{}<>,:;=+-*/%&|^!~?.";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool in_word(char c) {
  return starts_word(c) || is_digit(c);
}

class Tokenizer {
 public:
  explicit Tokenizer(const SplicedText& spliced) : spliced_(spliced), text_(spliced.text) {}

  std::variant<std::vector<Token>, ParseError> run() {
    for (;;) {
      while (at_ < text_.size() && text_[at_] == ' ') ++at_;
      const std::size_t begin = at_;
      if (begin == text_.size()) break;
      const Token::Kind kind = scan();
      if (at_ == begin) return stray(begin);
      tokens_.push_back({kind, text_.substr(begin, at_ - begin), spliced_.locations[begin]});
    }
    tokens_.push_back({Token::Kind::end, {}, spliced_.locations.back()});
    return std::move(tokens_);
  }

 private:
  // Moves past one token; leaves at_ alone where none starts.
  Token::Kind scan() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return literal(at_);
    if (starts_word(c)) return word();
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    const auto rest = text_.substr(at_);
    const auto longest = std::find_if(kLongPunctuators.begin(), kLongPunctuators.end(),
                                      [&](std::string_view p) { return rest.starts_with(p); });
    if (longest != kLongPunctuators.end())
      at_ += longest->size();
    else if (kShortPunctuators.find(c) != std::string_view::npos)
      ++at_;
    return Token::Kind::punctuator;
  }

  // An identifier, or the prefix of a literal that follows at once.
  Token::Kind word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    const std::string_view prefix = text_.substr(begin, at_ - begin);
    const bool quoted = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'');
    if (quoted && (prefix == "u8" || prefix == "u" || prefix == "U" || prefix == "L")) return literal(at_);
    if (quoted && text_[at_] == '"' &&
        (prefix == "R" || prefix == "u8R" || prefix == "uR" || prefix == "UR" || prefix == "LR"))
      return raw_string(at_);
    return Token::Kind::identifier;
  }

  // Splicing has seen to it that every literal ends.
  Token::Kind literal(std::size_t quote_at) {
    const char quote = text_[quote_at];
    at_ = quote_at + 1;
    while (at_ < text_.size() && text_[at_] != quote) at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
    suffix();
    return quote == '"' ? Token::Kind::string : Token::Kind::character;
  }

  Token::Kind raw_string(std::size_t quote_at) {
    const std::size_t open = std::min(text_.find('(', quote_at), text_.size());
    const std::string close = std::string(1, ')').append(text_.substr(quote_at + 1, open - quote_at - 1)).append("\"");
    const std::size_t end = text_.find(close, open);
    at_ = end == text_.npos ? text_.size() : end + close.size();
    suffix();
    return Token::Kind::string;
  }

  void suffix() {
    if (at_ < text_.size() && starts_word(text_[at_]))
      while (at_ < text_.size() && in_word(text_[at_])) ++at_;
  }

  // A pp-number: 1, 1'000, .5f, 1e+3, 0x1p-2.
  Token::Kind number() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool has_next = at_ + 1 < text_.size();
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (exponent && has_next && (text_[at_ + 1] == '+' || text_[at_ + 1] == '-'))
        at_ += 2;
      else if (in_word(c) || c == '.' || (c == '\'' && has_next && in_word(text_[at_ + 1])))
        ++at_;
      else
        break;
    }
    return Token::Kind::number;
  }

  ParseError stray(std::size_t at) const {
    const std::string character(1, text_[at]);
    return {spliced_.locations[at], "stray '" + character + "' in the directive",
            character == "\\" ? "expected nothing behind a backslash that joins lines"
                              : "expected a clause or an expression"};
  }

  const SplicedText& spliced_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::variant<std::vector<Token>, ParseError> tokenize(const SplicedText& spliced) {
  return Tokenizer(spliced).run();
}

}  // namespace hone::annotations
