// Replaces calls of mathematical functions by versions without branches, tables, errno or calls, so
// that the loops around them vectorize under any flags.
//
// What the functions promise stands in vector_functions.h. Argument 1 drops the guards of square roots, which is faster
// and right for positive, normal arguments alone: the judge refuses it where init() does not promise such.

#include <map>

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/function_attribute.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/values/vector_functions.h"

namespace hone::frontend {
namespace {

// One call, or one division by a square root, to be replaced.
struct Use {
  const clang::CallExpr* call;
  const clang::BinaryOperator* division;  // null but for reciprocal_root
  VectorFunction function;
};

bool is_a(clang::QualType type, clang::BuiltinType::Kind kind) {
  return type.getCanonicalType().getUnqualifiedType()->isSpecificBuiltinType(kind);
}

// Processors have a vector instruction for square roots of doubles that nothing beats.
std::optional<VectorFunction> function_of_double(llvm::StringRef name) {
  if (name == "exp") return VectorFunction::exp_double;
  if (name == "log") return VectorFunction::log_double;
  if (name == "tanh") return VectorFunction::tanh_double;
  return std::nullopt;
}

std::optional<VectorFunction> function_of_float(llvm::StringRef name) {
  name.consume_back("f");
  if (name == "exp") return VectorFunction::exp;
  if (name == "log") return VectorFunction::log;
  if (name == "tanh") return VectorFunction::tanh;
  if (name == "sqrt") return VectorFunction::root;
  return std::nullopt;
}

std::optional<VectorFunction> function_of(const clang::CallExpr* call) {
  auto* function = call->getDirectCallee();
  if (!function || !function->getIdentifier() || call->getNumArgs() != 1) return std::nullopt;
  if (!function->isInStdNamespace() && !function->isExternC() && function->getBuiltinID() == 0) return std::nullopt;
  const clang::QualType argument = call->getArg(0)->IgnoreParenImpCasts()->getType();
  llvm::StringRef name = function->getName();
  name.consume_front("__builtin_");
  if (is_a(argument, clang::BuiltinType::Float)) return function_of_float(name);
  const bool both = is_a(argument, clang::BuiltinType::Double) && is_a(call->getType(), clang::BuiltinType::Double);
  return both ? function_of_double(name) : std::nullopt;
}

std::vector<Use> uses_of(const KernelContext& context) {
  std::vector<Use> found;
  if (!may_round(context.spec)) return found;
  const clang::Stmt* body = context.kernel->getBody();
  std::map<const clang::CallExpr*, const clang::BinaryOperator*> divisors;
  for (auto* binary : all_of<clang::BinaryOperator>(body))
    if (binary->getOpcode() == clang::BO_Div || binary->getOpcode() == clang::BO_DivAssign)
      if (auto* call = llvm::dyn_cast<clang::CallExpr>(binary->getRHS()->IgnoreParenImpCasts()))
        divisors[call] = binary;
  for (auto* call : all_of<clang::CallExpr>(body)) {
    auto function = function_of(call);
    if (!function) continue;
    auto division = divisors.find(call);
    if (*function == VectorFunction::root && division != divisors.end())
      found.push_back({call, division->second, VectorFunction::reciprocal_root});
    else
      found.push_back({call, nullptr, *function});
  }
  return found;
}

// The helpers that a candidate needs, each written once.
class Helpers {
 public:
  Helpers(Edits& edits, const KernelContext& context, bool guarded)
      : edits_(edits), context_(context), guarded_(guarded) {}

  const std::string& name_of(VectorFunction function) {
    auto [at, fresh] = names_.try_emplace(function);
    if (fresh) at->second = write(function);
    return at->second;
  }

 private:
  std::string write(VectorFunction function) {
    switch (function) {
      case VectorFunction::exp:
        return define("vector_exp", "float", function);
      case VectorFunction::log:
        return define("vector_log", "float", function);
      case VectorFunction::tanh:
        return define("vector_tanh", "float", function, name_of(VectorFunction::exp));
      case VectorFunction::root:
        return define("vector_sqrt", "float", function);
      case VectorFunction::reciprocal_root:
        return define("vector_rsqrt", "float", function);
      case VectorFunction::exp_double:
        return define("vector_exp_double", "double", function);
      case VectorFunction::log_double:
        return define("vector_log_double", "double", function);
      case VectorFunction::tanh_double:
        return define("vector_tanh_double", "double", function, name_of(VectorFunction::exp_double));
    }
    return {};
  }

  // Named after the kernel: variants of other kernels in the same file bring the same helpers. (The names of annotated
  // overloads carry their parameters, so their mangled names serve.)
  std::string define(const std::string& stem, const std::string& type, VectorFunction function,
                     const std::string& exp = "") {
    const bool overloaded = context_.spec.name.find('(') != std::string::npos;
    const std::string kernel = overloaded ? context_.spec.mangled_name : context_.kernel->getNameAsString();
    std::string name = fresh_name(context_, stem + "_" + kernel);
    std::string readers;
    const std::string text =
        in_language_of(context_.ast, vector_function_text(function, guarded_, exp), "vector_" + kernel, readers);
    const std::string word = is_c(context_.ast) ? "__inline" : "inline";
    if (!readers.empty()) edits_.helper(readers);
    edits_.helper("static " + word + " __attribute__((always_inline)) " + type + " " + name + "(" + type + " x) {" +
                  text + "}\n\n");
    return name;
  }

  Edits& edits_;
  const KernelContext& context_;
  bool guarded_;
  std::map<VectorFunction, std::string> names_;
};

class VectorMath final : public Transformation {
 public:
  std::string_view name() const override { return "vector_math"; }

  unsigned sites(const KernelContext& context) const override { return uses_of(context).empty() ? 0 : 1; }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    for (const Use& use : uses_of(context))
      if (use.function == VectorFunction::root || use.function == VectorFunction::reciprocal_root) return {{0, 1}};
    return {{0}};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    Edits edits(context);
    Helpers helpers(edits, context, argument(arguments, 0, 0, 0, 1) == 0);
    for (const Use& use : uses_of(context)) {
      edits.replace(range_of(context.ast, use.call->getCallee()->getSourceRange()), helpers.name_of(use.function));
      if (use.division)
        edits.replace(range_of(context.ast, clang::SourceRange(use.division->getOperatorLoc())),
                      use.division->isCompoundAssignmentOp() ? "*=" : "*");
    }
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_vector_math() {
  return std::make_unique<VectorMath>();
}

}  // namespace hone::frontend
