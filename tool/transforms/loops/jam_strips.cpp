#include "tool/transforms/loops/jam_strips.h"

#include <algorithm>

#include <clang/AST/ExprCXX.h>

#include "tool/transforms/code/language_text.h"
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
    strip_ = fresh_name(context, variable_ + "0");
    count_ = fresh_name(context, "count");
  }

  std::optional<std::string> text() {
    const Effects effects = effects_of(loop_.body);
    if (loop_.step != 1 || effects.leaves || effects.continues || !jam(loop_.body, false) || !shares_)
      return std::nullopt;
    std::string inside;
    for (const clang::Stmt* statement : statements_of(loop_.body)) inside += changes_.text(statement) + "\n";
    if (changes_.spoiled()) return std::nullopt;
    const std::string rows = fresh_name(context_, variable_ + "_rows");
    return braces("const auto " + rows + " = [&](" + loop_.type + " " + strip_ + ", " + loop_.type + " " + count_ +
                  ") __attribute__((always_inline)) " + braces(inside) + ";\n" +
                  calls_of_strips(loop_, strip_, rows, factor_, loop_.upper_text + " - " + strip_));
  }

 private:
  // Every statement of the block runs for all copies; false: one cannot. Where a loop repeats them, copies are
  // innermost, so that they share what is loaded.
  bool jam(const clang::Stmt* block, bool repeated) {
    return std::ranges::all_of(statements_of(block),
                               [&](const clang::Stmt* statement) { return jammed(statement, repeated); });
  }

  bool jammed(const clang::Stmt* statement, bool repeated) {
    if (llvm::isa<clang::CompoundStmt>(statement)) return jam(statement, repeated);
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement))
      return function_in(declared) ? jam_function(*function_in(declared), *declared) : widened(declared);
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement);
    if (!loop && !all_of<clang::ForStmt>(statement).empty()) return false;
    if (loop && function_ && mentions(loop->getBody(), function_)) return !mentions(loop, loop_.variable);
    const bool lanes = loop && begin_ && loop->getInit() && mentions(loop->getInit(), begin_);
    if (loop && !lanes) return jam_inside(*loop);
    if (!loop && !llvm::isa<clang::Expr, clang::IfStmt>(statement)) return false;
    const std::string copies = header(loop_, strip_, strip_ + " + " + count_) + "\n";
    shares_ |= repeated;
    if (repeated)
      changes_.insert_before(lanes ? loop->getBody() : statement,
                             unrolled_before(lanes ? loop->getBody() : statement) + copies);
    else
      changes_.insert_before(statement, copies);
    return true;
  }

  // On a line of its own.
  std::string unrolled_before(const clang::Stmt* statement) const {
    const clang::SourceManager& sources = context_.sources();
    const auto place = range_of(context_.ast, statement);
    const llvm::StringRef text = sources.getBufferData(sources.getMainFileID()).take_front(place ? place->begin : 0);
    const bool first = text.rtrim(" \t").ends_with("\n");
    return std::string(first ? "" : "\n") + "#pragma GCC unroll " + std::to_string(factor_) + "\n";
  }

  // What vectorise_outer wrote: a function of where a strip begins and how wide it is.
  bool jam_function(const clang::LambdaExpr& function, const clang::DeclStmt& declared) {
    if (function.getCallOperator()->getNumParams() != 2 || function_) return false;
    function_ = llvm::cast<clang::VarDecl>(declared.getSingleDecl());
    begin_ = function.getCallOperator()->getParamDecl(0);
    return jam(function.getBody(), false);
  }

  // A loop that all copies run together.
  bool jam_inside(const clang::ForStmt& loop) {
    for (const clang::Stmt* part : {loop.getInit(), static_cast<const clang::Stmt*>(loop.getCond())})
      if (part && mentions(part, loop_.variable)) return false;
    const Effects effects = effects_of(loop.getBody());
    return !effects.leaves && !effects.continues && jam(loop.getBody(), true);
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
  const clang::VarDecl* function_ = nullptr;   // of strips
  const clang::ParmVarDecl* begin_ = nullptr;  // where one of its strips begins
  bool shares_ = false;                        // a loop inside repeats all copies
};

}  // namespace

std::optional<std::string> jammed_strips(const KernelContext& context, const Loop& loop, int factor) {
  return context.compact && !is_c(context.ast) ? JamStrips(context, loop, factor).text() : std::nullopt;
}

}  // namespace hone::frontend
