// Chooses the instruction set or the vector width for the kernel alone.
//
// Where the build already allows 512-bit vectors, the narrower ones are sometimes faster (argument: bits). Where the
// build is for a baseline processor, arguments 1 and 2 compile the kernel several times and let the loader pick by the
// processor it runs on, so that the object still runs everywhere.

#include "tool/transforms/code/function_attribute.h"

namespace hone::frontend {
namespace {

// By what processors can do: `arch=haswell` would ask for that very type, which no AMD and no later Intel is. GCC knows
// the levels since version 12.
constexpr int clones_by_level = 1, clones_by_feature = 2;

bool has_feature(const KernelContext& context, const char* feature) {
  return context.ast.getTargetInfo().hasFeature(feature);
}

std::vector<int> choices_of(const KernelContext& context) {
  if (!heeds_attributes(context) || !context.ast.getTargetInfo().getTriple().isX86()) return {};
  if (has_feature(context, "avx512f")) return {256, 512};
  if (has_feature(context, "avx2")) return {};
  // What the clones would lack, the kernel may call.
  for (const char* feature : {"sha", "aes", "pclmul", "gfni", "rdrnd", "rdseed", "sse4a", "xop"})
    if (has_feature(context, feature)) return {};
  // A kernel that is a template, inline or a member may not be cloned everywhere.
  if (context.kernel->isTemplated() || context.kernel->isTemplateInstantiation() ||
      context.kernel->isInlineSpecified() || context.kernel->isConstexpr() ||
      llvm::isa<clang::CXXMethodDecl>(context.kernel))
    return {};
  return {clones_by_level, clones_by_feature};
}

class InstructionSet final : public Transformation {
 public:
  std::string_view name() const override { return "isa"; }

  unsigned sites(const KernelContext& context) const override {
    return choices_of(context).empty() || has_attribute(context, "target") ? 0 : 1;
  }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    return {choices_of(context)};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    auto choices = choices_of(context);
    if (choices.empty()) return std::nullopt;
    int choice = arguments.empty() ? choices[0] : arguments[0];
    if (std::find(choices.begin(), choices.end(), choice) == choices.end()) choice = choices[0];
    Edits edits(context);
    if (choice == clones_by_level)
      add_attribute(edits, context, R"(target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"))");
    else if (choice == clones_by_feature)
      add_attribute(edits, context, R"(target_clones("avx512f", "avx2", "default"))");
    else
      add_attribute(edits, context, "target(\"prefer-vector-width=" + std::to_string(choice) + "\")");
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_instruction_set() {
  return std::make_unique<InstructionSet>();
}

}  // namespace hone::frontend
