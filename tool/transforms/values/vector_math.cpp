// Replaces calls of mathematical functions by versions without branches, tables, errno or calls, so
// that the loops around them vectorize under any flags.
//
// What the functions promise stands in vector_functions.h. Argument 1 drops guards, which is faster and right for
// positive, normal arguments alone: the judge refuses it where init() does not promise such.
//
// Sine and cosine are right in a range. A loop that calls them goes in strips: where an argument of a strip was beyond
// that, the strip is done again as it was written, so its iterations must not need what they have written.

#include <algorithm>
#include <map>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/function_attribute.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"
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

// Of float and of double.
struct Known {
  const char* name;
  VectorFunction single;
  VectorFunction wide;
};

constexpr Known known_functions[] = {
    {"exp", VectorFunction::exp, VectorFunction::exp_double},
    {"log", VectorFunction::log, VectorFunction::log_double},
    {"tanh", VectorFunction::tanh, VectorFunction::tanh_double},
    {"erf", VectorFunction::erf, VectorFunction::erf_double},
    {"erfc", VectorFunction::erfc, VectorFunction::erfc_double},
    {"sin", VectorFunction::sin, VectorFunction::sin_double},
    {"cos", VectorFunction::cos, VectorFunction::cos_double},
    {"sqrt", VectorFunction::root, VectorFunction::root_double},
};

std::optional<VectorFunction> reciprocal_of(VectorFunction function) {
  if (function == VectorFunction::root) return VectorFunction::reciprocal_root;
  return function == VectorFunction::root_double ? std::optional(VectorFunction::reciprocal_root_double) : std::nullopt;
}

std::optional<VectorFunction> function_of_double(llvm::StringRef name) {
  for (const Known& known : known_functions)
    if (name == known.name) return known.wide;
  return std::nullopt;
}

