#include "tool/transforms/loops/jam_strips.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <clang/AST/ExprCXX.h>

#include "tool/transforms/code/accesses.h"
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
  JamStrips(const KernelContext& context, LoopNest& nest, const Loop& loop, int factor)
      : context_(context), nest_(nest), loop_(loop), factor_(factor), changes_(context.ast) {
    set_variant();
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
  // Counters of loops whose bound moves with the copies count the same for all of them where all run.
  void set_variant() {
    std::set<const clang::ValueDecl*> counters;
    for (const auto* inner : all_of<clang::ForStmt>(loop_.body))
      if (const Loop* loop = nest_.of(inner); loop && loop->counted && loop->owns_variable)
        counters.insert(loop->variable);
    variant_ = variant_variables(loop_, counters);
  }

  // Every statement of the block runs for all copies; false: one cannot. Where a loop repeats them, copies are
  // innermost, so that they share what is loaded.
  bool jam(const clang::Stmt* block, bool repeated) {
    return std::ranges::all_of(statements_of(block),
                               [&](const clang::Stmt* statement) { return jammed(statement, repeated); });
  }

  bool jammed(const clang::Stmt* statement, bool repeated) {
    if (llvm::isa<clang::CompoundStmt>(statement)) return jam(statement, repeated);
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement))
      return function_in(declared) ? jam_function(*function_in(declared), *declared) : widened(*declared, repeated);
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
    const Effects effects = effects_of(loop.getBody());
    if (effects.leaves || effects.continues) return false;
    for (const clang::Stmt* part : {loop.getInit(), static_cast<const clang::Stmt*>(loop.getCond())})
      if (part && mentions_any(part, variant_)) return jam_triangle(loop);
    return jam(loop.getBody(), true);
  }

  // A loop with one bound that moves as the copies do. All of them run what they have in common; the corner, which only
  // some have, runs copy by copy: behind the common part, or in front of it, so that each keeps its order.
  bool jam_triangle(const clang::ForStmt& statement) {
    const Loop* loop = nest_.of(&statement);
    if (!loop || !loop->counted || loop->step != 1 || !loop->owns_variable) return false;
    const bool from_below = moves_along(loop->lower) && fixed(loop->upper);
    if (!from_below && !(fixed(loop->lower) && moves_along(loop->upper))) return false;
    const Substitution corner = changes_;  // with what the copies' values are called, and without loops over copies
    if (!jam(loop->body, true)) return false;
    const std::string lower = bound(*loop, false, variable_), upper = bound(*loop, true, variable_);
    const std::string each = header(loop_, strip_, strip_ + " + " + count_) + "\n";
    const std::string alone = corner.text(loop->body), common = changes_.text(loop->body);
    const std::string last = bound(*loop, false, strip_ + " + " + count_ + " - 1"), first = bound(*loop, true, strip_);
    changes_.replace(&statement, from_below ? each + header(*loop, lower, smaller(last, upper)) + alone + "\n" +
                                                  header(*loop, last, upper) + common + "\n"
                                            : header(*loop, lower, first) + common + "\n" + each +
                                                  header(*loop, larger(lower, first), upper) + alone + "\n");
    return !corner.spoiled();
  }

  static std::string smaller(const std::string& a, const std::string& b) {
    return "(" + a + " < " + b + " ? " + a + " : " + b + ")";
  }
  static std::string larger(const std::string& a, const std::string& b) {
    return "(" + a + " > " + b + " ? " + a + " : " + b + ")";
  }

  bool fixed(const clang::Expr* bound) const { return !mentions_any(bound, variant_); }

  // By the loop's variable alone, and as fast as it.
  bool moves_along(const clang::Expr* bound) const {
    for (const auto* variable : variant_)
      if (variable != loop_.variable && mentions(bound, variable)) return false;
    const auto index = IndexPolynomial::of(context_.ast, bound);
    const auto stride = index ? index->stride(loop_.variable) : std::nullopt;
    return stride && stride->as_constant() == 1;
  }

  // In parentheses where it is more than a word, or in them already.
  static std::string operand(const std::string& text) {
    const bool word = std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    const bool inside = text.starts_with("(") && text.find(')') == text.size() - 1;
    return word || inside ? text : "(" + text + ")";
  }

  // Where a copy's loop begins or ends.
  std::string bound(const Loop& loop, bool upper, const std::string& copy) const {
    const clang::Expr* expression = upper ? loop.upper : loop.lower;
    Substitution of_copy(context_.ast);
    of_copy.rename(expression, loop_.variable, operand(copy));
    const std::string text = operand(of_copy.text(expression));
    return upper && loop.inclusive ? "(" + text + " + 1)" : text;
  }

  // float s[32] becomes float s[4][32], and float s = x becomes float s[4], which a loop over the copies sets.
  bool widened(const clang::DeclStmt& declared, bool repeated) {
    std::string text, values;
    bool any = false, all = true;
    for (const clang::Decl* one : declared.decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      const bool varies = variable && variant_.contains(variable);
      if (!variable || (varies && !widen(*variable, text, values))) return false;
      any |= varies;
      all &= varies;
    }
    if (!any || !all) return !any;  // the same for all copies, or beside what is
    const std::string copies = header(loop_, strip_, strip_ + " + " + count_);
    if (!values.empty()) text += (repeated ? unrolled_before(&declared) : "") + copies + values;
    changes_.replace(&declared, text);
    return true;
  }

  // False: it cannot stand in an array.
  bool widen(const clang::VarDecl& variable, std::string& text, std::string& values) {
    const auto* array = context_.ast.getAsConstantArrayType(variable.getType());
    const bool zeros = array && variable.hasInit();  // vectorise_outer writes no others
    const std::string element = variable.getType()->isReferenceType()
                                    ? ""
                                    : plain_type(context_.ast, array ? array->getElementType() : variable.getType());
    if (element.empty() || (zeros && !is_zero_list(variable.getInit())) || !values.empty()) return false;
    const std::string name = variable.getNameAsString();
    text += element + " " + name + "[" + std::to_string(factor_) + "]" +
            (array ? "[" + std::to_string(array->getZExtSize()) + "]" : "") + (zeros ? " = {{0}}" : "") + ";\n";
    const std::string own = name + "[" + variable_ + " - " + strip_ + "]";
    if (!array && variable.hasInit()) values = own + " = " + changes_.text(variable.getInit()) + ";\n";
    changes_.rename(loop_.body, &variable, own);
    return true;
  }

  bool is_zero_list(const clang::Expr* init) const {
    const auto* list = llvm::dyn_cast<clang::InitListExpr>(init->IgnoreImplicit());
    if (!list) return false;
    const clang::InitListExpr* written =
        list->isSemanticForm() && list->getSyntacticForm() ? list->getSyntacticForm() : list;
    if (written->getNumInits() != 1) return written->getNumInits() == 0;
    const auto value = written->getInit(0)->IgnoreParenImpCasts();
    const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(value);
    return number && number->getValue() == 0;
  }

  const KernelContext& context_;
  LoopNest& nest_;
  const Loop& loop_;
  const int factor_;
  std::set<const clang::ValueDecl*> variant_;
  Substitution changes_;
  std::string variable_, strip_, count_;
  const clang::VarDecl* function_ = nullptr;   // of strips
  const clang::ParmVarDecl* begin_ = nullptr;  // where one of its strips begins
  bool shares_ = false;                        // a loop inside repeats all copies
};

}  // namespace

std::optional<std::string> jammed_strips(const KernelContext& context, LoopNest& nest, const Loop& loop, int factor) {
  return context.compact && !is_c(context.ast) ? JamStrips(context, nest, loop, factor).text() : std::nullopt;
}

}  // namespace hone::frontend
