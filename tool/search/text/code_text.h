// C++ as a model writes it, cut into tokens: enough to see brackets, names and where a function is defined.
//
// A model's text need not compile, nor be C++ at all, so nothing here fails: what is not closed ends with the text.
// Comments are left out. Only Clang (tool/frontend) knows what the text means; this tells code from prose.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hone::search {

enum class CodeTokenKind { identifier, number, literal, punctuation };

struct CodeToken {
  CodeTokenKind kind = CodeTokenKind::punctuation;
  std::size_t begin = 0, end = 0;  // bytes
  bool directive = false;          // on a preprocessor line
};

class CodeText {
 public:
  explicit CodeText(std::string_view text);  // borrowed

  const std::vector<CodeToken>& tokens() const { return tokens_; }
  std::string_view text() const { return text_; }
  std::string_view spelling(std::size_t token) const;
  bool is(std::size_t token, std::string_view spelling) const;

  // Is every bracket outside of preprocessor lines closed, in order?
  bool balanced() const;
  // The bracket that closes the one at `token`, or npos.
  std::size_t closing(std::size_t token) const;

  struct Definition {
    std::size_t name = 0;  // tokens
    std::size_t open = 0;  // of the body
    std::size_t close = npos;
  };
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  // Functions with a body at file or namespace scope, in order. Not the bodies of classes.
  std::vector<Definition> definitions() const;
  // The last definition of that name ("" : of any; what stands in <> does not count), or null.
  const Definition* find(const std::vector<Definition>& among, std::string_view function) const;

 private:
  std::size_t behind_arguments(std::size_t name) const;

  std::string_view text_;
  std::vector<CodeToken> tokens_;
};

}  // namespace hone::search
