// A stretch of a text's tokens, and where statements and expressions end in it. Pure; nothing fails on text that is not
// closed: it ends where the stretch ends.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tool/search/text/code_text.h"

namespace hone::search {

struct TokenRange {
  std::size_t begin = 0, end = 0;

  template <class Predicate>
  bool any_of(const Predicate& holds) const {
    for (std::size_t i = begin; i < end; ++i)
      if (holds(i)) return true;
    return false;
  }
};

// The parts between any of `separators` that stand in no bracket.
std::vector<TokenRange> split(const CodeText& code, TokenRange tokens, std::string_view separators);

// One past the last token of the statement that begins there; a loop's body belongs to it.
std::size_t end_of_statement(const CodeText& code, TokenRange tokens);

// Where the value that begins there ends: at a semicolon, a comma or a bracket that closes.
std::size_t end_of_expression(const CodeText& code, TokenRange tokens);

// Where the value begins whose part stands in front of `at`: behind an assignment, a bracket that opens, a comma.
std::size_t begin_of_expression(const CodeText& code, std::size_t at);

}  // namespace hone::search
