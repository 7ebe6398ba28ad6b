// What clauses call the members that a function uses: `g->cells`, `im.rows`, and `cells` of its own object.
//
// Follows parameters that are objects, or point to one, through members and into functions that are called with them.
// Borrows the AST.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include <clang/AST/Type.h>

namespace clang {
class CallExpr;
class Expr;
class FieldDecl;
class FunctionDecl;
class ValueDecl;
}  // namespace clang

namespace hone::frontend {

class ObjectPaths {
 public:
  explicit ObjectPaths(const clang::FunctionDecl& function);

  struct Path {
    std::string text;      // "" for the function's own object
    bool pointer = false;  // what stands there points to the object
  };
  // Where an object, a container or a pointer lies; nullopt: clauses have no name for it.
  std::optional<Path> find(const clang::Expr* expression) const;
  // The same of a member that no statement of the function sets: of an integer, or of a container's size.
  std::optional<std::string> number(const clang::Expr& expression) const;

  // Does the function set the member?
  bool moves(const clang::Expr& member) const;

  // `Grid& inner = g->inner;`
  void name(const clang::ValueDecl& local, Path path) { known_[&local] = std::move(path); }

  // A call's parameters stand for its arguments, until leave() with what this returns.
  struct Frame {
    std::optional<Path> own;
  };
  Frame enter(const clang::FunctionDecl& callee, const clang::CallExpr& call);
  void leave(Frame frame) { own_ = std::move(frame.own); }

 private:
  std::string member(const Path& object, const std::string& name) const;

  const clang::FunctionDecl& function_;
  std::map<const clang::ValueDecl*, Path> known_;
  std::optional<Path> own_;
  std::set<const clang::FieldDecl*> modified_;
};

// Is the class put together of its members, as it holds pointers or containers?
bool is_put_together(clang::QualType type, const clang::ASTContext& context);

}  // namespace hone::frontend
