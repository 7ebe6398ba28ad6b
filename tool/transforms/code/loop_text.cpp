#include "tool/transforms/code/loop_text.h"

#include <algorithm>

#include "tool/transforms/code/interval.h"
#include "tool/transforms/code/language_text.h"

namespace hone::frontend {
namespace {

bool zero(const std::string& text) {
  return text == "0" || text == "(0)";
}

std::string counting(const Loop& loop, const std::string& variable, const std::string& from, const std::string& to,
                     long long step) {
  std::string increment = step == 1 ? "++" + variable : variable + " += " + std::to_string(step);
  return "for (" + loop.type + " " + variable + " = " + from + "; " + variable + " < " + to + "; " + increment + ") ";
}

// The variables that a loop's header starts: declared there or assigned.
std::vector<const clang::VarDecl*> counters_of(const clang::ForStmt* loop) {
  auto counters = declared_in(loop->getInit());
  auto* assigned = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInit());
  if (assigned && assigned->getOpcode() == clang::BO_Assign)
    if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(assigned->getLHS()->IgnoreParens()))
      if (auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) counters.push_back(variable);
  return counters;
}

}  // namespace

bool sets_counter(const clang::Stmt* statement, const clang::VarDecl* variable) {
  return std::ranges::any_of(all_of<clang::ForStmt>(statement), [&](const clang::ForStmt* loop) {
    const auto* assigned = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInit());
    return assigned && std::ranges::count(counters_of(loop), variable) > 0;
  });
}

std::string strips_end(const Loop& loop, long long width) {
  std::string stride = std::to_string(width * loop.step);
  if (zero(loop.lower_text)) return "(" + loop.upper_text + " / " + stride + " * " + stride + ")";
  std::string span = "(" + loop.upper_text + " - " + loop.lower_text + ") / " + stride + " * " + stride;
  // An empty range of unsigned bounds must not wrap around.
  return "(" + loop.lower_text + " < " + loop.upper_text + " ? " + loop.lower_text + " + " + span + " : " +
         loop.lower_text + ")";
}

std::string strips_header(const Loop& loop, const std::string& variable, long long width) {
  return counting(loop, variable, loop.lower_text, strips_end(loop, width), width * loop.step);
}

std::string tail_header(const Loop& loop, long long width) {
  return counting(loop, loop.variable->getNameAsString(), strips_end(loop, width), loop.upper_text, loop.step);
}

std::string rest_header(const Loop& loop, const std::string& variable, long long width) {
  return counting(loop, variable, strips_end(loop, width), loop.upper_text, width * loop.step);
}

std::string calls_of_strips(const Loop& loop, const std::string& strip, const std::string& function, long long width,
                            const std::string& left) {
  const std::string whole = std::to_string(width);
  return counting(loop, strip, loop.lower_text, loop.upper_text, width * loop.step) + left + " < " + whole + " ? " +
         function + "(" + strip + ", " + left + ") : " + function + "(" + strip + ", " + whole + ");\n";
}

bool never_below_zero(const KernelContext& context, const Loop& loop) {
  const clang::QualType type = loop.variable->getType();
  if (type->isUnsignedIntegerType()) return true;
  const auto lower = Intervals(context.ast, context.kernel).of(loop.lower);
  const auto bits = context.ast.getTypeSize(type);
  return lower && lower->low >= 0 && (bits >= 64 || lower->high < 1LL << (bits - 1));
}

std::string strip_end(const KernelContext& context, const Loop& loop, const std::string& strip, long long width) {
  const auto& ast = context.ast;
  const clang::QualType upper = loop.upper->IgnoreParenImpCasts()->getType();
  const auto bits = std::max(ast.getTypeSize(upper), ast.getTypeSize(loop.variable->getType()));
  std::string left = loop.upper_text + " - " + strip;
  if (!never_below_zero(context, loop) && upper->isIntegerType() && bits <= 64) {
    const char* type = bits <= 32                                  ? "unsigned"
                       : ast.getTypeSize(ast.UnsignedLongTy) == 64 ? "unsigned long"
                                                                   : "unsigned long long";
    left = converted(ast, type, loop.upper_text) + " - " + converted(ast, type, strip);
  }
  const std::string whole = std::to_string(width);
  return left + " < " + whole + " ? " + loop.upper_text + " : " + strip + " + " + whole;
}

std::string header(const Loop& loop, const std::string& from, const std::string& to) {
  return counting(loop, loop.variable->getNameAsString(), from, to, loop.step);
}

std::string header(const Loop& loop) {
  return header(loop, loop.lower_text, loop.upper_text);
}

std::optional<TextRange> range_with_pragmas(const clang::ASTContext& ast, const clang::Stmt* loop) {
  auto range = range_of(ast, loop);
  if (!range) return range;
  const auto& sources = ast.getSourceManager();
  llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
  for (;;) {
    llvm::StringRef before = text.substr(0, range->begin).rtrim();
    std::size_t line = before.rfind('\n');
    line = line == llvm::StringRef::npos ? 0 : line + 1;
    if (!before.substr(line).ltrim().starts_with("#pragma")) return range;
    range->begin = line;
  }
}

