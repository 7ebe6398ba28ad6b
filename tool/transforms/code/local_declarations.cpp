#include "tool/transforms/code/local_declarations.h"

#include <algorithm>
#include <vector>

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

using Assignments = std::vector<const clang::BinaryOperator*>;

// `v = e;` where e does not mention v.
const clang::BinaryOperator* plain_assignment(const clang::Stmt* statement, const clang::VarDecl* variable) {
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
  if (!assignment || assignment->getOpcode() != clang::BO_Assign || mentions(assignment->getRHS(), variable))
    return nullptr;
  const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS());
  return target && target->getDecl() == variable ? assignment : nullptr;
}

bool begins_anew(const clang::Stmt* statement, const clang::VarDecl* variable, Assignments& first);

// The blocks inside a statement each give the variable a value before they use it, and nothing else mentions it.
bool blocks_begin_anew(const clang::Stmt* statement, const clang::VarDecl* variable, Assignments& first) {
  if (llvm::isa<clang::CompoundStmt>(statement)) return begins_anew(statement, variable, first);
  if (!llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::IfStmt>(statement)) return false;
  return std::ranges::all_of(statement->children(), [&](const clang::Stmt* part) {
    return !part || !mentions(part, variable) || blocks_begin_anew(part, variable, first);
  });
}

bool begins_anew(const clang::Stmt* block, const clang::VarDecl* variable, Assignments& first) {
  for (const clang::Stmt* statement : statements_of(block)) {
    if (!mentions(statement, variable)) continue;
    if (const auto* assignment = plain_assignment(statement, variable)) {
      first.push_back(assignment);
      return true;  // whatever follows is in its scope
    }
    if (!blocks_begin_anew(statement, variable, first)) return false;
  }
  return true;
}

bool may_move(const clang::ASTContext& ast, const clang::Decl* declared) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
  if (!variable || !variable->hasLocalStorage() || variable->hasInit() || variable->hasAttrs()) return false;
  const clang::QualType type = variable->getType();
  return (type->isArithmeticType() || type->isPointerType()) && !type.isVolatileQualified() &&
         !plain_type(ast, type).empty();
}

bool address_is_taken(const clang::Stmt* body, const clang::VarDecl* variable) {
  return std::ranges::any_of(all_of<clang::UnaryOperator>(body), [&](const clang::UnaryOperator* unary) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(unary->getSubExpr()->IgnoreParens());
    return unary->getOpcode() == clang::UO_AddrOf && use && use->getDecl() == variable;
  });
}

// Jumps reach into blocks.
bool jumps(const clang::Stmt* body) {
  return !all_of<clang::LabelStmt>(body).empty() || !all_of<clang::SwitchStmt>(body).empty() ||
         !all_of<clang::AddrLabelExpr>(body).empty();
}

class Mover {
 public:
  explicit Mover(const KernelContext& context) : context_(context), edits_(context) {}

  std::optional<std::string> run() {
    const clang::Stmt* body = context_.kernel->getBody();
    if (!is_c(context_.ast) || jumps(body)) return std::nullopt;  // in C++ a reference may keep one alive
    for (const auto* block : all_of<clang::CompoundStmt>(body))
      for (const clang::Stmt* statement : statements_of(block))
        if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) look_at(*declared, block);
    return moved_ ? edits_.candidate() : std::nullopt;
  }

 private:
  void look_at(const clang::DeclStmt& declared, const clang::CompoundStmt* block) {
    std::vector<const clang::Decl*> staying;
    bool moves = false;
    for (const clang::Decl* one : declared.decls()) {
      if (may_move(context_.ast, one) && move(llvm::cast<clang::VarDecl>(one), declared, block))
        moves = true;
      else
        staying.push_back(one);
    }
    if (moves) leave(declared, staying);
  }

  // False: it stays.
  bool move(const clang::VarDecl* variable, const clang::DeclStmt& declared, const clang::CompoundStmt* block) {
    Assignments first;
    for (const clang::Stmt* statement : statements_of(block)) {
      if (statement == &declared || !mentions(statement, variable)) continue;
      if (!blocks_begin_anew(statement, variable, first)) return false;
    }
    if (first.empty() || address_is_taken(context_.kernel->getBody(), variable)) return false;
    for (const auto* assignment : first) {
      std::string declaration = variable->getNameAsString();
      variable->getType().getAsStringInternal(declaration, clang::PrintingPolicy(context_.ast.getLangOpts()));
      edits_.replace(assignment->getLHS(), declaration);
    }
    return moved_ = true;
  }

  // The declaration without those that moved.
  void leave(const clang::DeclStmt& declared, const std::vector<const clang::Decl*>& staying) {
    std::string text;
    for (const clang::Decl* one : staying) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (!variable) {
        edits_.replace(std::nullopt, "");  // a type that is declared there, too
        return;
      }
      std::string name = variable->getNameAsString();
      variable->getType().getAsStringInternal(name, clang::PrintingPolicy(context_.ast.getLangOpts()));
      text += (variable->isStaticLocal() ? "static " : "") + name +
              (variable->getInit() ? " = " + text_of(context_.ast, variable->getInit()) : "") + ";\n";
    }
    edits_.replace(&declared, text);
  }

  const KernelContext& context_;
  Edits edits_;
  bool moved_ = false;
};

}  // namespace

std::optional<std::string> with_local_declarations(const KernelContext& context) {
  return Mover(context).run();
}

}  // namespace hone::frontend
