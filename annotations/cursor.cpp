#include "annotations/cursor.h"

#include <algorithm>
#include <string>

namespace hone::annotations {
namespace {

using Kind = Token::Kind;

bool opens(const Token& t) {
  return t.is("(") || t.is("[") || t.is("{");
}
bool closes(const Token& t) {
  return t.is(")") || t.is("]") || t.is("}");
}
std::string_view closer_of(const Token& t) {
  return t.is("(") ? ")" : t.is("[") ? "]" : "}";
}

// What may stand behind a template argument list; behind anything else the '>' was a comparison.
bool follows_template(const Token& t) {
  constexpr std::string_view kFollowers[] = {
      "(", ")", "[", "]", "{", "}", ",", "::", ":", ">", ">>", "*", "&", "&&", "..."};
  return t.kind == Kind::end ||
         std::any_of(std::begin(kFollowers), std::end(kFollowers), [&](auto p) { return t.is(p); });
}

bool is_plain_string(const Token& t) {
  return t.kind == Kind::string && t.text.size() >= 2 && t.text.front() == '"' && t.text.back() == '"';
}

}  // namespace

std::string describe(const Token& token) {
  if (token.kind == Kind::end) return "the end of the directive";
  constexpr std::size_t kShown = 40;
  std::size_t shown = std::min(token.text.size(), kShown);
  while (shown < token.text.size() && (static_cast<unsigned char>(token.text[shown]) & 0xc0) == 0x80) --shown;
  return std::string(1, '\'').append(token.text.substr(0, shown)).append(shown < token.text.size() ? "…'" : "'");
}

std::string describe(Location location) {
  return "line " + std::to_string(location.line) + ", column " + std::to_string(location.column);
}

Cursor::Cursor(const std::vector<Token>& tokens) : tokens_(tokens), partner_(tokens.size(), 0) {
  match_brackets();
}

void Cursor::match_brackets() {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (opens(token)) {
      open.push_back(i);
      if (open.size() > kMaxNesting) {
        fail(DiagnosticCode::directive_too_large, token.location, "brackets nested more than 64 deep",
             "expected a simpler expression");
        return;
      }
    } else if (closes(token)) {
      if (open.empty()) {
        fail(DiagnosticCode::unbalanced_brackets, token.location, describe(token) + " closes nothing",
             "expected a clause");
        return;
      }
      const Token& partner = tokens_[open.back()];
      if (!token.is(closer_of(partner))) {
        fail(DiagnosticCode::unbalanced_brackets, token.location,
             describe(token) + " does not close " + describe(partner),
             "expected '" + std::string(closer_of(partner)) + "' for the one at " + describe(partner.location));
        return;
      }
      partner_[open.back()] = i;
      open.pop_back();
    }
  }
  if (!open.empty()) {
    const Token& partner = tokens_[open.back()];
    fail(DiagnosticCode::unbalanced_brackets, partner.location, describe(partner) + " is never closed",
         "expected '" + std::string(closer_of(partner)) +
             "' before the end of the directive; a line that goes on ends in '\\'");
  }
}

bool Cursor::fail(DiagnosticCode code, Location location, std::string message, std::string expected) {
  if (!error_) error_ = ParseError{code, location, std::move(message), std::move(expected)};
  return false;
}

bool Cursor::repeated(Location here, const std::string& what, Location first) {
  return fail(DiagnosticCode::repeated_clause, here, "second " + what,
              "expected one; the first is at " + describe(first));
}

bool Cursor::unexpected(std::string expected) {
  return fail(DiagnosticCode::unexpected_token, now().location, "unexpected " + describe(now()), std::move(expected));
}

bool Cursor::take(std::string_view punctuator) {
  if (!at(punctuator)) return false;
  ++at_;
  return true;
}

bool Cursor::expect(std::string_view punctuator, std::string expected) {
  return take(punctuator) || unexpected(std::move(expected));
}

std::optional<Name> Cursor::identifier(const std::string& expected) {
  if (now().kind != Kind::identifier) return unexpected(expected), std::nullopt;
  const Token& token = next();
  return Name{std::string(token.text), token.location};
}

std::optional<Name> Cursor::qualified(const std::string& expected) {
  Name name{"", now().location};
  if (take("::")) name.text = "::";
  for (;;) {
    const auto part = identifier(expected);
    if (!part) return std::nullopt;
    name.text += part->text;
    if (!take("::")) return name;
    name.text += "::";
  }
}

std::optional<Name> Cursor::path(const std::string& expected) {
  auto name = qualified(expected);
  if (!name) return std::nullopt;
  for (;;) {
    const std::string_view step = at("->") ? "->" : ".";
    if (!take(step)) return name;
    const auto member = identifier("expected a member's name behind '" + std::string(step) + "'");
    if (!member) return std::nullopt;
    name->text.append(step).append(member->text);
    if (!take("(")) continue;
    name->text += '(';
    if (now().kind == Kind::number) name->text += next().text;
    if (!expect(")", "expected ')': a path calls what takes nothing, or one number")) return std::nullopt;
    name->text += ')';
  }
}

