// Single-precision functions of the device that are fast and less exact, where results may be rounded otherwise: the
// hardware's exponential, logarithm and root, products in place of small powers, tanh by one exponential; with 1, also
// divisions. With nvcc's --use_fast_math only what that flag leaves is rewritten: small powers, and divisions by roots.
#include "tool/transforms/code/function_attribute.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/cuda/device_text.h"

namespace hone::frontend {
namespace {

enum Level { functions = 0, divisions = 1 };

bool is_float(const clang::ASTContext& ast, clang::QualType type) {
  return ast.hasSameUnqualifiedType(type.getCanonicalType(), ast.FloatTy);
}

// The name without the f of its float version; "" for what is not called with floats.
std::string function_of(const clang::ASTContext& ast, const clang::CallExpr* call) {
  const auto* function = call->getDirectCallee();
  if (!function || !function->getIdentifier() || !is_float(ast, call->getType()) || call->getNumArgs() == 0) return {};
  if (!ast.getSourceManager().isInSystemHeader(ast.getSourceManager().getExpansionLoc(function->getLocation())))
    return {};
  for (const clang::Expr* argument : call->arguments())
    if (!is_float(ast, argument->getType())) return {};
  std::string name = function->getName().str();
  static constexpr std::string_view known[] = {"exp", "log", "log2", "log10", "pow", "tanh", "sqrt", "exp10"};
  for (const std::string_view one : known)
    if (name == one || name == std::string(one) + "f") return std::string(one);
  return {};
}

std::optional<TextRange> callee_range(const clang::ASTContext& ast, const clang::CallExpr* call) {
  return range_of(ast, call->getCallee()->getSourceRange());
}

std::optional<int> small_power(const clang::ASTContext& ast, const clang::Expr* exponent) {
  clang::Expr::EvalResult result;
  if (!exponent->EvaluateAsRValue(result, ast) || !result.Val.isFloat()) return std::nullopt;
  const double value = result.Val.getFloat().convertToFloat();
  if (value < 2 || value > 8 || value != static_cast<int>(value)) return std::nullopt;
  return static_cast<int>(value);
}

class Rewriter {
 public:
  Rewriter(const KernelContext& context, Edits& edits) : context_(context), edits_(edits) {}

  unsigned calls() {
    for (const auto* call : all_of<clang::CallExpr>(context_.kernel->getBody())) rewrite(call);
    return changed_;
  }

  // x / sqrtf(y) → x * rsqrtf(y), and with `all` x / y → __fdividef(x, y).
  unsigned divisions(bool all) {
    const clang::BinaryOperator* last = nullptr;
    for (const auto* binary : all_of<clang::BinaryOperator>(context_.kernel->getBody())) {
      if (binary->getOpcode() != clang::BO_Div || !is_float(context_.ast, binary->getType())) continue;
      const auto* root = llvm::dyn_cast<clang::CallExpr>(binary->getRHS()->IgnoreParenImpCasts());
      const auto op = range_of(context_.ast, clang::SourceRange(binary->getOperatorLoc()));
      if (!op) continue;
      if (root && function_of(context_.ast, root) == "sqrt") {
        const auto callee = callee_range(context_.ast, root);
        if (!callee || binary->getRHS()->IgnoreImpCasts() != root) continue;
        edits_.replace(TextRange{op->begin, callee->end}, "* rsqrtf");
        ++changed_;
      } else if (all && !context_.fast_math_on_device && !(last && holds(last, binary))) {
        edits_.insert_before(binary->getLHS(), "__fdividef(");
        edits_.replace(op, ",");
        const auto right = range_of(context_.ast, binary->getRHS()->getSourceRange());
        if (!right) continue;
        edits_.replace(TextRange{right->end, right->end}, ")");
        last = binary;
        ++changed_;
      }
    }
    return changed_;
  }

 private:
  static bool holds(const clang::Stmt* outer, const clang::Stmt* inner) {
    const auto all = all_of<clang::BinaryOperator>(outer);
    return std::find(all.begin(), all.end(), inner) != all.end();
  }

  void rename(const clang::CallExpr* call, const std::string& name) {
    edits_.replace(callee_range(context_.ast, call), name);
    ++changed_;
  }

  void rewrite(const clang::CallExpr* call) {
    const std::string function = function_of(context_.ast, call);
    if (function == "pow" && call->getNumArgs() == 2) raise(call);
    if (context_.fast_math_on_device) return;
    if (function == "exp" || function == "log" || function == "log2" || function == "log10" || function == "exp10")
      rename(call, "__" + function + "f");
    if (function == "tanh") {
      const std::string name = helper_name(context_, "tanh");
      if (!tanh_)
        helper_once(edits_, context_, name,
                    "static __device__ __forceinline__ float " + name +
                        "(float x) { return 1.0f - __fdividef(2.0f, 1.0f + __expf(2.0f * x)); }\n\n");
      tanh_ = true;
      rename(call, name);
    }
  }

  void raise(const clang::CallExpr* call) {
    const auto power = small_power(context_.ast, call->getArg(1));
    const auto base = range_of(context_.ast, call->getArg(0)->getSourceRange());
    const auto exponent = range_of(context_.ast, call->getArg(1)->getSourceRange());
    if (!power || !base || !exponent) return;
    const std::string name = helper_name(context_, "power");
    if (!power_)
      helper_once(edits_, context_, name,
                  "template <int exponent>\nstatic __device__ __forceinline__ float " + name +
                      "(float x) {\n  float power = x;\n#pragma unroll\n"
                      "  for (int i = 1; i < exponent; ++i) power *= x;\n  return power;\n}\n\n");
    power_ = true;
    edits_.replace(TextRange{base->end, exponent->end}, "");
    rename(call, name + "<" + std::to_string(*power) + ">");
  }

  const KernelContext& context_;
  Edits& edits_;
  unsigned changed_ = 0;
  bool tanh_ = false, power_ = false;
};

class Intrinsics final : public Transformation {
 public:
  std::string_view name() const override { return "intrinsics"; }
  bool is_less_exact() const override { return true; }

  unsigned sites(const KernelContext& context) const override {
    if (!may_round(context.spec)) return 0;
    Edits nothing(context);
    return Rewriter(context, nothing).divisions(true) + Rewriter(context, nothing).calls() > 0 ? 1 : 0;
  }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    if (context.fast_math_on_device) return {{functions}};
    return {{functions, divisions}};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    if (!may_round(context.spec)) return std::nullopt;
    Edits edits(context);
    Rewriter rewriter(context, edits);
    rewriter.calls();
    if (rewriter.divisions(argument(arguments, 0, functions, functions, divisions) == divisions) == 0)
      return std::nullopt;
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_intrinsics() {
  return std::make_unique<Intrinsics>();
}

}  // namespace hone::frontend
