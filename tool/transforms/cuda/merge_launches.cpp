// From a launch for each step of a loop on the host to one launch, whose threads loop over the steps: where a thread
// reads nothing that others write, steps need not wait for each other, and a launch costs what many steps compute.
//
//   for (t …) step<<<…>>>(x + t * n, state)   →   step<<<…>>>(x, n, state, steps): for (launch …) { x = … + launch * n;
//   }
//
// What the launcher hands over may move with the loop: a pointer or a number that is linear in its variable.
#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/clause_values.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_transformation.h"

namespace hone::frontend {
namespace {

// The counted loop of the launcher whose only statement is the launch.
const Loop* loop_around(LoopNest& nest, const Launch& launch) {
  for (const Loop* loop : nest.counted()) {
    const auto statements = statements_of(loop->body);
    if (statements.size() == 1 && loop->owns_variable && !loop->parent && holds(statements[0], launch.call) &&
        llvm::isa<clang::Expr>(statements[0]))
      return loop;
  }
  return nullptr;
}

// The pointer variables that an argument is computed from.
std::vector<const clang::ValueDecl*> pointers_in(const clang::Expr* argument) {
  std::vector<const clang::ValueDecl*> found;
  for (const auto* reference : all_of<clang::DeclRefExpr>(argument))
    if (reference->getType()->isPointerType() || reference->getType()->isArrayType())
      found.push_back(reference->getDecl());
  return found;
}

bool is_linear(const clang::ASTContext& ast, const clang::Expr* value, const clang::VarDecl* variable) {
  const auto polynomial = IndexPolynomial::of(ast, value);
  const auto stride = polynomial ? polynomial->stride(variable) : std::nullopt;
  return stride && !stride->depends_on(variable);
}

// A number, or a pointer plus a number.
bool moves_evenly(const clang::ASTContext& ast, const clang::Expr* argument, const clang::VarDecl* variable) {
  if (argument->getType()->isIntegerType()) return is_linear(ast, argument, variable);
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(argument->IgnoreParenImpCasts());
  if (!sum || !argument->getType()->isPointerType() || sum->getOpcode() != clang::BO_Add) return false;
  const bool left = sum->getLHS()->getType()->isPointerType();
  const clang::Expr *pointer = left ? sum->getLHS() : sum->getRHS(), *offset = left ? sum->getRHS() : sum->getLHS();
  return offset->getType()->isIntegerType() && is_linear(ast, offset, variable) &&
         (!mentions(pointer, variable) || moves_evenly(ast, pointer, variable));
}

// Calls that compute a value of values: nothing is handed on that could be written through.
bool only_compute(const clang::Stmt* statement) {
  return std::ranges::all_of(all_of<clang::CallExpr>(statement), [](const clang::CallExpr* call) {
    const auto* function = call->getDirectCallee();
    return function && !function->getReturnType()->isVoidType() &&
           std::ranges::none_of(function->parameters(), [](const clang::ParmVarDecl* parameter) {
             return parameter->getType()->isPointerType() || parameter->getType()->isReferenceType();
           });
  });
}

// A kernel whose steps do not need each other but for each thread's own elements.
class Steps {
 public:
  Steps(const KernelContext& context, const DeviceKernel& kernel, const Loop& loop)
      : context_(context), kernel_(kernel), loop_(loop) {}

  bool may_merge() const {
    const auto* configuration = kernel_.launch.call->getConfig();
    for (const clang::Expr* shape : configuration->arguments())
      if (mentions(shape, loop_.variable)) return false;
    const unsigned count = kernel_.launch.call->getNumArgs();
    if (count != context_.kernel->getNumParams()) return false;
    for (unsigned at = 0; at < count; ++at)
      if (moves(at) && (!moves_evenly(context_.ast, kernel_.launch.call->getArg(at), loop_.variable) ||
                        writes_variable(context_.kernel->getBody(), context_.kernel->getParamDecl(at)) ||
                        plain_type(context_.ast, context_.kernel->getParamDecl(at)->getType()).empty()))
        return false;
    return asks_the_same() && keeps_to_itself();
  }

