// A statement's text with some of its comparisons decided: dead branches and tests go, what remains is as it was.
//
// Contract: `facts` say which comparison nodes are always true or false; &&, ||, !, if, ?: and std::min/std::max over
// them are folded. `loops` are statements to write differently. Never evaluates anything itself.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tool/transforms/code/edits.h"

namespace hone::frontend {

struct KnownConditions {
  std::map<const clang::Stmt*, bool> facts;  // a comparison; for a min/max call: does it yield its first argument?
  std::map<const clang::Stmt*, std::string> texts;  // ready replacements
  // Of std::clamp(v, low, high), which comparison is known to be false: v < low, high < v.
  struct Clamp {
    bool not_below = false, not_above = false;
    bool yields_value() const { return not_below && not_above; }
  };
  std::map<const clang::Stmt*, Clamp> clamps;
};

std::optional<bool> decided(const KnownConditions& known, const clang::Expr* condition);
// nullopt: a macro is in the way.
std::optional<std::string> simplified(const clang::ASTContext& ast, const clang::Stmt* statement,
                                      const KnownConditions& known);

}  // namespace hone::frontend
