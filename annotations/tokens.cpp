#include "annotations/tokens.h"

#include <algorithm>
#include <array>
#include <optional>

#include "annotations/characters.h"
#include "annotations/letters.h"
#include "tool/base/utf8.h"

namespace hone::annotations {
namespace {

// Longest first.
constexpr std::array<std::string_view, 26> kLongPunctuators = {
    "<<=", ">>=", "...", "->*", "<=>", "::", "->", ".*", "++", "--", "<<", ">>", "<=",
    ">=",  "==",  "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
constexpr std::string_view kShortPunctuators = "()[]{}<>,:;=+-*/%&|^!~?.";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}
// A character beyond ASCII is looked at when it is taken.
bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || !is_ascii(c);
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// The standard's [lex.digraph] and, until C++17, [lex.trigraph]; "" where the text begins with none. `<::` is `<` and
// `::`, unless a `:` or a `>` follows.
std::string_view other_spelling(std::string_view ahead) {
  constexpr std::string_view kDigraphs[] = {"<:", ":>", "<%", "%>", "%:"};
  if (ahead.starts_with("??") && ahead.size() > 2 && std::string_view("=/'()!<>-").find(ahead[2]) != ahead.npos)
    return ahead.substr(0, 3);
  if (ahead.starts_with("<::") && ahead != "<:::" && ahead != "<::>") return "";
  for (const std::string_view digraph : kDigraphs)
    if (ahead.starts_with(digraph)) return digraph;
  return "";
}

class Lexer {
 public:
  Lexer(std::string_view text, Location origin) : in_(text, origin) {}

  std::variant<Tokens, ParseError> run() {
    while (!error_ && !at_end()) step();
    if (error_) return *error_;
    Tokens tokens{std::make_unique<const std::string>(std::move(text_)), {}};
    for (const Piece& piece : pieces_)
      tokens.list.push_back(
          {piece.kind, std::string_view(*tokens.text).substr(piece.begin, piece.end - piece.begin), piece.location});
    tokens.list.push_back({Kind::end, {}, pieces_.empty() ? in_.here() : Location{last_.line, last_.column + 1}});
    return tokens;
  }

 private:
  using Kind = Token::Kind;

  struct Piece {
    Kind kind;
    std::size_t begin, end;
    Location location;
  };

  bool at_end() const { return in_.at_end() || in_.at_newline(); }  // of the directive
  char now() const { return at_end() ? '\0' : in_.now(); }

  void step() {
    if (is_blank(now())) return blank();
    const std::string ahead = in_.ahead(4);
    if (ahead.starts_with("//")) return line_comment();
    if (ahead.starts_with("/*")) return block_comment();
    const std::size_t begin = text_.size();
    const Location location = in_.here();
    const Kind kind = token(ahead);
    if (!error_) pieces_.push_back({kind, begin, text_.size(), location});
  }

  Kind token(std::string_view ahead) {
    if (now() == '"' || now() == '\'') return literal();
    if (starts_word(now())) return word();
    if (is_digit(now()) || (now() == '.' && ahead.size() > 1 && is_digit(ahead[1]))) return number();
    return punctuator(ahead);
  }

  void take() {
    last_ = in_.here();
    put(in_.now(), last_);
    in_.advance();
  }

  void put(char c, Location location) {
    text_.push_back(c);
    if (text_.size() > kMaxDirectiveBytes)
      fail(DiagnosticCode::directive_too_large, location, "the directive is longer than 64 KiB",
           "expected a shorter one");
  }

  void blank() {
    put(' ', in_.here());
    in_.advance();
  }

  void line_comment() {
    while (!at_end()) in_.advance();
  }

  void block_comment() {
    const Location start = in_.here();
    const std::size_t begin = in_.offset();
    in_.advance();
    in_.advance();
    while (!in_.at_end() && in_.ahead(2) != "*/") in_.advance();
    if (in_.at_end()) return fail(DiagnosticCode::unterminated_text, start, "unterminated comment", "expected '*/'");
    in_.advance();
    const std::size_t width = in_.here().line == start.line ? in_.offset() + 1 - begin : 1;
    in_.advance();
    for (std::size_t i = 0; i < width && !error_; ++i) put(' ', {start.line, start.column + static_cast<unsigned>(i)});
  }

  // Takes an identifier's next character; false where there is none.
  bool take_letter() {
    const char c = now();
    if (is_ascii(c)) return (starts_word(c) || is_digit(c)) && (take(), true);
    const Utf8Character character = first_character(in_.as_written());
    if (character.bytes == 0 || !is_letter(character.code)) {
      fail(DiagnosticCode::bad_character, in_.here(), "stray " + describe(character, c) + " in the directive",
           character.bytes == 0 ? "expected a file in UTF-8" : "expected a clause or an expression");
      return false;
    }
    for (std::size_t i = 0; i < character.bytes; ++i) take();
    return true;
  }

  static std::string describe(const Utf8Character& character, char byte) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string digits;
    const char32_t value = character.bytes == 0 ? static_cast<unsigned char>(byte) : character.code;
    for (int shift = 20; shift >= 0; shift -= 4)
      if (value >> shift || shift < (character.bytes == 0 ? 8 : 16)) digits += kDigits[(value >> shift) & 0xf];
    return (character.bytes == 0 ? "byte 0x" : "U+") + digits;
  }

