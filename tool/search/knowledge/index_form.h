// A subscript as a sum of products: (y + dy) * w + x - 1 is y*w + dy*w + x + -1.
//
// Two accesses are compared by what stands in front of a loop's counter: what runs along memory, what jumps by rows,
// where windows overlap, what is looked up in another array. Names that stand for an expression are written out first.
// What is no sum and no product (a shift, a call, a subscript within) stays one factor. Pure; text that does not parse
// gives some form.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tool/search/knowledge/token_range.h"

namespace hone::search {

struct IndexForm {
  using Product = std::vector<std::string>;  // sorted factors: names, numbers, what stayed one
  std::vector<Product> terms;
  std::set<std::string, std::less<>> names;  // all that occur, also inside of what stayed one factor
  bool looked_up = false;                    // an element of an array takes part

  // What stands in front of `counter`: "" for one, "w", "2*w". nullopt: it is no factor of any term by itself.
  std::optional<std::string> step_of(std::string_view counter) const;
};

class IndexReader {
 public:
  // Tells what a name was set to last; nullopt: it stands for itself. Borrowed, as is the code.
  using Meaning = std::function<std::optional<TokenRange>(std::string_view name)>;
  IndexReader(const CodeText& code, const Meaning& meaning) : code_(code), meaning_(meaning) {}

  IndexForm read(TokenRange tokens) const;

 private:
  using Terms = std::vector<IndexForm::Product>;
  struct Reading;
  Terms sum(TokenRange tokens, Reading& reading, unsigned depth) const;
  Terms product(TokenRange tokens, Reading& reading, unsigned depth) const;
  Terms factor(TokenRange tokens, Reading& reading, unsigned depth) const;
  Terms whole(TokenRange tokens, Reading& reading, unsigned depth) const;
  TokenRange without_casts(TokenRange tokens) const;

  const CodeText& code_;
  const Meaning& meaning_;
};

}  // namespace hone::search
