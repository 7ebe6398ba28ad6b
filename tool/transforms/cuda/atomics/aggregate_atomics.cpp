// Additions of many threads to one place are added up first: each thread in a local, the block by shuffles, and one
// atomic addition for each block is left.
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/atomics/atomic_call.h"
#include "tool/transforms/cuda/device_transformation.h"
#include "tool/transforms/cuda/group_reduction.h"

namespace hone::frontend {
namespace {

// Is it the same for every thread? It is made of parameters alone.
bool is_uniform(const KernelContext& context, const clang::Expr* expression) {
  if (uses_builtin_indices(expression)) return false;
  for (const auto* reference : all_of<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable) continue;
    if (!llvm::isa<clang::ParmVarDecl>(variable) || writes_variable(context.kernel->getBody(), variable)) return false;
  }
  return true;
}

// The first of those whose place is the same for all threads, with the others of that place.
std::vector<AtomicCall> gathered(const KernelContext& context) {
  std::vector<AtomicCall> found;
  for (const AtomicCall& atomic : atomic_additions(context)) {
    if (!is_uniform(context, atomic.address) || !can_shuffle(context.ast, atomic.type)) continue;
    if (!found.empty() && text_of(context.ast, atomic.address) != text_of(context.ast, found.front().address)) continue;
    found.push_back(atomic);
  }
  return found;
}

// The body with early ends turned into conditions; nullopt: it cannot be.
std::optional<std::string> whole_body(const KernelContext& context, const Substitution& changes) {
  const clang::Stmt* body = context.kernel->getBody();
  if (!returns_early(body)) return changes.text(body);
  const auto kernel = device_kernel_of(context);
  if (!kernel) return std::nullopt;
  return braces(other_indices(*kernel, "") + item_text(changes, *kernel));
}

class AggregateAtomics final : public Transformation {
 public:
  std::string_view name() const override { return "aggregate_atomics"; }

  unsigned sites(const KernelContext& context) const override { return gathered(context).empty() ? 0 : 1; }

  std::optional<std::string> apply(const KernelContext& context, unsigned, const std::vector<int>&) const override {
    const auto calls = gathered(context);
    if (calls.empty()) return std::nullopt;
    const std::string type = plain_type(context.ast, calls.front().type);
    const std::string own = fresh_name(context, "own"), address = text_of(context.ast, calls.front().address);
    Substitution changes(context.ast);
    for (const AtomicCall& atomic : calls)
      changes.replace(atomic.statement, own + " += " + changes.text(atomic.value) + ";");
    const auto body = whole_body(context, changes);
    if (!body || type.empty() || changes.spoiled()) return std::nullopt;
    Edits edits(context);
    replace_body(edits, context,
                 type + " " + own + " = 0;\n" + *body + "\n" + own + " = " + sum_over_block(edits, context, own) +
                     ";\nif (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) atomicAdd(" + address + ", " +
                     own + ");");
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_aggregate_atomics() {
  return std::make_unique<AggregateAtomics>();
}

}  // namespace hone::frontend