std::string unrolling_of(const KernelContext& context, const Loop& loop) {
  const auto all = range_with_pragmas(context.ast, loop.statement), bare = range_of(context.ast, loop.statement);
  if (!all || !bare) return {};
  const llvm::StringRef text = context.sources().getBufferData(context.sources().getMainFileID());
  llvm::SmallVector<llvm::StringRef> lines;
  text.slice(all->begin, bare->begin).split(lines, '\n');
  for (const llvm::StringRef line : lines)
    if (line.trim().starts_with("#pragma GCC unroll")) return "\n" + line.trim().str() + "\n";
  return {};
}

std::vector<const clang::VarDecl*> declared_in(const clang::Stmt* statement) {
  std::vector<const clang::VarDecl*> found;
  for (auto* declared : all_of<clang::DeclStmt>(statement))
    for (const clang::Decl* inner : declared->decls())
      if (auto* variable = llvm::dyn_cast<clang::VarDecl>(inner)) found.push_back(variable);
  return found;
}

std::set<const clang::VarDecl*> changed_from_outside(const Loop& loop) {
  std::set<const clang::VarDecl*> changed;
  for (auto* written : written_in(loop.body))
    if (auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(written);
        variable && !variable->getType()->isArrayType() && !declares(loop.statement, variable))
      changed.insert(variable);
  return changed;
}

bool moves_pointers(const Loop& loop) {
  return std::ranges::any_of(changed_from_outside(loop),
                             [](const clang::VarDecl* variable) { return variable->getType()->isPointerType(); });
}

bool mentions_any(const clang::Stmt* statement, const std::set<const clang::ValueDecl*>& variables) {
  if (!statement) return false;
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(statement);
  if (reference && variables.contains(reference->getDecl())) return true;
  return std::any_of(statement->child_begin(), statement->child_end(),
                     [&](const clang::Stmt* child) { return mentions_any(child, variables); });
}

std::set<const clang::ValueDecl*> variant_variables(const Loop& loop, const std::set<const clang::ValueDecl*>& shared) {
  std::set<const clang::ValueDecl*> variant{loop.variable};
  auto locals = declared_in(loop.body);
  const auto written = written_in(loop.body);
  std::set<const clang::VarDecl*> counters;
  for (auto* inner : all_of<clang::ForStmt>(loop.body))
    for (auto* variable : counters_of(inner)) counters.insert(variable);
  for (bool grew = true; grew;) {
    grew = false;
    for (auto* local : locals) {
      if (variant.contains(local) || shared.contains(local)) continue;
      bool changes = !counters.contains(local) && (!local->hasInit() || written.contains(local));
      bool depends = local->getInit() && mentions_any(local->getInit(), variant);
      bool loads = local->getInit() && !local->getType()->isReferenceType() && !local->getType()->isPointerType() &&
                   !invariant_in(local->getInit(), Loop{}, true);
      if (changes || depends || loads) grew = variant.insert(local).second;
    }
    // A loop over bounds that vary has a counter that varies.
    for (auto* inner : all_of<clang::ForStmt>(loop.body)) {
      if ((inner->getCond() && mentions_any(inner->getCond(), variant)))
        for (auto* variable : counters_of(inner))
          if (!shared.contains(variable) && variant.insert(variable).second) grew = true;
    }
  }
  return variant;
}

bool hides_names(const clang::Stmt* statement, const clang::Expr* expression) {
  const auto declared = declared_in(statement);
  return std::ranges::any_of(all_of<clang::DeclRefExpr>(expression), [&](const clang::DeclRefExpr* part) {
    return std::ranges::any_of(declared, [&](const clang::VarDecl* local) {
      return local != part->getDecl() && local->getDeclName() == part->getDecl()->getDeclName();
    });
  });
}

bool has_another_name(const clang::VarDecl* variable, const clang::Stmt* function) {
  return variable->getType()->isReferenceType() ||
         std::ranges::any_of(declared_in(function), [&](const clang::VarDecl* other) {
           return other->getType()->isReferenceType() && other->getInit() && mentions(other->getInit(), variable);
         });
}

bool may_trap(const clang::Expr* value) {
  return std::ranges::any_of(all_of<clang::BinaryOperator>(value), [](const clang::BinaryOperator* one) {
    const bool divides = one->getOpcode() == clang::BO_Div || one->getOpcode() == clang::BO_Rem;
    return divides && one->getType()->isIntegerType() &&
           !llvm::isa<clang::IntegerLiteral>(one->getRHS()->IgnoreParenImpCasts());
  });
}

std::string plain_type(const clang::ASTContext& ast, clang::QualType type) {
  type = type.getNonReferenceType().getUnqualifiedType();
  if (type->getContainedAutoType()) type = type.getCanonicalType().getUnqualifiedType();
  if (type->isArrayType() || type->isFunctionPointerType() || type->isMemberPointerType()) return {};
  if (auto* record = type->getAsCXXRecordDecl(); record && (record->isLambda() || !record->getIdentifier())) return {};
  if (auto* tag = type->getAsTagDecl(); tag && !tag->getIdentifier() && !tag->getTypedefNameForAnonDecl()) return {};
  return type.getAsString(clang::PrintingPolicy(ast.getLangOpts()));
}

std::string braces(const std::string& text) {
  return "{\n" + text + "\n}";
}

}  // namespace hone::frontend