std::optional<Name> Cursor::label() {
  const std::string expected = "expected an identifier (dots and dashes allowed) or a string";
  const Location location = now().location;
  if (now().kind == Kind::string) {
    auto text = quoted(expected);
    return text ? std::optional(Name{std::move(*text), location}) : std::nullopt;
  }
  if (now().kind != Kind::identifier) return unexpected(expected), std::nullopt;
  const std::size_t begin = at_;
  while (!at_end() && !at(")") && !at(",")) {
    const Token& token = now();
    const bool glued = at_ == begin || tokens_[at_ - 1].text.data() + tokens_[at_ - 1].text.size() == token.text.data();
    const bool fits = token.kind == Kind::identifier || token.kind == Kind::number ||
                      (token.kind == Kind::punctuator && token.text.find_first_not_of(".-") == std::string_view::npos);
    if (!glued || !fits || token.text.find('\'') != std::string_view::npos) return unexpected(expected), std::nullopt;
    ++at_;
  }
  return Name{verbatim(begin, at_), location};
}

std::optional<std::string> Cursor::quoted(const std::string& expected) {
  if (!is_plain_string(now())) return unexpected(expected), std::nullopt;
  const Token& token = next();
  const std::string_view inside = token.text.substr(1, token.text.size() - 2);
  std::string text;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const bool escape = inside[i] == '\\';
    if (escape && ++i < inside.size() && inside[i] != '\\' && inside[i] != '"')
      return fail(DiagnosticCode::bad_string, token.location, "escape sequence in " + describe(token),
                  "expected no escapes but \\\\ and \\\""),
             std::nullopt;
    if (i < inside.size()) text += inside[i];
  }
  if (text.empty()) return fail(DiagnosticCode::bad_string, token.location, "empty string", expected), std::nullopt;
  return text;
}

bool Cursor::ends_expression(unsigned questions) const {
  return at(",") || closes(now()) || at_end() || (at(":") && questions == 0);
}

std::optional<Expression> Cursor::expression(const std::string& expected) {
  const std::size_t begin = at_;
  unsigned questions = 0;
  for (; !ends_expression(questions); ++at_) {
    // `n= ==4` would be another text once the blank is gone.
    if (at("==") && at_ == begin) return unexpected(expected), std::nullopt;
    if (at("="))
      return fail(DiagnosticCode::unexpected_token, now().location, "unexpected '='",
                  "expected ',' between two values"),
             std::nullopt;
    if (at(";"))
      return fail(DiagnosticCode::unexpected_token, now().location, "unexpected ';'", "expected one expression"),
             std::nullopt;
    if (at("?")) ++questions;
    if (at(":")) --questions;
    if (opens(now())) at_ = partner_[at_];
    if (at("<") && at_ > begin && tokens_[at_ - 1].kind == Kind::identifier) at_ = template_end(at_);
  }
  if (at_ == begin) return unexpected(expected), std::nullopt;
  return Expression{verbatim(begin, at_), tokens_[begin].location};
}

std::optional<Assignment> Cursor::assignment(const std::string& expected) {
  return value_of(identifier(expected));
}

std::optional<Assignment> Cursor::value_of_path(const std::string& expected) {
  auto name = path(expected);
  if (name && at("[")) {  // rows[n]: what an extent says of data
    const std::size_t begin = at_;
    at_ = partner_[at_] + 1;
    for (std::size_t i = begin; i < at_; ++i) name->text += tokens_[i].text;
  } else if (name && take("-")) {
    const auto other = path("expected the pointer to the first element, as in last-first=1000");
    if (!other) return std::nullopt;
    name->text += '-' + other->text;
  }
  return value_of(std::move(name));
}

std::optional<Assignment> Cursor::value_of(std::optional<Name> name) {
  if (!name || !expect("=", "expected '=' and a value for '" + name->text + "'")) return std::nullopt;
  auto value = expression("expected a value for '" + name->text + "'");
  if (!value) return std::nullopt;
  return Assignment{std::move(*name), std::move(*value)};
}

// The index of the '>' that ends the template argument list at `open`, or `open` where a '<' compares. A heuristic, as
// any without the compiler's names: it matters only where a comma stands between the two.
std::size_t Cursor::template_end(std::size_t open) const {
  constexpr std::size_t kLookAhead = 256;  // tokens: a text full of '<' is still read in linear time
  std::size_t depth = 1;
  for (std::size_t i = open + 1; i < std::min(tokens_.size(), open + kLookAhead); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::end || closes(token)) return open;
    if (opens(token)) {
      i = partner_[i];
    } else if (token.is("<")) {
      ++depth;
    } else if (token.is(">") || token.is(">>")) {
      const std::size_t closed = token.text.size();
      if (closed > depth) return open;
      depth -= closed;
      if (depth == 0) return follows_template(tokens_[i + 1]) ? i : open;
    } else if (token.is("=") || token.is(";") || token.is("||") || token.is("?")) {
      return open;
    } else if (token.is("&&") && !tokens_[i + 1].is(",") && !tokens_[i + 1].is(">") && !tokens_[i + 1].is(">>")) {
      return open;
    }
  }
  return open;
}

std::string Cursor::verbatim(std::size_t begin, std::size_t end) const {
  const char* first = tokens_[begin].text.data();
  const std::string_view last = tokens_[end - 1].text;
  return std::string(first, last.data() + last.size());
}

}  // namespace hone::annotations
