#include "tool/transforms/cuda/atomics/gathering.h"

#include <algorithm>
#include <set>

#include "tool/frontend/parse/device_code.h"
#include "tool/transforms/code/clause_values.h"
#include "tool/transforms/cuda/device_text.h"

namespace hone::frontend {
namespace {

using Functions = std::set<const clang::FunctionDecl*>;

// Does it have shared memory, or a function that it calls? What a launch asks for comes on top of that.
bool has_shared_memory(const clang::Stmt* body, Functions& seen) {
  for (const auto* reference : all_of<clang::DeclRefExpr>(body))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
        variable && is_shared_memory(*variable))
      return true;
  return std::ranges::any_of(all_of<clang::CallExpr>(body), [&](const clang::CallExpr* call) {
    const clang::FunctionDecl *callee = call->getDirectCallee(), *definition = nullptr;
    return callee && callee->hasBody(definition) && seen.insert(definition).second &&
           has_shared_memory(definition->getBody(), seen);
  });
}

bool may_ask_for_shared_memory(const KernelContext& context) {
  Functions seen;
  const auto launch = launch_of(context);
  return launch && !asks_for_shared_memory(context, *launch) && !has_shared_memory(context.kernel->getBody(), seen);
}

// False: nobody knows how many elements `parameter` has, or they fit into no block's memory.
bool read_extent(const KernelContext& context, const Parameter& parameter, Gathering& found) {
  if (const auto extent = constant_extent(context.spec, parameter)) {
    if (*extent < 2 || *extent * found.element_bytes > most_bytes_of_block) return false;
    found.extent = *extent;
    return true;
  }
  const auto text = extent_text(context.spec, parameter);
  const auto handed = text && may_ask_for_shared_memory(context) ? handed_expression(context, *text) : std::nullopt;
  if (!handed) return false;
  found.run_time = *handed;
  return true;
}

}  // namespace

std::optional<Gathering> gathering_of(const KernelContext& context) {
  Gathering found;
  const auto all = atomic_additions(context);
  for (const AtomicCall& atomic : all) {
    if (!atomic.base || !atomic.offset || (!found.calls.empty() && found.calls.front().base != atomic.base)) continue;
    const Parameter* parameter = annotated_parameter(context, atomic.base);
    found.element_bytes = static_cast<long long>(context.ast.getTypeSizeInChars(atomic.type).getQuantity());
    if (parameter && read_extent(context, *parameter, found)) found.calls.push_back(atomic);
  }
  if (found.calls.empty() || has_other_atomics(context, all)) return std::nullopt;
  // The array must not be looked at otherwise.
  std::size_t references = 0;
  for (const auto* reference : all_of<clang::DeclRefExpr>(context.kernel->getBody()))
    references += reference->getDecl() == found.calls.front().base;
  if (references != found.calls.size() || synchronizes(context.kernel->getBody())) return std::nullopt;
  return found;
}

}  // namespace hone::frontend
