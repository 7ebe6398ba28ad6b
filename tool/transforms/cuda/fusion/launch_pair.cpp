#include "tool/transforms/cuda/fusion/launch_pair.h"

#include <algorithm>
#include <map>
#include <string>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/launch_arguments.h"

namespace hone::frontend {
namespace {

const clang::CUDAKernelCallExpr* launch_in(const clang::Stmt* statement) {
  const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(statement);
  return expression ? llvm::dyn_cast<clang::CUDAKernelCallExpr>(expression->IgnoreImplicit()) : nullptr;
}

// The launch behind `call` in the same block; only declarations without calls may stand between.
const clang::CUDAKernelCallExpr* next_launch(const clang::FunctionDecl* launcher,
                                             const clang::CUDAKernelCallExpr* call) {
  for (const auto* block : all_of<clang::CompoundStmt>(launcher->getBody())) {
    bool behind = false;
    for (const clang::Stmt* statement : block->body()) {
      const auto* launch = launch_in(statement);
      if (behind && launch) return launch;
      if (behind && !(llvm::isa<clang::DeclStmt>(statement) && all_of<clang::CallExpr>(statement).empty())) break;
      behind |= launch == call;
    }
  }
  return nullptr;
}

// An index of either kernel, in words that both share.
using CommonIndex = std::map<std::string, long long>;

struct Reached {
  std::string array;  // as the launch hands it over
  std::optional<CommonIndex> index;
  bool writes = false;
};

class Side {
 public:
  Side(const KernelContext& context, const DeviceKernel& kernel) : context_(context), kernel_(kernel) {}

  std::string argument(const clang::ParmVarDecl* parameter) const {
    const auto* call = kernel_.launch.call;
    const unsigned index = parameter->getFunctionScopeIndex();
    if (index >= call->getNumArgs()) return "";
    const auto range = range_of(context_.ast, call->getArg(index)->getSourceRange());
    return range ? Substitution(context_.ast).text(*range) : "";
  }

  // nullopt: something is reached that nobody can name.
  std::optional<std::vector<Reached>> reached() const {
    std::vector<Reached> all;
    for (const clang::Stmt* statement : kernel_.work) {
      if (calls_what_may_write(statement)) return std::nullopt;
      for (const Access& access : accesses_in(context_.ast, statement)) {
        const auto* local = llvm::dyn_cast_or_null<clang::VarDecl>(access.base);
        if (local && local->hasLocalStorage() && local->getType()->isArrayType()) continue;
        const auto* array = llvm::dyn_cast_or_null<clang::ParmVarDecl>(access.base);
        const std::string name = array ? argument(array) : "";
        if (name.empty() || !is_plain(array)) return std::nullopt;
        all.push_back({name, access.index ? common(*access.index) : std::nullopt, access.writes});
      }
    }
    return all;
  }

 private:
  // Nothing but a parameter of the launcher that overlaps with no other.
  bool is_plain(const clang::ParmVarDecl* array) const {
    const Parameter* annotated = annotated_parameter(context_, array);
    return annotated && annotated->alias_group == -1;
  }

  static bool calls_what_may_write(const clang::Stmt* statement) {
    return std::ranges::any_of(all_of<clang::CallExpr>(statement), [](const clang::CallExpr* call) {
      const auto* function = call->getDirectCallee();
      return !function || std::ranges::any_of(function->parameters(), [](const clang::ParmVarDecl* parameter) {
        return parameter->getType()->isPointerType() || parameter->getType()->isReferenceType();
      });
    });
  }

  std::optional<CommonIndex> common(const IndexPolynomial& index) const {
    CommonIndex terms;
    for (const auto& [variables, factor] : index.terms()) {
      std::vector<std::string> names;
      for (const clang::ValueDecl* variable : variables) {
        const auto item = std::ranges::find(kernel_.items, variable, &ItemIndex::variable);
        const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
        const std::string name = item != kernel_.items.end() ? std::string("item along ") + item->dimension
                                 : parameter                 ? argument(parameter)
                                                             : "";
        if (name.empty()) return std::nullopt;
        names.push_back(name);
      }
      std::ranges::sort(names);
      std::string term;
      for (const std::string& name : names) term += name + "; ";
      terms[term] += factor;
    }
    return terms;
  }

  const KernelContext& context_;
  const DeviceKernel& kernel_;
};

// What one kernel writes the other one reaches, if at all, at the same index of the same thread.
bool keep_to_themselves(const std::vector<Reached>& writers, const std::vector<Reached>& others) {
  return std::ranges::all_of(writers, [&](const Reached& write) {
    return !write.writes || std::ranges::all_of(others, [&](const Reached& other) {
      return other.array != write.array || (write.index && other.index && *write.index == *other.index);
    });
  });
}

bool same_dimensions(const DeviceKernel& one, const DeviceKernel& other) {
  return one.items.size() == other.items.size() &&
         std::ranges::all_of(one.items, [&](const ItemIndex& item) { return other.along(item.dimension) != nullptr; });
}

}  // namespace

std::optional<LaunchPair> launch_pair_of(const KernelContext& context) {
  auto first = device_kernel_of(context);
  const auto* next = first ? next_launch(context.launcher, first->launch.call) : nullptr;
  const clang::FunctionDecl* definition = nullptr;
  if (!next || !next->getDirectCallee() || !next->getDirectCallee()->hasBody(definition) ||
      definition == context.kernel || definition->isTemplateInstantiation())
    return std::nullopt;
  LaunchPair pair{context, std::move(*first), {}, {}};
  pair.second_context.kernel = definition;
  // Its text must be the candidate's to change.
  const auto body = range_of(context.ast, definition->getBody());
  auto second = device_kernel_of(pair.second_context);
  if (!body || body->begin < context.definition_begin || !second || second->launch.call != next) return std::nullopt;
  pair.second = std::move(*second);
  const DeviceKernel &one = pair.first, &other = pair.second;
  if (one.launch.grid != other.launch.grid || one.launch.block != other.launch.block || !same_dimensions(one, other) ||
      one.launch.call->getConfig()->getNumArgs() != other.launch.call->getConfig()->getNumArgs())
    return std::nullopt;
  const Side first_side(context, one), second_side(pair.second_context, other);
  const auto reached_first = first_side.reached(), reached_second = second_side.reached();
  if (!reached_first || !reached_second || !keep_to_themselves(*reached_first, *reached_second) ||
      !keep_to_themselves(*reached_second, *reached_first))
    return std::nullopt;
  for (const clang::ParmVarDecl* parameter : definition->parameters())
    for (const clang::ParmVarDecl* known : context.kernel->parameters())
      if (!first_side.argument(known).empty() && first_side.argument(known) == second_side.argument(parameter))
        pair.shared.emplace_back(parameter, known);
  return pair;
}

}  // namespace hone::frontend
