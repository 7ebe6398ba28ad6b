#include "tool/transforms/cuda/half_pairs.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

struct HalfType {
  std::string_view element, pair, both;  // `both`: makes a pair of one value
};

constexpr std::array<HalfType, 2> half_types{
    {{"__half", "__half2", "__half2half2"}, {"__nv_bfloat16", "__nv_bfloat162", "__bfloat162bfloat162"}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> paired_functions{
    {{"__hadd", "__hadd2"},
     {"__hadd_rn", "__hadd2_rn"},
     {"__hsub", "__hsub2"},
     {"__hsub_rn", "__hsub2_rn"},
     {"__hmul", "__hmul2"},
     {"__hmul_rn", "__hmul2_rn"},
     {"__hfma", "__hfma2"},
     {"__hfma_relu", "__hfma2_relu"},
     {"__hmax", "__hmax2"},
     {"__hmin", "__hmin2"},
     {"__hneg", "__hneg2"},
     {"__habs", "__habs2"}}};

const HalfType* half_type_of(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier()) return nullptr;
  const std::string_view name = record->getName();
  const auto* found = std::ranges::find(half_types, name, &HalfType::element);
  return found == half_types.end() ? nullptr : found;
}

// Without the copies and casts that the compiler writes around values.
const clang::Expr* value_of(const clang::Expr* expression) {
  for (;;) {
    expression = expression->IgnoreUnlessSpelledInSource()->IgnoreParens();
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
    if (!made || made->getNumArgs() != 1 || !made->getConstructor()->isCopyOrMoveConstructor()) return expression;
    expression = made->getArg(0);
  }
}

class Pairs {
 public:
  Pairs(const KernelContext& context, const DeviceKernel& kernel, const HalfElements& elements)
      : context_(context), kernel_(kernel), elements_(elements), changes_(context.ast) {}

  std::optional<std::string> write() {
    std::string work;
    for (const clang::Stmt* statement : kernel_.work) {
      const auto text = of_statement(statement);
      if (!text) return std::nullopt;
      work += *text + "\n";
    }
    if (!type_ || changes_.spoiled()) return std::nullopt;
    return work;
  }

 private:
  std::optional<std::string> of_statement(const clang::Stmt* statement) {
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) return of_declaration(declared);
    const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
    const auto* call = expression ? llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression->IgnoreImplicit()) : nullptr;
    if (!call || !call->isAssignmentOp() || !is_operator(call->getOperator())) return std::nullopt;
    const auto place = of_value(call->getArg(0)), value = of_value(call->getArg(1));
    if (!place || !value || is_uniform(call->getArg(0))) return std::nullopt;
    return *place + " " + clang::getOperatorSpelling(call->getOperator()) + " " + *value + ";";
  }

  std::optional<std::string> of_declaration(const clang::DeclStmt* declared) {
    const auto* variable =
        declared->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    if (!variable || !variable->hasInit() || variable->getType()->isReferenceType()) return std::nullopt;
    const auto value = of_value(variable->getInit());
    if (!value) return std::nullopt;
    locals_.insert(variable);
    return std::string(type_->pair) + " " + variable->getNameAsString() + " = " + *value + ";";
  }

  std::optional<std::string> of_value(const clang::Expr* written) {
    const clang::Expr* expression = value_of(written);
    if (!is_half(expression->getType())) return std::nullopt;
    if (const auto element = elements_.find(expression); element != elements_.end())
      return "reinterpret_cast<" + std::string(type_->pair) + "&>(" + element->second + ")";
    if (is_uniform(expression)) return std::string(type_->both) + "(" + changes_.text(expression) + ")";
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      if (!locals_.contains(reference->getDecl())) return std::nullopt;
      return reference->getDecl()->getNameAsString();
    }
    if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression)) return of_operator(call);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return of_call(call);
    return std::nullopt;
  }

  static bool is_operator(clang::OverloadedOperatorKind kind) {
    return kind == clang::OO_Equal || kind == clang::OO_PlusEqual || kind == clang::OO_MinusEqual ||
           kind == clang::OO_StarEqual || kind == clang::OO_Plus || kind == clang::OO_Minus || kind == clang::OO_Star;
  }

  std::optional<std::string> of_operator(const clang::CXXOperatorCallExpr* call) {
    if (call->isAssignmentOp() || !is_operator(call->getOperator())) return std::nullopt;
    const std::string spelling = clang::getOperatorSpelling(call->getOperator());
    const auto left = of_value(call->getArg(0));
    if (!left) return std::nullopt;
    if (call->getNumArgs() == 1) return "(" + spelling + *left + ")";
    const auto right = of_value(call->getArg(1));
    if (!right) return std::nullopt;
    return "(" + *left + " " + spelling + " " + *right + ")";
  }

  std::optional<std::string> of_call(const clang::CallExpr* call) {
    const auto* function = call->getDirectCallee();
    if (!function || !function->getIdentifier()) return std::nullopt;
    const std::string_view name = function->getName();
    const auto* found = std::ranges::find(paired_functions, name, [](const auto& each) { return each.first; });
    if (found == paired_functions.end()) return std::nullopt;
    std::string text;
    for (const clang::Expr* argument : call->arguments()) {
      const auto value = of_value(argument);
      if (!value) return std::nullopt;
      text += (text.empty() ? "" : ", ") + *value;
    }
    return std::string(found->second) + "(" + text + ")";
  }

  // Is it the one half type that all of the work has? The first one seen is taken for it.
  bool is_half(clang::QualType type) {
    const HalfType* here = half_type_of(type);
    if (!here || type.isVolatileQualified() || (type_ && type_ != here)) return false;
    type_ = here;
    return true;
  }

  // Has the expression one value for all items? It mentions no index, no local of the work and no packed element.
  bool is_uniform(const clang::Expr* expression) const {
    for (const auto* reference : all_of<clang::DeclRefExpr>(expression)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (variable &&
          (!llvm::isa<clang::ParmVarDecl>(variable) || writes_variable(context_.kernel->getBody(), variable)))
        return false;
    }
    return std::ranges::none_of(elements_, [&](const auto& each) { return inside(each.first, expression); });
  }

  static bool inside(const clang::Stmt* sought, const clang::Stmt* within) {
    if (sought == within) return true;
    return std::ranges::any_of(within->children(), [&](const auto* child) { return child && inside(sought, child); });
  }

  const KernelContext& context_;
  const DeviceKernel& kernel_;
  const HalfElements& elements_;
  Substitution changes_;
  const HalfType* type_ = nullptr;
  std::set<const clang::ValueDecl*> locals_;
};

}  // namespace

std::optional<std::string> half_pairs(const KernelContext& context, const DeviceKernel& kernel,
                                      const HalfElements& elements) {
  return Pairs(context, kernel, elements).write();
}

}  // namespace hone::frontend
