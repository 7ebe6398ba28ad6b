// What stands for a callee's parameter where its body stands in the kernel: the argument itself where nothing changes
// it meanwhile, else a local that has its value.
//
//   dot(a + i * n, x, n)   →   a[i * n + k], x[k], n
//
// Contract: every argument is evaluated once, or any number of times where nobody can tell. Nothing where neither is
// possible. Borrows the AST.
#pragma once

#include <optional>
#include <string>

#include "tool/transforms/calls/body_names.h"
#include "tool/transforms/calls/stable_value.h"

namespace hone::frontend {

class ParameterText {
 public:
  // `may_declare`: locals may stand in front of the body.
  ParameterText(const KernelContext& context, const Callee& callee, const BodyNames& names, const StableValues& stable,
                bool may_declare)
      : context_(context), callee_(callee), names_(names), stable_(stable), may_declare_(may_declare) {}

  // Replaces the uses of a parameter in `text`; the declarations that its argument needs. nullopt: it cannot be
  // written.
  std::optional<std::string> write(Substitution& text, const clang::ParmVarDecl* parameter, const clang::Expr* argument,
                                   FreshNames& fresh) const;

 private:
  using Uses = std::vector<const clang::DeclRefExpr*>;
  struct Place;  // of an argument that is an address
  static std::optional<Place> place_of(const clang::Expr* argument);

  const Uses& uses_of(const clang::ParmVarDecl* parameter) const;
  std::string written(const clang::Expr* argument) const;  // in parentheses where it is more than one word
  std::string converted_to(clang::QualType type, const clang::Expr* argument) const;
  bool stands_for(const clang::ParmVarDecl* parameter, const clang::Expr* argument) const;
  bool write_elements(Substitution& text, const clang::ParmVarDecl* parameter, const clang::Expr* argument) const;
  bool write_pointee(Substitution& text, const clang::ParmVarDecl* parameter, const clang::Expr* argument) const;
  bool write_reference(Substitution& text, const clang::ParmVarDecl* parameter, const clang::Expr* argument) const;
  bool write_value(Substitution& text, const clang::ParmVarDecl* parameter, const clang::Expr* argument) const;
  void replace_uses(Substitution& text, const clang::ParmVarDecl* parameter, const std::string& with) const;
  std::optional<std::string> declare(Substitution& text, const clang::ParmVarDecl* parameter,
                                     const clang::Expr* argument, FreshNames& fresh) const;

  const KernelContext& context_;
  const Callee& callee_;
  const BodyNames& names_;
  const StableValues& stable_;
  bool may_declare_;
};

}  // namespace hone::frontend
