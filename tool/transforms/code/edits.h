// Changes to a candidate's text at the places where AST nodes stand, so that no transformation searches in strings.
//
// Contract: collect replacements of nodes, names and includes; hand back the text with all of them made. A node that a
// macro's body wrote has no place in the text: asking for it spoils the whole edit, and the result is nullopt.
// Never reformats what it was not told to touch. Cheap to copy; borrows the context.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tool/transforms/code/transformation.h"

namespace hone::frontend {

// Byte range in the parsed main file.
struct TextRange {
  std::size_t begin = 0, end = 0;
  bool operator==(const TextRange&) const = default;
  bool contains(const TextRange& other) const { return begin <= other.begin && other.end <= end; }
};

// Where a node stands: an expression's tokens; a statement with its semicolon. nullopt: (partly) in a macro's body.
std::optional<TextRange> range_of(const clang::ASTContext& ast, const clang::Stmt* node);
std::optional<TextRange> range_of(const clang::ASTContext& ast, clang::SourceRange tokens);
// The same in another file of the unit: a header.
std::optional<TextRange> range_in(const clang::ASTContext& ast, clang::FileID file, clang::SourceRange tokens);

// Replacements by place. Nested ones: the outer wins. Equal ones count once.
class Substitution {
 public:
  explicit Substitution(const clang::ASTContext& ast) : Substitution(ast, ast.getSourceManager().getMainFileID()) {}
  // In another file, whose statements have no semicolons here: give ranges.
  Substitution(const clang::ASTContext& ast, clang::FileID file) : ast_(&ast), file_(file) {}

  void replace(const clang::Stmt* node, std::string text);  // a statement's semicolon goes too: write your own
  void replace(std::optional<TextRange> range, std::string text);
  void insert(std::size_t at, std::string text);  // equal ones count each
  void insert_before(const clang::Stmt* node, std::string text);
  void insert_after(const clang::Stmt* node, std::string text);
  // The name where `declaration` is declared (a local variable).
  void replace_name(const clang::NamedDecl* declaration, std::string text);
  // Every reference to `declaration` inside `within`, and its declaration when that is inside.
  void rename(const clang::Stmt* within, const clang::ValueDecl* declaration, const std::string& text);
  void merge(const Substitution& other);

  bool spoiled() const { return spoiled_; }
  // The text of `range` with the replacements inside it made.
  std::string text(TextRange range) const;
  std::string text(const clang::Stmt* node) const;  // "" and spoiled where it has no place

 private:
  friend class Edits;
  const clang::ASTContext* ast_;
  clang::FileID file_;
  std::multimap<std::size_t, std::pair<std::size_t, std::string>> at_;  // begin → end, text
  mutable bool spoiled_ = false;
};

// A Substitution over the whole candidate.
class Edits : public Substitution {
 public:
  explicit Edits(const KernelContext& context) : Substitution(context.ast), context_(&context) {}

  void include(std::string_view header);  // "<cmath>"; once, and not when the candidate has it
  void helper(const std::string& text);   // declarations in front of the definition, inside its namespace; once
  std::optional<std::string> candidate() const;

 private:
  const KernelContext* context_;
  std::string includes_, helpers_;
};

// The text of a node as it stands; "" where it has none.
std::string text_of(const clang::ASTContext& ast, const clang::Stmt* node);

// A name that nothing in the candidate uses: `stem`, else stem_2, stem_3, …
std::string fresh_name(const KernelContext& context, const std::string& stem);

// Several of them for one text, none twice.
class NewNames {
 public:
  explicit NewNames(const KernelContext& context) : context_(&context) {}
  std::string make(const std::string& stem);

 private:
  const KernelContext* context_;
  std::set<std::string> made_;
};

}  // namespace hone::frontend