  bool moves(unsigned at) const { return mentions(kernel_.launch.call->getArg(at), loop_.variable); }

  // No other argument is a part of the same array.
  bool is_alone(const clang::ParmVarDecl* array) const {
    const auto* call = kernel_.launch.call;
    const auto own = pointers_in(call->getArg(array->getFunctionScopeIndex()));
    if (own.size() != 1) return false;
    for (unsigned at = 0; at < call->getNumArgs(); ++at)
      if (at != array->getFunctionScopeIndex() && std::ranges::count(pointers_in(call->getArg(at)), own[0]) > 0)
        return false;
    return true;
  }

  // Alone, and by the annotation no other array's memory: the compiler may know, too.
  bool may_restrict(const clang::ParmVarDecl* array) const {
    if (!array->getType()->isPointerType() || !is_alone(array)) return false;
    const auto own = pointers_in(kernel_.launch.call->getArg(array->getFunctionScopeIndex()));
    const Parameter* annotated = find_parameter(context_.spec, own[0]->getNameAsString());
    return llvm::isa<clang::ParmVarDecl>(own[0]) && annotated && annotated->alias_group == -1;
  }

 private:
  // What is asked and declared in front of the work does not differ from step to step.
  bool asks_the_same() const {
    for (unsigned at = 0; at < context_.kernel->getNumParams(); ++at) {
      const clang::ParmVarDecl* parameter = context_.kernel->getParamDecl(at);
      const auto asks = [&](const ItemCondition& condition) { return mentions(condition.test, parameter); };
      const auto needs = [&](const clang::Stmt* statement) { return mentions(statement, parameter); };
      if (moves(at) && (std::ranges::any_of(kernel_.conditions, asks) || std::ranges::any_of(kernel_.before, needs)))
        return false;
    }
    return true;
  }

  // Each array that is written is an array of the thread's own elements, and reached by one parameter.
  bool keeps_to_itself() const {
    std::vector<Access> accesses;
    for (const clang::Stmt* statement : kernel_.work) {
      if (!only_compute(statement)) return false;
      for (Access& access : accesses_in(context_.ast, statement)) accesses.push_back(std::move(access));
    }
    return std::ranges::all_of(accesses, [&](const Access& write) {
      if (!write.writes) return true;
      const auto* array = llvm::dyn_cast_or_null<clang::ParmVarDecl>(write.base);
      const auto* local = llvm::dyn_cast_or_null<clang::VarDecl>(write.base);
      if (!array) return local && local->hasLocalStorage() && local->getType()->isArrayType();
      return write.index && is_own(*write.index) && is_alone(array) &&
             std::ranges::all_of(accesses, [&](const Access& other) {
               if (!other.base) return false;
               if (other.base != array) return !may_point_into(other.base, array);
               return other.index && *other.index == *write.index &&
                      !(other.reads && moves(array->getFunctionScopeIndex()));
             });
    });
  }

  // A local that stands for part of an array, where nobody knows which part.
  static bool may_point_into(const clang::ValueDecl* pointer, const clang::ParmVarDecl* array) {
    const auto* local = llvm::dyn_cast<clang::VarDecl>(pointer);
    return local && local->isLocalVarDecl() && local->getType()->isPointerType() &&
           (!local->hasInit() || mentions(local->getInit(), array));
  }

  // Different for all threads: the number of the item, and of the others a whole row for each.
  bool is_own(const IndexPolynomial& index) const {
    for (const ItemIndex& item : kernel_.items) {
      const auto stride = index.stride(item.variable);
      if (!stride || stride->terms().size() != 1) return false;
      if (item.dimension == 'x' ? stride->as_constant() != 1 : stride->terms().begin()->first.empty()) return false;
    }
    return std::ranges::all_of(index.terms(), [&](const auto& term) {
      return std::ranges::all_of(term.first, [&](const clang::ValueDecl* variable) {
        return llvm::isa<clang::ParmVarDecl>(variable) ||
               std::ranges::any_of(kernel_.items, [&](const ItemIndex& item) { return item.variable == variable; });
      });
    });
  }

