// What the names in a callee's body stand for, and how they are written where the kernel calls it.
//
// Contract: after write_names() every name but those of parameters means in the kernel what it meant in the callee: its
// own variables are renamed where the kernel knows the name, the rest is qualified where the kernel's scopes would find
// another. False where that cannot be written. Borrows the AST.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tool/transforms/calls/callee.h"

namespace hone::frontend {

// Names for what the callee brings along. Shared by all calls of one rewriting.
class FreshNames {
 public:
  explicit FreshNames(const KernelContext& context) : context_(&context) {}
  // `stem` where neither the candidate nor an earlier call has it; else with a number, also unknown to `beside`.
  std::string take(const std::string& stem, llvm::StringRef beside);

 private:
  const KernelContext* context_;
  std::set<std::string> taken_;
};

// The object that a member function is called on.
struct CalledObject {
  std::string access;   // "": the kernel's own, by the same names; else "mixer." or "mixer->"
  std::string pointer;  // "this", "(&mixer)", "mixer"
};

struct BodyNames {
  struct NamedType {
    clang::SourceRange place;
    clang::QualType type;
    const clang::NamedDecl* declared = nullptr;
    bool qualified = false, substituted = false;
  };
  std::map<const clang::ValueDecl*, std::vector<const clang::DeclRefExpr*>> uses;  // of parameters and locals
  std::vector<const clang::VarDecl*> locals;
  std::vector<const clang::DeclRefExpr*> others;
  std::vector<const clang::MemberExpr*> members;                      // of the function's own object
  std::vector<const clang::CXXThisExpr*> pointers;                    // `this` by itself
  std::vector<std::pair<const clang::Expr*, std::string>> constants;  // template arguments that are numbers
  std::vector<NamedType> types;
  std::map<const clang::Stmt*, const clang::Stmt*> parents;  // without parentheses and implicit conversions
  bool strange = false;

  explicit BodyNames(const Callee& callee);
};

bool write_names(Substitution& text, const BodyNames& names, const KernelContext& context, const Callee& callee,
                 const CalledObject& object, FreshNames& fresh);

// "const app::real gain"; "" where the type cannot be spelled.
std::string spelled(const clang::ASTContext& ast, clang::QualType type, const std::string& name);

}  // namespace hone::frontend
