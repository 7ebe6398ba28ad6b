// A source text as raw tokens with their places, directives marked: what the rooms look at when bytes matter, not
// meaning.
//
// No preprocessing: both sides of an #if are there, macros stand as written, comments are left out. Pure; the text must
// outlive it and end in a NUL (as std::string and Clang's buffers do).
#pragma once

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/TokenKinds.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hone::frontend {

struct SourceToken {
  std::size_t begin = 0, end = 0;
  clang::tok::TokenKind kind = clang::tok::unknown;
  bool line_start = false;
  bool directive = false;  // of a preprocessor directive, its # included
  bool spliced = false;    // has a backslash-newline inside
};

class SourceTokens {
 public:
  SourceTokens(std::string_view text, const clang::LangOptions& language);

  const std::vector<SourceToken>& all() const { return tokens_; }
  const SourceToken& operator[](std::size_t index) const { return tokens_[index]; }
  std::size_t size() const { return tokens_.size(); }
  std::string_view text() const { return text_; }

  // Index of the first token that begins at or after `offset`; size() when there is none.
  std::size_t at_or_after(std::size_t offset) const;
  // Index of the first token at or after `offset` that is not in a directive; size() when there is none.
  std::size_t code_at_or_after(std::size_t offset) const;
  std::string spelling(std::size_t index) const;
  bool is(std::size_t index, std::string_view spelling_of_it) const;
  // Index behind the bracket that closes the one at `index`; size() when it is not closed. Directives don't count.
  std::size_t behind_brackets(std::size_t index) const;

 private:
  std::string_view text_;
  std::vector<SourceToken> tokens_;
};

// For text that belongs to no parse: C++20 with GNU extensions.
clang::LangOptions permissive_language();

}  // namespace hone::frontend
