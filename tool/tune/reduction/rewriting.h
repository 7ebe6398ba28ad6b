// Shorter ways to write a model's text, beside leaving statements out: numbers in place of names, a helper's body in
// place of its only call, no hints to the compiler.
//
// Each is a proposal: what comes of it is judged as any candidate is. By tokens alone, so that a text needs no parse;
// what cannot be told from them is not proposed. A value keeps its type: T(argument), T(result). Names are never
// captured. Pure.
#pragma once

#include <string>
#include <vector>

#include "tool/frontend/parse/statement_ranges.h"

namespace hone::tune {

struct Rewriting {
  std::string what;  // that goes: "TILE, a name for 64"; "sum(), a helper of one call"
  std::string text;  // the whole candidate
};

// Each constant that is a number of its declared type (HONE_TUNABLE leaves `constexpr auto TILE = 64;`), alone.
std::vector<Rewriting> with_number_for_constant(const std::string& source);
// Each helper with a single use: one that returns an expression, or one that is called as a statement and returns
// nothing.
std::vector<Rewriting> with_body_for_call(const std::string& source);
// Pragmas, attributes, __restrict__, and calls of __builtin_prefetch, in the text's order; none contains another.
std::vector<frontend::TextPart> hints_in(const std::string& source);

}  // namespace hone::tune
