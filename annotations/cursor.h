// Walks a directive's tokens: brackets known to be balanced, expressions cut out whole, the first error kept.
//
// Every reader returns nothing (nullopt or false) once it has failed, and error() then says why. Loops, never
// recursion, so that hostile nesting costs no stack. Borrows the tokens.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotations/directive.h"
#include "annotations/parser.h"
#include "annotations/tokens.h"

namespace hone::annotations {

inline constexpr std::size_t kMaxNesting = 64;  // as GRAMMAR.md says

class Cursor {
 public:
  explicit Cursor(const std::vector<Token>& tokens);  // check error() before use: brackets may not match

  const std::optional<ParseError>& error() const { return error_; }
  bool fail(DiagnosticCode code, Location location, std::string message, std::string expected);  // false, always
  bool repeated(Location here, const std::string& what, Location first);
  bool unexpected(std::string expected);  // fails at the current token

  const Token& now() const { return tokens_[at_]; }
  bool at(std::string_view punctuator) const { return now().is(punctuator); }
  bool at_end() const { return now().kind == Token::Kind::end; }
  bool take(std::string_view punctuator);
  bool expect(std::string_view punctuator, std::string expected);
  const Token& next() { return tokens_[at_++]; }
  const Token& ahead(std::size_t n) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }

  // `(item, item, …)` with at least one item; `example` shows what a good clause looks like.
  template <class Item>
  bool list(std::string_view clause, const std::string& example, Item item) {
    const std::string wanted = "expected " + example;
    if (!expect("(", "expected '(' after '" + std::string(clause) + "', as in " + example)) return false;
    if (at(")"))
      return fail(DiagnosticCode::empty_clause, now().location, "empty '" + std::string(clause) + "' clause", wanted);
    do {
      if (!item()) return false;
    } while (take(","));
    return expect(")", "expected ',' or ')'");
  }

  std::optional<Name> identifier(const std::string& expected);
  std::optional<Name> qualified(const std::string& expected);  // app::make, ::app::make
  // What a clause gives data to: a parameter or a variable, a member of it, what a member function says of it: x,
  // app::table, g->cells, x.size(), m.extent(0). Without blanks.
  std::optional<Name> path(const std::string& expected);
  std::optional<Name> label();                                     // blur-3.x, or "any text": name()'s id
  std::optional<std::string> quoted(const std::string& expected);  // "x.npy", its escapes resolved

  // Up to a ',' ')' ']' or ':' of its own level; a ':' that belongs to a '?' and what stands in brackets or in a
  // template argument list is part of it.
  std::optional<Expression> expression(const std::string& expected);
  std::optional<Assignment> assignment(const std::string& expected);     // name=expression
  std::optional<Assignment> value_of_path(const std::string& expected);  // path=…, last-first=…, rows[n]=…

 private:
  std::optional<Assignment> value_of(std::optional<Name> name);
  void match_brackets();
  bool ends_expression(unsigned questions) const;
  std::size_t template_end(std::size_t open) const;
  std::string verbatim(std::size_t begin, std::size_t end) const;

  const std::vector<Token>& tokens_;
  std::vector<std::size_t> partner_;  // of each opening bracket
  std::size_t at_ = 0;
  std::optional<ParseError> error_;
};

std::string describe(const Token& token);  // "'x'", "the end of the directive"
std::string describe(Location location);   // "line 3, column 7"

}  // namespace hone::annotations
