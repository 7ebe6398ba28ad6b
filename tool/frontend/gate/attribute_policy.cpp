#include "tool/frontend/gate/attribute_policy.h"

#include <set>
#include <string>
#include <string_view>

#include "tool/frontend/gate/policy_words.h"
#include "tool/frontend/parse/source_tokens.h"

namespace hone::frontend {
namespace {

using namespace clang;

class AttributeReader {
 public:
  AttributeReader(const std::string& text, unsigned first_line, const LangOptions& language,
                  std::set<std::string> known)
      : tokens_(text, language), first_line_(first_line), known_(std::move(known)) {}

  // The names of all that stand there.
  static std::set<std::string> names(const std::string& text, const LangOptions& language) {
    AttributeReader reader(text, 1, language, {});
    reader.collects_ = true;
    reader.read();
    return std::move(reader.known_);
  }

  std::optional<Objection> read() {
    for (std::size_t i = 0; i < tokens_.size() && !objection_; ++i) {
      if (tokens_.is(i, "__attribute__") || tokens_.is(i, "__attribute"))
        read_gnu(i);
      else if (tokens_.is(i, "__declspec") || tokens_.is(i, "_declspec"))
        object(i, "__declspec is not allowed; write __attribute__((…))");
      else if (is_double_bracket(i))
        read_standard(i + 2);
    }
    return objection_;
  }

 private:
  void object(std::size_t token, std::string why) {
    if (!objection_)
      objection_ = Objection{DiagnosticCode::candidate_attribute,
                             first_line_ - 1 + line_at(tokens_.text(), tokens_[token].begin), std::move(why)};
  }

  bool is_kind(std::size_t i, tok::TokenKind kind) const { return i < tokens_.size() && tokens_[i].kind == kind; }

  bool is_double_bracket(std::size_t i) const {
    return is_kind(i, tok::l_square) && is_kind(i + 1, tok::l_square) &&
           !(i > 0 && tokens_[i - 1].kind == tok::l_square);
  }

  std::size_t behind_parentheses(std::size_t i) const {
    std::size_t depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == tok::l_paren) ++depth;
      if (tokens_[i].kind == tok::r_paren && --depth == 0) return i + 1;
    }
    return i;
  }

  void check(std::size_t i) {
    std::string name = tokens_.spelling(i);
    if (name.size() > 4 && name.starts_with("__") && name.ends_with("__")) name = name.substr(2, name.size() - 4);
    if (collects_) known_.insert(name);
    if (known_.contains(name) || is_allowed_attribute(name)) return;
    if (name.find("sanitize") != std::string::npos || name == "no_address_safety_analysis")
      return object(i,
                    "the attribute '" + name + "' is not allowed: the judge's sanitizers look at all of a candidate");
    object(i, "the attribute '" + name + "' is not allowed: it could reach beyond the candidate");
  }

  // __attribute__((a, b(…)))
  void read_gnu(std::size_t at) {
    if (!is_kind(at + 1, tok::l_paren) || !is_kind(at + 2, tok::l_paren))
      return object(at, "__attribute__ needs its list where it stands: __attribute__((…))");
    read_list(at + 3, tok::r_paren);
  }

  // [[a, gnu::b(…)]], [[using gnu: a, b]]
  void read_standard(std::size_t at) {
    if (tokens_.is(at, "using")) {
      while (at < tokens_.size() && tokens_[at].kind != tok::colon) ++at;
      ++at;
    }
    read_list(at, tok::r_square);
  }

  void read_list(std::size_t at, tok::TokenKind close) {
    while (at < tokens_.size() && tokens_[at].kind != close && !objection_) {
      if (tokens_[at].kind == tok::l_paren) {
        at = behind_parentheses(at);
        continue;
      }
      const bool scope =
          is_kind(at + 1, tok::coloncolon) || (is_kind(at + 1, tok::colon) && is_kind(at + 2, tok::colon));
      if (tokens_[at].kind == tok::raw_identifier && !scope) check(at);
      ++at;
    }
  }

  const SourceTokens tokens_;
  const unsigned first_line_;
  std::set<std::string> known_;  // of the original
  bool collects_ = false;
  std::optional<Objection> objection_;
};

}  // namespace

std::optional<Objection> object_to_attributes(const SplitSource& candidate, const LangOptions& language,
                                              const std::string& original) {
  return AttributeReader(candidate.definition, candidate.definition_line, language,
                         AttributeReader::names(original, language))
      .read();
}

}  // namespace hone::frontend
