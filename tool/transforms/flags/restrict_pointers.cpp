// Tells the compiler what the annotation promises: pointers that no alias() clause names point to distinct memory.
//
// Without it a store through one makes every load through another stale, which stops vectorization or costs a test at
// run time.

#include "tool/model/workload_kernel.h"
#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/launch_arguments.h"

namespace hone::frontend {
namespace {

// [first, last): one of the two is made of the other, so both point into one array.
bool is_in_a_pair(const KernelContext& context, const clang::ParmVarDecl& parameter) {
  const auto pointee = [](const clang::ParmVarDecl& one) {
    return one.getType()->getPointeeType().getCanonicalType().getUnqualifiedType();
  };
  const auto& data = context.spec.parameters;
  for (unsigned i = 0; i < context.kernel->getNumParams() && i < data.size(); ++i) {
    const clang::ParmVarDecl& other = *context.kernel->getParamDecl(i);
    if (data[i].composed && other.getType()->isPointerType() && pointee(other) == pointee(parameter)) return true;
  }
  return false;
}

// A kernel's parameter is what its launcher hands on; what that is nobody knows where it is more than a name.
bool may_overlap(const KernelContext& context, const clang::ParmVarDecl* parameter, unsigned index) {
  if (context.launcher) {
    const Parameter* annotated = annotated_parameter(context, parameter);
    return !annotated || annotated->alias_group != -1;
  }
  if (has_workload(context.spec)) return true;  // no clause speaks of the kernel's own parameters
  return (index < context.spec.parameters.size() && context.spec.parameters[index].alias_group != -1) ||
         is_in_a_pair(context, *parameter);
}

// Behind a barrier a thread reads what others have written, though it has read, or written, that place before: a
// compiler that is promised that nobody else has the pointer may keep what it knows.
bool may_change_at_barriers(const KernelContext& context, const clang::ParmVarDecl* parameter) {
  return context.launcher && !parameter->getType()->getPointeeType().isConstQualified() &&
         synchronizes(context.kernel->getBody());
}

// nvcc 13 declares the stub of a __global__ template's specialization by the template's own parameters, and then finds
// no template for one whose parameters say more.
bool must_keep_parameters(const clang::FunctionDecl& kernel) {
  return kernel.hasAttr<clang::CUDAGlobalAttr>() && kernel.isFunctionTemplateSpecialization();
}

std::vector<const clang::ParmVarDecl*> unqualified(const KernelContext& context) {
  std::vector<const clang::ParmVarDecl*> found;
  const clang::FunctionDecl* kernel = context.kernel;
  if (must_keep_parameters(*kernel)) return found;
  for (unsigned i = 0; i < kernel->getNumParams(); ++i) {
    const clang::ParmVarDecl* parameter = kernel->getParamDecl(i);
    clang::QualType type = parameter->getOriginalType();
    if (!parameter->getIdentifier() || !type->isPointerType() || type->isFunctionPointerType()) continue;
    if (type.getCanonicalType().isRestrictQualified() || type.isRestrictQualified()) continue;
    if (may_overlap(context, parameter, i) || may_change_at_barriers(context, parameter)) continue;
    found.push_back(parameter);
  }
  return found;
}

class RestrictPointers final : public Transformation {
 public:
  std::string_view name() const override { return "restrict"; }

  unsigned sites(const KernelContext& context) const override { return unqualified(context).empty() ? 0 : 1; }

  std::optional<std::string> apply(const KernelContext& context, unsigned, const std::vector<int>&) const override {
    auto parameters = unqualified(context);
    if (parameters.empty()) return std::nullopt;
    Edits edits(context);
    for (const clang::ParmVarDecl* parameter : parameters)
      edits.replace_name(parameter, "__restrict__ " + parameter->getNameAsString());
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_restrict_pointers() {
  return std::make_unique<RestrictPointers>();
}

}  // namespace hone::frontend
