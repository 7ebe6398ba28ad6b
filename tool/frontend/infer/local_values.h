// What a function's locals hold: those that are set once, and pointers and integers that only count along.
//
// Borrows the AST and the bounds, whose loops it goes through and to which it tells the values that it finds.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "tool/frontend/infer/bounds.h"

namespace clang {
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
}  // namespace clang

namespace hone::frontend {

class LocalValues {
 public:
  explicit LocalValues(Bounds& bounds) : bounds_(bounds) {}

  // The function's own, or those of one that it calls, at the depth of loops where it does.
  void enter(const clang::FunctionDecl& function);
  // Variables of the functions entered that are set anew.
  bool change(const clang::VarDecl& variable) const { return modified_.contains(&variable); }
  // Of a statement that declares or sets variables.
  void note(const clang::Stmt* statement);

  // How far a variable counts along: in all, and in one trip of the loops.
  struct Way {
    std::optional<Polynomial> all;
    Polynomial each;
  };
  const Way* way(const clang::VarDecl& variable) const;

 private:
  void find_steps(const clang::Stmt* statement);
  void note_declared(const clang::Stmt* statement);
  void note_late(const clang::Stmt* statement);
  void add_step(const clang::Expr* target, std::optional<Polynomial> step);

  Bounds& bounds_;
  std::set<const clang::VarDecl*> modified_;
  std::map<const clang::VarDecl*, std::size_t> declared_at_;  // depth of loops
  std::map<const clang::VarDecl*, Way> steps_;
};

}  // namespace hone::frontend