  const KernelContext& context_;
  const DeviceKernel& kernel_;
  const Loop& loop_;
};

class MergeLaunches final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "merge_launches"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{4, 2, 8, 1}};  // steps whose loads are in flight at once
  }

 protected:
  bool fits(const KernelContext& context, const DeviceKernel& kernel) const override {
    const KernelContext host = host_of(context);
    LoopNest nest(host);
    const Loop* loop = loop_around(nest, kernel.launch);
    return loop && Steps(context, kernel, *loop).may_merge();
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const KernelContext host = host_of(context);
    LoopNest nest(host);
    const Loop& loop = *loop_around(nest, kernel.launch);
    const Steps steps(context, kernel, loop);
    const std::string launches = fresh_name(context, "launches"), launch = fresh_name(context, "launch");
    const std::string step = std::to_string(loop.step);
    std::string declared, parameters, handed;
    for (unsigned at = 0; at < context.kernel->getNumParams(); ++at) {
      if (!steps.moves(at)) continue;
      const clang::ParmVarDecl* parameter = context.kernel->getParamDecl(at);
      const std::string name = parameter->getNameAsString(), first = fresh_name(context, name + "_first");
      const std::string by = fresh_name(context, name + "_step"), type = plain_type(context.ast, parameter->getType());
      edits.replace_name(parameter, (steps.may_restrict(parameter) ? "__restrict__ " : "") + first);
      declared += "const " + std::string(parameter->getType()->isPointerType() ? "auto " : type + " ") + name + " = " +
                  first + " + " + launch + " * " + by + ";\n";
      parameters += ", long long " + by;
      handed += ", (" + at_step(context, kernel, loop, at, "(" + loop.lower_text + " + " + step + ")") + ") - (" +
                at_step(context, kernel, loop, at, loop.lower_text) + ")";
    }
    const auto last =
        range_of(context.ast, context.kernel->getParamDecl(context.kernel->getNumParams() - 1)->getSourceRange());
    if (!last) return false;
    edits.insert(last->end, parameters + ", int " + launches);
    const Substitution plain(context.ast);
    const std::string unroll = "#pragma unroll " + std::to_string(argument(arguments, 0, 4, 1, 16)) + "\n";
    const std::string work = unroll + "for (int " + launch + " = 0; " + launch + " < " + launches + "; ++" + launch +
                             ") " + braces(declared + text_of(plain, kernel.work));
    const std::string conditions = text_of(plain, kernel.conditions);
    replace_body(edits, context,
                 other_indices(kernel, "") + text_of(plain, kernel.before) +
                     (conditions.empty() ? work : "if (" + conditions + ") " + braces(work)));

    Substitution call(context.ast);
    call.rename(kernel.launch.call, loop.variable, loop.lower_text);
    call.insert_after(kernel.launch.call->getArg(kernel.launch.call->getNumArgs() - 1),
                      handed + ", (" + loop.upper_text + " - " + loop.lower_text +
                          (loop.step == 1 ? "" : " + " + std::to_string(loop.step - 1)) + ") / " + step);
    edits.replace(
        range_with_pragmas(context.ast, loop.statement),
        "if (" + loop.lower_text + " < " + loop.upper_text + ") " + braces(call.text(kernel.launch.call) + ";"));
    return !plain.spoiled() && !call.spoiled();
  }

 private:
  static KernelContext host_of(const KernelContext& context) {
    KernelContext host = context;
    host.kernel = context.launcher ? context.launcher : context.kernel;
    return host;
  }

  static std::string at_step(const KernelContext& context, const DeviceKernel& kernel, const Loop& loop, unsigned at,
                             const std::string& value) {
    Substitution changes(context.ast);
    changes.rename(kernel.launch.call->getArg(at), loop.variable, value);
    return changes.text(kernel.launch.call->getArg(at));
  }
};

}  // namespace

std::unique_ptr<Transformation> make_merge_launches() {
  return std::make_unique<MergeLaunches>();
}

}  // namespace hone::frontend
