// A copy of the kernel for one value of a number that decides how far its loops run (a filter's size, a small
// matrix's), chosen in the launcher: the compiler unrolls those loops, and knows their indices. The values are those of
// the annotation's problems. Further transformations change the general kernel first, so this one comes late in a
// genome.
#include "tool/transforms/code/clause_values.h"
#include "tool/transforms/code/launch_arguments.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/cuda/device_text.h"
#include "tool/transforms/cuda/own_kernels.h"

namespace hone::frontend {
namespace {

constexpr long long largest_value = 256;

struct Choice {
  const clang::ParmVarDecl* parameter = nullptr;
  const Parameter* annotated = nullptr;
  long long value = 0;
};

// Each loop-bounding parameter with each of its values that has no copy yet.
std::vector<Choice> choices_of(const KernelContext& context) {
  std::vector<Choice> choices;
  if (!launch_of(context)) return choices;
  LoopNest nest(context);
  for (const clang::ParmVarDecl* parameter : context.kernel->parameters()) {
    if (!parameter->getType()->isIntegerType() || !parameter->getIdentifier() ||
        writes_variable(context.kernel->getBody(), parameter))
      continue;
    const bool bounds = !nest.where([&](const Loop& loop) { return mentions(loop.upper, parameter); }).empty();
    const Parameter* annotated = bounds ? annotated_parameter(context, parameter) : nullptr;
    if (!annotated) continue;
    for (const long long value : problem_values(context.spec, annotated->name))
      if (value > 1 && value <= largest_value) choices.push_back({parameter, annotated, value});
  }
  return choices;
}

class Specialise final : public Transformation {
 public:
  std::string_view name() const override { return "specialise"; }

  unsigned sites(const KernelContext& context) const override {
    return static_cast<unsigned>(choices_of(context).size());
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>&) const override {
    const auto choices = choices_of(context);
    const auto launch = launch_of(context);
    if (site >= choices.size() || !launch) return std::nullopt;
    const auto& [parameter, annotated, value] = choices[site];
    const std::string test = annotated->name + " != " + std::to_string(value);
    if (context.candidate.find("if (" + test + ")") != std::string::npos) return std::nullopt;

    const auto whole = definition_range(context, context.kernel);
    const auto body = range_of(context.ast, context.kernel->getBody());
    if (!whole || !body) return std::nullopt;
    const std::string name = fresh_name(context, context.kernel->getNameAsString() + "_" + std::to_string(value));
    Substitution copy(context.ast);
    copy.replace_name(context.kernel, name);
    copy.replace_name(parameter, "");
    copy.replace(TextRange{body->begin, body->begin + 1},
                 "{\nconstexpr " + parameter->getType().getUnqualifiedType().getAsString() + " " +
                     parameter->getNameAsString() + " = " + std::to_string(value) + ";");
    Substitution call(context.ast);
    call.replace(range_of(context.ast, launch->call->getCallee()->getSourceRange()), name);
    const auto here = range_of(context.ast, launch->call->getSourceRange());
    if (!here) return std::nullopt;

    Edits edits(context);
    edits.replace(TextRange{whole->begin, whole->begin}, copy.text(*whole) + "\n\n");
    // The statement's own semicolon stays behind the branch.
    edits.replace(here, "if (" + test + ") {\n" + Substitution(context.ast).text(*here) + ";\n} else {\n" +
                            call.text(*here) + ";\n}");
    if (copy.spoiled() || call.spoiled()) return std::nullopt;
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_specialise() {
  return std::make_unique<Specialise>();
}

}  // namespace hone::frontend
