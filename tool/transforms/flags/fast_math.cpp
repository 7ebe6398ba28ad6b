// Lets the compiler reorder and simplify floating-point arithmetic of the kernel, as far as its tolerance allows.
//
// g++ takes the flags per function; Clang as a pragma at the start of the body. Two things the flags cannot do there: a
// wrapper such as std::sqrt(float) is not inlined across different flags, so its calls become the builtin itself, and
// calls that may set errno stay calls (see vector_math).

#include "tool/transforms/code/function_attribute.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

enum Level { associative = 0, fast = 1, quiet = 2, reciprocal = 3 };

const char* flags_of(int level) {
  switch (level) {
    case fast:
      return R"(optimize("fast-math"))";
    case quiet:
      return R"(optimize("no-trapping-math", "no-math-errno"))";
    case reciprocal:
      return R"(optimize("associative-math", "reciprocal-math", "no-signed-zeros", "no-trapping-math", "no-math-errno"))";
    default:
      return R"(optimize("associative-math", "no-signed-zeros", "no-trapping-math", "no-math-errno"))";
  }
}

// The builtin that std::f(float) and the like forward to; "" where there is none.
std::string builtin_of(const clang::CallExpr* call) {
  static constexpr const char* names[] = {"sqrt", "exp",  "log",  "fabs", "floor", "ceil", "sin",   "cos", "tan",
                                          "tanh", "exp2", "log2", "pow",  "fmax",  "fmin", "trunc", "rint"};
  auto* function = call->getDirectCallee();
  if (!function || !function->getIdentifier() || !function->isInStdNamespace() || call->getNumArgs() == 0) return {};
  clang::QualType type = function->getReturnType().getCanonicalType();
  bool single = type->isSpecificBuiltinType(clang::BuiltinType::Float);
  if (!single && !type->isSpecificBuiltinType(clang::BuiltinType::Double)) return {};
  for (const clang::Expr* argument : call->arguments())
    if (argument->getType().getCanonicalType().getUnqualifiedType() != type.getUnqualifiedType()) return {};
  llvm::StringRef name = function->getName();
  if (name == "abs") name = "fabs";
  for (const char* known : names)
    if (name == known) return std::string("__builtin_").append(known).append(single ? "f" : "");
  return {};
}

bool relaxed(const KernelContext& context) {
  for (int level : {associative, fast, quiet, reciprocal})
    if (has_attribute(context, flags_of(level))) return true;
  return false;
}

bool computes_floating(const KernelContext& context) {
  for (auto* binary : all_of<clang::BinaryOperator>(context.kernel->getBody()))
    if (binary->getType()->isRealFloatingType()) return true;
  return false;
}

class FastMath final : public Transformation {
 public:
  std::string_view name() const override { return "fast_math"; }
  bool is_less_exact() const override { return true; }

  unsigned sites(const KernelContext& context) const override {
    return heeds_attributes(context) && computes_floating(context) && !relaxed(context) ? 1 : 0;
  }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    if (!may_round(context.spec)) return {{quiet}};
    return {{associative, fast, reciprocal, quiet}};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    int level = may_round(context.spec) ? argument(arguments, 0, associative, associative, reciprocal) : quiet;
    Edits edits(context);
    add_attribute(edits, context, flags_of(level));
    for (auto* call : all_of<clang::CallExpr>(context.kernel->getBody()))
      if (std::string builtin = builtin_of(call); !builtin.empty())
        edits.replace(range_of(context.ast, call->getCallee()->getSourceRange()), builtin);
    if (level != quiet)
      if (auto* body = llvm::dyn_cast<clang::CompoundStmt>(context.kernel->getBody()))
        if (auto open = range_of(context.ast, clang::SourceRange(body->getLBracLoc())))
          edits.replace(TextRange{open->end, open->end}, "\n#pragma clang fp reassociate(on) contract(fast)\n");
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_fast_math() {
  return std::make_unique<FastMath>();
}

}  // namespace hone::frontend
