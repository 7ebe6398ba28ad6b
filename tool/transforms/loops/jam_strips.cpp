#include "tool/transforms/loops/jam_strips.h"

#include <algorithm>

#include <clang/AST/ExprCXX.h>

#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

const clang::LambdaExpr* function_in(const clang::Stmt* statement) {
  const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
  if (!declared || !declared->isSingleDecl()) return nullptr;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
  if (!variable || !variable->getInit()) return nullptr;
  return llvm::dyn_cast<clang::LambdaExpr>(variable->getInit()->IgnoreImplicit());
}

class JamStrips {
 public:
  JamStrips(const KernelContext& context, const Loop& loop, int factor)
      : context_(context), loop_(loop), factor_(factor), changes_(context.ast) {
    variable_ = loop.variable->getNameAsString();
    strip_ = fresh_name(context, variable_ + "_strip");
    count_ = fresh_name(context, variable_ + "_count");
  }

  std::optional<std::string> text() {
    auto statements = statements_of(loop_.body);
    while (statements.size() == 1 && llvm::isa<clang::CompoundStmt>(statements[0]))
      statements = statements_of(statements[0]);
    const clang::LambdaExpr* strip = statements.size() == 2 ? function_in(statements[0]) : nullptr;
    if (!strip || strip->getCallOperator()->getNumParams() != 2 || loop_.step != 1) return std::nullopt;
    if (mentions(statements[1], loop_.variable) || !llvm::isa<clang::ForStmt>(statements[1])) return std::nullopt;
    begin_ = strip->getCallOperator()->getParamDecl(0);
    if (!jam(strip->getBody())) return std::nullopt;
    std::string inside;
    for (const clang::Stmt* statement : statements) inside += changes_.text(statement) + "\n";
    if (changes_.spoiled()) return std::nullopt;
    const std::string rows = fresh_name(context_, variable_ + "_rows");
    return braces("const auto " + rows + " = [&](" + loop_.type + " " + strip_ + ", " + loop_.type + " " + count_ +
                  ") __attribute__((always_inline)) " + braces(inside) + ";\n" +
                  calls_of_strips(loop_, strip_, rows, factor_, loop_.upper_text + " - " + strip_));
  }

 private:
  // Every statement of the block runs for all copies; false: one cannot.
  bool jam(const clang::Stmt* block) {
    return std::ranges::all_of(statements_of(block), [this](const clang::Stmt* statement) {
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) return widened(declared);
      const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement);
      if (!loop) return false;
      if (!loop->getInit() || !mentions(loop->getInit(), begin_)) return jam_inside(*loop);
      changes_.insert_before(loop, header(loop_, strip_, strip_ + " + " + count_) + "\n");
      return true;
    });
  }

  // A loop that all copies run together.
  bool jam_inside(const clang::ForStmt& loop) {
    for (const clang::Stmt* part : {loop.getInit(), static_cast<const clang::Stmt*>(loop.getCond())})
      if (part && mentions(part, loop_.variable)) return false;
    return !effects_of(loop.getBody()).continues && jam(loop.getBody());
  }

  // float s[32] becomes float s[4][32].
  bool widened(const clang::DeclStmt* declared) {
    const auto* array = declared->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    const auto* type = array ? context_.ast.getAsConstantArrayType(array->getType()) : nullptr;
    const std::string element = type && !array->hasInit() ? plain_type(context_.ast, type->getElementType()) : "";
    if (element.empty()) return false;
    const std::string name = array->getNameAsString();
    changes_.replace(declared, element + " " + name + "[" + std::to_string(factor_) + "][" +
                                   std::to_string(type->getZExtSize()) + "];");
    changes_.rename(loop_.body, array, name + "[" + variable_ + " - " + strip_ + "]");
    return true;
  }

  const KernelContext& context_;
  const Loop& loop_;
  const int factor_;
  Substitution changes_;
  std::string variable_, strip_, count_;
  const clang::ParmVarDecl* begin_ = nullptr;  // where a strip of the function begins
};

}  // namespace

std::optional<std::string> jammed_strips(const KernelContext& context, const Loop& loop, int factor) {
  return context.compact ? JamStrips(context, loop, factor).text() : std::nullopt;
}

}  // namespace hone::frontend
