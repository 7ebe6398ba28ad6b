// Loads and stores by functions that are cache hints become plain ones, which other moves understand.
//
//   __ldcs(&x[i])       →  x[i]
//   __ldg(x + i)        →  x[i]
//   __stcs(x + i, v);   →  x[i] = v;
//
// All of the kernel at once. What passes by the caches on purpose stays as it is: by __ldcg, __ldcv, __stcg and __stwt
// blocks see what others wrote. So does what a reference is bound to, which would otherwise see later stores.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

bool is_one_of(const clang::CallExpr& call, const auto& names, unsigned arguments) {
  const auto* function = call.getDirectCallee();
  return function && function->getIdentifier() && call.getNumArgs() == arguments &&
         std::ranges::find(names, std::string_view(function->getName())) != names.end();
}

bool is_load(const clang::CallExpr& call) {
  constexpr std::array<std::string_view, 4> names{"__ldg", "__ldca", "__ldcs", "__ldlu"};
  return is_one_of(call, names, 1);
}

bool is_store(const clang::CallExpr& call) {
  constexpr std::array<std::string_view, 2> names{"__stwb", "__stcs"};
  return is_one_of(call, names, 2);
}

// CUDA's own function, for the type that the element has by itself.
bool is_cache_hint(const clang::ASTContext& ast, const clang::CallExpr& call) {
  if (!is_load(call) && !is_store(call)) return false;
  const auto& sources = ast.getSourceManager();
  if (!sources.isInSystemHeader(sources.getExpansionLoc(call.getDirectCallee()->getLocation()))) return false;
  const clang::QualType pointer = call.getArg(0)->IgnoreParenImpCasts()->getType();
  const clang::QualType declared = call.getDirectCallee()->getParamDecl(0)->getType();
  const clang::QualType element = pointer->isArrayType() ? ast.getBaseElementType(pointer) : pointer->getPointeeType();
  return !element.isNull() && !declared->getPointeeType().isNull() &&
         ast.hasSameUnqualifiedType(element, declared->getPointeeType());
}

class PlainText {
 public:
  explicit PlainText(const KernelContext& context) : context_(context) {}

  // Those that stand in no other.
  std::vector<const clang::CallExpr*> calls_in(const clang::Stmt* statement) const {
    std::set<const clang::Expr*> bound;
    for (const auto* object : all_of<clang::MaterializeTemporaryExpr>(statement))
      bound.insert(object->getSubExpr()->IgnoreParenImpCasts());
    std::vector<const clang::CallExpr*> calls;
    for (const auto* call : all_of<clang::CallExpr>(statement))
      if (is_cache_hint(context_.ast, *call) && !bound.contains(call) && (calls.empty() || !holds(calls.back(), call)))
        calls.push_back(call);
    return calls;
  }

  // "": it has no place in the text.
  std::string text(const clang::CallExpr& call) const {
    const std::string element = element_text(*call.getArg(0));
    if (element.empty() || is_load(call)) return element;
    const std::string value = text_with_plain(*call.getArg(1));
    return value.empty() ? value : element + " = " + value;
  }

 private:
  std::string text_with_plain(const clang::Expr& expression) const {
    Substitution plain(context_.ast);
    for (const auto* call : calls_in(&expression)) {
      const std::string instead = text(*call);
      if (instead.empty()) return "";
      plain.replace(range_of(context_.ast, call->getSourceRange()), instead);
    }
    const auto range = range_of(context_.ast, expression.getSourceRange());
    const std::string text = range ? plain.text(*range) : "";
    return plain.spoiled() ? "" : text;
  }

  // What a pointer points to.
  std::string element_text(const clang::Expr& pointer) const {
    const clang::Expr* bare = pointer.IgnoreParenImpCasts();
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(bare);
    if (address && address->getOpcode() == clang::UO_AddrOf) {
      const std::string element = text_with_plain(*address->getSubExpr());
      return element.empty() || is_closed(*address->getSubExpr()) ? element : "(" + element + ")";
    }
    if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(bare);
        sum && sum->getOpcode() == clang::BO_Add && !sum->getLHS()->getType()->isIntegralOrEnumerationType()) {
      const std::string base = closed_text(*sum->getLHS()), index = text_with_plain(*sum->getRHS());
      return base.empty() || index.empty() ? "" : base + "[" + index + "]";
    }
    const std::string base = closed_text(*bare);
    return base.empty() ? "" : "(*" + base + ")";
  }

  std::string closed_text(const clang::Expr& expression) const {
    const std::string text = text_with_plain(expression);
    return text.empty() || is_closed(expression) ? text : "(" + text + ")";
  }

  static bool is_closed(const clang::Expr& expression) {
    const clang::Expr* bare = expression.IgnoreImpCasts();
    return !llvm::isa<clang::CXXOperatorCallExpr>(bare) &&
           llvm::isa<clang::DeclRefExpr, clang::ArraySubscriptExpr, clang::MemberExpr, clang::ParenExpr,
                     clang::CallExpr>(bare);
  }

  static bool holds(const clang::Stmt* outer, const clang::Stmt* inner) {
    const auto all = all_of<clang::CallExpr>(outer);
    return std::ranges::find(all, inner) != all.end();
  }

  const KernelContext& context_;
};

class PlainAccess final : public Transformation {
 public:
  std::string_view name() const override { return "plain_access"; }

  unsigned sites(const KernelContext& context) const override { return texts_of(context).empty() ? 0 : 1; }

  std::optional<std::string> apply(const KernelContext& context, unsigned, const std::vector<int>&) const override {
    Edits edits(context);
    for (const auto& [call, text] : texts_of(context))
      edits.replace(range_of(context.ast, call->getSourceRange()), text);
    return edits.candidate();
  }

 private:
  // Of what is written out: a macro's calls have no place.
  static std::map<const clang::CallExpr*, std::string> texts_of(const KernelContext& context) {
    const PlainText plain(context);
    std::map<const clang::CallExpr*, std::string> texts;
    for (const auto* call : plain.calls_in(context.kernel->getBody())) {
      std::string text = plain.text(*call);
      if (!text.empty() && range_of(context.ast, call->getSourceRange())) texts[call] = std::move(text);
    }
    return texts;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_plain_access() {
  return std::make_unique<PlainAccess>();
}

}  // namespace hone::frontend
