// The main file as a list of what stands at namespace level: each declaration with every byte that belongs to it.
//
// Clang's ranges leave out attributes, `extern "C"`, `template<>`, further declarators and the semicolon; an Item has
// them. Declarations that share text (int a, b; struct S {} s; one macro call) are one Item. Borrows the unit.
#pragma once

#include <cstddef>
#include <vector>

#include "tool/frontend/parse/translation_unit.h"

namespace clang {
class Decl;
class DeclContext;
}  // namespace clang

namespace hone::frontend {

struct Item {
  std::size_t begin = 0, end = 0;
  std::vector<const clang::Decl*> declarations;  // templates as templates; never a namespace
  bool function_body = false;                    // ends at a body's brace
};

// namespace … { } or extern "C" { }.
struct Scope {
  std::size_t begin = 0;  // of its first token
  std::size_t open = 0;   // behind the brace
  std::size_t close = 0;  // at the closing brace
};

class Outline {
 public:
  explicit Outline(const TranslationUnit& unit);

  const std::vector<Item>& items() const { return items_; }
  const std::vector<Scope>& scopes() const { return scopes_; }
  int item_at(std::size_t offset) const;                   // index; -1: none
  const Scope* outermost_scope(std::size_t offset) const;  // around a place; nullptr: global
  std::size_t active_token(
      std::size_t offset) const;  // index of the first one at or after that is code and not skipped
  // Index of the token where code goes on behind the _Pragma operators at `token`, and behind macros that make
  // annotations. `token` itself where neither stands.
  std::size_t behind_operators(std::size_t token) const;

 private:
  void walk(const clang::DeclContext& context);
  void add(const clang::Decl& declaration, clang::SourceRange range);
  void add_scope(clang::SourceLocation begin, clang::SourceLocation close);
  std::size_t end_of(const clang::Decl& declaration, clang::SourceRange range, bool& function_body) const;

  const TranslationUnit& unit_;
  std::vector<Item> items_;
  std::vector<Scope> scopes_;
  std::size_t boundary_ = 0;  // end of what was walked last
};

}  // namespace hone::frontend