// erf is one of float itself where it is called with one, and erff is, too.
std::optional<VectorFunction> function_of_float(llvm::StringRef name) {
  for (const Known& known : known_functions)
    if (name == known.name || name == std::string(known.name) + "f") return known.single;
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

// A strip that is done again is done by the library: what stands under a flag of ours stays.
constexpr std::string_view far_stem = "far_arguments", far_wide_stem = "far_wide_arguments";

std::vector<const clang::Stmt*> strips_done_again(const KernelContext& context) {
  std::vector<const clang::Stmt*> found;
  for (const auto* branch : all_of<clang::IfStmt>(context.kernel->getBody()))
    for (const auto* reference : all_of<clang::DeclRefExpr>(branch->getCond()))
      if (const std::string name = reference->getDecl()->getNameAsString();
          name.starts_with(far_stem) || name.starts_with(far_wide_stem))
        found.push_back(branch->getThen());
  return found;
}

// A root by itself is no quicker this way: it is what else the loop computes that becomes vectors.
bool is_worth_it(const std::vector<const clang::Stmt*>& loops, const clang::CallExpr* call, VectorFunction function) {
  const bool root = function == VectorFunction::root || function == VectorFunction::root_double;
  return !root || std::ranges::any_of(loops, [&](const clang::Stmt* loop) { return holds(loop, call); });
}

std::vector<const clang::Stmt*> innermost_loops(const KernelContext& context) {
  LoopNest nest(context);
  std::vector<const clang::Stmt*> found;
  for (const Loop* loop : nest.where([](const Loop& one) { return one.innermost(); })) found.push_back(loop->body);
  return found;
}

std::vector<Use> uses_of(const KernelContext& context) {
  std::vector<Use> found;
  if (!may_round(context.spec)) return found;
  const clang::Stmt* body = context.kernel->getBody();
  const auto loops = innermost_loops(context), again = strips_done_again(context);
  std::map<const clang::CallExpr*, const clang::BinaryOperator*> divisors;
  for (auto* binary : all_of<clang::BinaryOperator>(body))
    if (binary->getOpcode() == clang::BO_Div || binary->getOpcode() == clang::BO_DivAssign)
      if (auto* call = llvm::dyn_cast<clang::CallExpr>(binary->getRHS()->IgnoreParenImpCasts()))
        divisors[call] = binary;
  for (auto* call : all_of<clang::CallExpr>(body)) {
    auto function = function_of(call);
    if (!function || !is_worth_it(loops, call, *function)) continue;
    if (std::ranges::any_of(again, [&](const clang::Stmt* statement) { return holds(statement, call); })) continue;
    auto division = divisors.find(call);
    const auto reciprocal = division == divisors.end() ? std::nullopt : reciprocal_of(*function);
    found.push_back({call, reciprocal ? division->second : nullptr, reciprocal.value_or(*function)});
  }
  return found;
}

// As wide as the function's numbers, so that both are vectors of as many elements.
const char* far_type(VectorFunction function) {
  return is_of_double(function) ? "unsigned long long" : "unsigned";
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
    const bool wide = is_of_double(function);
    const std::string exp = calls_exp(function) ? name_of(wide ? VectorFunction::exp_double : VectorFunction::exp) : "";
    std::string stem;
    for (const Known& known : known_functions)
      if (known.single == function || known.wide == function) stem = known.name;
    if (function == VectorFunction::reciprocal_root || function == VectorFunction::reciprocal_root_double)
      stem = "rsqrt";
    return define("vector_" + stem + (wide ? "_double" : ""), wide ? "double" : "float", function, exp);
  }

  // Named after the kernel: variants of other kernels in the same file bring the same helpers. (The names of annotated
  // overloads carry their parameters, so their mangled names serve.)
  std::string define(const std::string& stem, const std::string& type, VectorFunction function,
                     const std::string& exp) {
    const bool overloaded = context_.spec.name.find('(') != std::string::npos;
    const std::string kernel = overloaded ? context_.spec.mangled_name : context_.kernel->getNameAsString();
    std::string name = fresh_name(context_, stem + "_" + kernel);
    std::string readers;
    const std::string text =
        in_language_of(context_.ast, vector_function_text(function, guarded_, exp), "vector_" + kernel, readers);
    const std::string word = is_c(context_.ast) ? "__inline" : "inline";
    if (!readers.empty()) edits_.helper(readers);
    std::string far;
    if (tells_far(function)) far = ", " + std::string(far_type(function)) + "* far";
    edits_.helper("static " + word + " __attribute__((always_inline)) " + type + " " + name + "(" + type + " x" + far +
                  ") {" + text + "}\n\n");
    return name;
  }

  Edits& edits_;
  const KernelContext& context_;
  bool guarded_;
  std::map<VectorFunction, std::string> names_;
};

// Can an innermost loop be done again without harm? It writes memory that it does not read, and no local that outlives
// an iteration.
bool may_be_repeated(const KernelContext& context, const Loop& loop) {
  if (!loop.counted || !loop.owns_variable || !loop.as_for() || loop.in_lambda || effects_of(loop.body).leaves)
    return false;
  const auto own = declared_in(loop.body);
  for (const auto* reference : all_of<clang::DeclRefExpr>(loop.body)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable && std::ranges::find(own, variable) == own.end() && !variable->getType()->isArrayType() &&
        writes_variable(loop.body, variable))
      return false;
  }
  for (const auto* call : all_of<clang::CallExpr>(loop.body)) {
    const auto* callee = call->getDirectCallee();
    if (!function_of(call) && !(callee && callee->getBuiltinID() != 0)) return false;
  }
  const auto accesses = accesses_in(context.ast, loop.body);
  return std::ranges::all_of(accesses, [&](const Access& access) {
    return access.base && (!access.writes || std::ranges::none_of(accesses, [&](const Access& other) {
             return other.base == access.base && other.reads;
           }));
  });
}

class VectorMath final : public Transformation {
 public:
  std::string_view name() const override { return "vector_math"; }
  bool is_less_exact() const override { return true; }

