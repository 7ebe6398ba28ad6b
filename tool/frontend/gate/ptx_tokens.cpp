#include "tool/frontend/gate/ptx_tokens.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace hone::frontend {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}
bool begins_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool continues_word(char c) {
  return begins_word(c) || is_digit(c);
}

// In a comment: what a compiler replaces or joins, what nobody sees.
bool ends_or_hides(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::string_view("\\%$#").find(c) != std::string_view::npos || (byte < ' ' && c != '\t' && c != '\n') ||
         byte >= 0x7f;
}

constexpr std::string_view kMarks = "{}[],;:|!@+-<>";
constexpr std::size_t kLongestOperand = 4;  // digits

class PtxTokenReader {
 public:
  PtxTokenReader(std::string_view text, std::size_t operands) : text_(text), operands_(operands) {}

  PtxText read() {
    while (at_ < text_.size() && found_.wrong.empty()) step();
    return std::move(found_);
  }

 private:
  using Kind = PtxToken::Kind;

  char next(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool follows(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void object(std::string why) {
    if (found_.wrong.empty()) found_.wrong = std::move(why), found_.wrong_at = at_;
  }

  void take(Kind kind, std::size_t length, std::size_t prefix = 0) {
    found_.tokens.push_back({kind, text_.substr(at_ + prefix, length - prefix), at_});
    at_ += length;
  }

  std::size_t word_length(std::size_t from) const {
    std::size_t end = at_ + from;
    while (end < text_.size() && continues_word(text_[end])) ++end;
    return end - at_ - from;
  }

  void step() {
    const char c = next();
    if (c == ' ' || c == '\t' || c == '\n')
      ++at_;
    else if (follows("//") || follows("/*"))
      comment();
    else if (c == '%')
      percent();
    else if (c == '.')
      modifier();
    else if (begins_word(c))
      take(Kind::word, word_length(0));
    else if (is_digit(c))
      number();
    else if (kMarks.find(c) != std::string_view::npos)
      take(Kind::mark, 1);
    else
      strange(c);
  }

  void strange(char c) {
    const bool seen = std::isgraph(static_cast<unsigned char>(c));
    object(seen ? "'" + std::string(1, c) + "' in assembly is not allowed"
                : std::string("a character in assembly that nobody sees is not allowed"));
  }

  // To its end, which must be the same for readers that nest comments and for those that do not.
  void comment() {
    const bool line = next(1) == '/';
    const std::size_t end = line ? std::min(text_.find('\n', at_), text_.size()) : text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) return object("a comment in assembly does not end within the statement");
    const std::string_view inside = text_.substr(at_ + 2, end - at_ - 2);
    if (inside.find("/*") != std::string_view::npos || inside.find("*/") != std::string_view::npos ||
        inside.find("//") != std::string_view::npos || (!line && inside.starts_with('/')))
      return object("a comment within a comment in assembly may hide an instruction");
    if (std::ranges::any_of(inside, ends_or_hides))
      return object("a comment in assembly holds a character that may end or continue it; write letters only");
    at_ = line ? end : end + 2;
  }

  void percent() {
    if (is_digit(next(1))) return operand();
    const std::size_t prefix = next(1) == '%' ? 2 : 1;
    if (!begins_word(next(prefix)) || (prefix == 1 && operands_ > 0))
      return object("'%' in assembly begins neither an operand (%0) nor a special register (%%laneid)");
    take(Kind::special, prefix + word_length(prefix), prefix);
  }

  void operand() {
    const std::size_t length = word_length(1);
    const std::string_view digits = text_.substr(at_ + 1, length);
    const bool before = at_ > 0 && (continues_word(text_[at_ - 1]) || text_[at_ - 1] == '%' || text_[at_ - 1] == '.');
    const char behind = next(1 + length);
    if (before || behind == '.' || behind == '%' || !std::ranges::all_of(digits, is_digit))
      return object("an operand in assembly is part of a word; put spaces around it");
    if (length > kLongestOperand || std::stoul(std::string(digits)) >= operands_)
      return object("'%" + std::string(digits) + "' in assembly has no operand");
    take(Kind::operand, 1 + length, 1);
  }

  // .f32, .L1::no_allocate, .2d
  void modifier() {
    std::size_t length = word_length(1);
    while (length > 0 && text_.substr(at_ + 1 + length).starts_with("::") && word_length(length + 3) > 0)
      length += 2 + word_length(length + 3);
    if (length == 0) return object("'.' in assembly stands by itself");
    take(Kind::modifier, 1 + length, 1);
  }

  // 3, 0x1F, 0f3F800000, 1.5; of 1.0e-3 what stands in front of the sign.
  void number() {
    std::size_t length = word_length(0);
    if (next(length) == '.' && is_digit(next(length + 1))) length += 1 + word_length(length + 1);
    take(Kind::number, length);
  }

  const std::string_view text_;
  const std::size_t operands_;
  std::size_t at_ = 0;
  PtxText found_;
};

}  // namespace

PtxText read_ptx(std::string_view text, std::size_t operands) {
  return PtxTokenReader(text, operands).read();
}

}  // namespace hone::frontend
