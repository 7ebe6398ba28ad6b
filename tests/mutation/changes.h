// Collects mutants of one candidate: each replaces one stretch of its text.
//
// A stretch that a macro wrote, or that lies outside of the candidate, is passed over; so is a change that gives a text
// that is there already. Borrows the context.
#pragma once

#include <clang/AST/ASTContext.h>

#include <set>
#include <string>
#include <vector>

#include "tests/mutation/mutant.h"
#include "tool/transforms/code/edits.h"

namespace hone::mutation {

using frontend::TextRange;

class Changes {
 public:
  // `candidate` is what may be changed of `text`, the parsed main file's; what a mutant has in front of it is
  // `includes`.
  Changes(const clang::ASTContext& ast, const std::string& text, TextRange candidate, std::string includes);

  void replace(const char* kind, std::optional<TextRange> range, const std::string& after);
  void replace(const char* kind, const clang::Stmt* node, const std::string& after);
  void replace(const char* kind, clang::SourceRange tokens, const std::string& after);

  const clang::ASTContext& ast() const { return ast_; }
  bool in_candidate(const clang::Stmt* node) const;
  std::optional<TextRange> range(const clang::Stmt* node) const { return frontend::range_of(ast_, node); }
  std::string text(const clang::Stmt* node) const;  // "" where it has none
  std::string text(TextRange range) const { return text_.substr(range.begin, range.end - range.begin); }
  std::string text(clang::SourceRange tokens) const;

  std::vector<Mutant> take() { return std::move(mutants_); }

 private:
  const clang::ASTContext& ast_;
  const std::string& text_;
  const TextRange candidate_;
  const std::string includes_;
  std::set<std::string> seen_;
  std::vector<Mutant> mutants_;
};

}  // namespace hone::mutation