  unsigned sites(const KernelContext& context) const override { return uses_of(context).empty() ? 0 : 1; }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    const auto uses = uses_of(context);
    const bool any = std::ranges::any_of(uses, [](const Use& use) { return has_guards(use.function); });
    return any ? std::vector<std::vector<int>>{{0, 1}} : std::vector<std::vector<int>>{{0}};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    Edits edits(context);
    Helpers helpers(edits, context, argument(arguments, 0, 0, 0, 1) == 0);
    LoopNest nest(context);
    std::map<const Loop*, std::vector<Use>> in_strips;
    for (const Use& use : uses_of(context)) {
      if (!tells_far(use.function)) {
        write(context, use, helpers, "", edits);
        continue;
      }
      for (const Loop* loop : nest.where([&](const Loop& one) { return one.innermost() && holds(one.body, use.call); }))
        if (may_be_repeated(context, *loop)) in_strips[loop].push_back(use);
    }
    for (const auto& [loop, far_uses] : in_strips) {
      Substitution vectors(context.ast);
      std::map<std::string, std::string> far;  // by type
      for (const Use& use : far_uses)
        far.try_emplace(far_type(use.function),
                        fresh_name(context, std::string(is_of_double(use.function) ? far_wide_stem : far_stem)));
      for (const Use& use : uses_of(context))
        if (holds(loop->body, use.call))
          write(context, use, helpers, tells_far(use.function) ? "&" + far[far_type(use.function)] : "", vectors);
      edits.replace(range_with_pragmas(context.ast, loop->statement), in_strips_of(context, *loop, vectors, far));
      if (vectors.spoiled()) return std::nullopt;
    }
    return edits.candidate();
  }

 private:
  static void write(const KernelContext& context, const Use& use, Helpers& helpers, const std::string& more,
                    Substitution& into) {
    into.replace(range_of(context.ast, use.call->getCallee()->getSourceRange()), helpers.name_of(use.function));
    if (!more.empty()) into.insert_after(use.call->getArg(0), ", " + more);
    if (use.division)
      into.replace(range_of(context.ast, clang::SourceRange(use.division->getOperatorLoc())),
                   use.division->isCompoundAssignmentOp() ? "*=" : "*");
  }

  // As vectors, and once more by the library where one of a strip's arguments was far.
  static std::string in_strips_of(const KernelContext& context, const Loop& loop, const Substitution& vectors,
                                  const std::map<std::string, std::string>& far) {
    std::string declared, any;
    for (const auto& [type, variable] : far) {
      declared += type + " " + variable + " = 0;\n";
      any += (any.empty() ? "" : " || ") + variable;
    }
    constexpr long long strip = 512;  // iterations: what a far argument costs
    const std::string name = loop.variable->getNameAsString(), step = std::to_string(loop.step);
    const std::string first = fresh_name(context, name + "_strip"), end = fresh_name(context, name + "_end");
    const std::string size = std::to_string(strip * loop.step);
    const std::string header = "for (" + loop.type + " " + name + " = " + first + "; " + name + " < " + end + "; " +
                               name + " += " + step + ") ";
    const Substitution plain(context.ast);
    return "for (" + loop.type + " " + first + " = " + loop.lower_text + "; " + first + " < " + loop.upper_text + "; " +
           first + " += " + size + ") {\n" + "const " + loop.type + " " + end + " = " + loop.upper_text + " - " +
           first + " < " + size + " ? " + loop.upper_text + " : " + first + " + " + size + ";\n" + declared + header +
           braces(text_of_body(vectors, loop)) + "\nif (" + any + ") " + header + braces(text_of_body(plain, loop)) +
           "\n}";
  }

  static std::string text_of_body(const Substitution& changes, const Loop& loop) {
    std::string text;
    for (const clang::Stmt* statement : statements_of(loop.body)) text += changes.text(statement) + "\n";
    return text;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_vector_math() {
  return std::make_unique<VectorMath>();
}

}  // namespace hone::frontend
