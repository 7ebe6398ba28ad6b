// What stands in the parentheses of a loop. Pure.
#pragma once

#include <string>

#include "tool/search/knowledge/token_range.h"

namespace hone::search {

struct LoopHead {
  std::string counter;    // "i"; of a `while`, the first name; "": there is none
  TokenRange first;       // the value that it begins with; empty: there is none
  bool by_one = false;    // ++i, --i
  bool halved = false;    // i /= 2, i >>= 1
  bool is_short = false;  // from a small number to a small number
};

LoopHead read_loop_head(const CodeText& code, TokenRange head);

}  // namespace hone::search