  // An identifier, or the prefix of a literal that follows at once.
  Kind word() {
    const std::size_t begin = text_.size();
    while (!error_ && take_letter()) {
    }
    const std::string_view prefix = std::string_view(text_).substr(begin);
    const char quote = now();
    if ((quote == '"' || quote == '\'') && (prefix == "u8" || prefix == "u" || prefix == "U" || prefix == "L"))
      return literal();
    if (quote == '"' && (prefix == "R" || prefix == "u8R" || prefix == "uR" || prefix == "UR" || prefix == "LR"))
      return raw_string();
    return Kind::identifier;
  }

  // A pp-number: 1, 1'000, .5f, 1e+3, 0x1p-2.
  Kind number() {
    while (!error_) {
      const std::string ahead = at_end() ? "" : in_.ahead(2);
      const char c = now(), next = ahead.size() > 1 ? ahead[1] : '\0';
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      const bool separator = c == '\'' && is_ascii(next) && next != '$' && (starts_word(next) || is_digit(next));
      if (separator || (exponent && (next == '+' || next == '-')))
        take(), take();
      else if (c == '.')
        take();
      else if (!take_letter())
        break;
    }
    return Kind::number;
  }

  Kind literal() {
    const Location start = in_.here();
    const char quote = now();
    const Kind kind = quote == '"' ? Kind::string : Kind::character;
    take();
    if (quote == '\'' && now() == quote)
      return fail(DiagnosticCode::bad_character, start, "empty character literal",
                  "expected a character between the quotes"),
             kind;
    while (!error_ && now() != quote) {
      const bool escape = now() == '\\';
      if (!take_of_literal(start, quote)) return kind;
      if (escape && !take_of_literal(start, quote)) return kind;
    }
    if (!error_) take();
    suffix();
    return kind;
  }

  // A line end would end the directive.
  bool take_of_literal(Location start, char quote) {
    if (at_end())
      fail(DiagnosticCode::unterminated_text, start, "unterminated literal",
           std::string("expected a closing ") + quote);
    else if (is_control(now()) && now() != '\t')
      fail_at_control();
    else
      take();
    return !error_;
  }

  // Splices count for nothing in a raw string, and a newline would end the directive: there can be none.
  Kind raw_string() {
    const Location start = in_.here();
    const std::string_view text = in_.as_written();
    const std::size_t open = text.find('(');
    const std::string_view delimiter = text.substr(1, open == text.npos ? 0 : open - 1);
    if (open == text.npos || delimiter.size() > 16 || delimiter.find_first_of(" \t\v\f\n\r\\)\"") != delimiter.npos)
      return fail(DiagnosticCode::unterminated_text, start, "malformed raw string", "expected R\"(…)\""), Kind::string;
    const std::size_t line = std::min(text.find_first_of("\n\r"), text.size());
    const std::size_t close = text.substr(0, line).find(std::string(1, ')').append(delimiter).append("\""), open);
    if (close == text.npos)
      return fail(DiagnosticCode::unterminated_text, start, "unterminated raw string",
                  "expected its end on the same line"),
             Kind::string;
    for (const std::size_t end = in_.offset() + close + delimiter.size() + 2; !error_ && in_.offset() < end;) {
      if (is_control(now()) && now() != '\t') return fail_at_control(), Kind::string;
      take();
    }
    suffix();
    return Kind::string;
  }

  void suffix() {
    if (!error_ && starts_word(now()))
      while (!error_ && take_letter()) {
      }
  }

  Kind punctuator(std::string_view ahead) {
    if (const std::string_view other = other_spelling(ahead); !other.empty()) {
      fail(DiagnosticCode::bad_character, in_.here(),
           (other.size() == 2 ? "digraph '" : "trigraph '") + std::string(other) + "' in the directive",
           "expected the character that it stands for");
      return Kind::punctuator;
    }
    const auto longest = std::find_if(kLongPunctuators.begin(), kLongPunctuators.end(),
                                      [&](std::string_view p) { return ahead.starts_with(p); });
    const bool known = longest != kLongPunctuators.end() || kShortPunctuators.find(now()) != std::string_view::npos;
    if (!known) stray(ahead);
    for (std::size_t i = longest == kLongPunctuators.end() ? 1 : longest->size(); known && i > 0; --i) take();
    return Kind::punctuator;
  }

  void stray(std::string_view ahead) {
    if (is_control(now())) return fail_at_control();
    const char next = ahead.size() > 1 ? ahead[1] : '\0';
    if (now() == '\\' && (next == 'u' || next == 'U' || next == 'N'))
      return fail(DiagnosticCode::bad_character, in_.here(), "universal character name in the directive",
                  "expected the character itself");
    fail(DiagnosticCode::bad_character, in_.here(), "stray '" + std::string(1, now()) + "' in the directive",
         now() == '\\' ? "expected nothing behind a backslash that joins lines" : "expected a clause or an expression");
  }

  void fail_at_control() {
    fail(DiagnosticCode::bad_character, in_.here(), "control character in the directive", "expected text");
  }

  void fail(DiagnosticCode code, Location location, std::string message, std::string expected) {
    if (!error_) error_ = ParseError{code, location, std::move(message), std::move(expected)};
  }

  Characters in_;
  std::string text_;
  std::vector<Piece> pieces_;
  Location last_;  // of the last character that is no blank
  std::optional<ParseError> error_;
};

}  // namespace

std::variant<Tokens, ParseError> tokenize(std::string_view text, Location origin) {
  return Lexer(text, origin).run();
}

}  // namespace hone::annotations
