// A choice by size in front of a variant: problems that it is slower on keep the original's body.
//
//   void f(…, int n, int m) {
//     if (1LL * n * m < 1048576) {   the smallest problem that the variant was measured on and is for
//       …                            the original
//       return;
//     }
//     …                              the variant
//   }
//
// The border lies at a problem, so what nobody measured between two problems keeps the original, and the judge's sizes
// around each problem fall on both sides. It is the last gene of a genome: what comes behind it would change both
// bodies. The arguments number the problems that keep the original, from 0.
#include <algorithm>
#include <array>
#include <limits>

#include "tool/frontend/parse/source_tokens.h"
#include "tool/model/workload_kernel.h"
#include "tool/transforms/code/clause_values.h"
#include "tool/transforms/code/edits.h"

namespace hone::frontend {
namespace {

// Sizes that problems differ in: the product of one problem's values grows with its work.
struct Size {
  std::string name;
  std::vector<long long> values;  // by problem
};

bool is_integer(const Parameter& parameter) {
  if (parameter.pointer || parameter.composed || parameter.element.fields.size() != 1) return false;
  const ScalarKind kind = parameter.element.fields.front().type.kind;
  return kind == ScalarKind::signed_integer || kind == ScalarKind::unsigned_integer;
}

std::vector<Size> sizes_of(const KernelSpec& spec) {
  std::vector<Size> sizes;
  if (has_workload(spec)) return sizes;
  for (const Parameter& parameter : spec.parameters) {
    if (!is_integer(parameter) || !parameter.enumerators.empty()) continue;
    Size size{parameter.name, {}};
    for (unsigned problem = 0; problem < spec.problems.size(); ++problem)
      if (const auto value = problem_value(spec, problem, parameter.name); value && *value > 0)
        size.values.push_back(*value);
    const auto [least, most] = std::ranges::minmax_element(size.values);
    if (size.values.size() == spec.problems.size() && least != size.values.end() && *least < *most)
      sizes.push_back(std::move(size));
  }
  return sizes;
}

using Problems = std::vector<bool>;  // true: it keeps the original

// Where one side of a border ends and the other begins.
struct Border {
  long long at = 0;    // the variant's problem next to the border
  bool below = false;  // the original is for what is smaller, else for what is larger
};

std::optional<Border> border_between(const std::vector<long long>& values, const Problems& originals) {
  constexpr long long highest = std::numeric_limits<long long>::max(), lowest = std::numeric_limits<long long>::min();
  long long least_original = highest, most_original = lowest, least_variant = highest, most_variant = lowest;
  for (std::size_t problem = 0; problem < values.size(); ++problem) {
    long long& least = originals[problem] ? least_original : least_variant;
    long long& most = originals[problem] ? most_original : most_variant;
    least = std::min(least, values[problem]);
    most = std::max(most, values[problem]);
  }
  if (most_original < least_variant) return Border{least_variant, true};
  if (most_variant < least_original) return Border{most_variant, false};
  return std::nullopt;
}

std::vector<long long> product_of(const std::vector<Size>& sizes) {
  std::vector<long long> product(sizes.front().values.size(), 1);
  for (const Size& size : sizes)
    for (std::size_t problem = 0; problem < product.size(); ++problem)
      if (__builtin_mul_overflow(product[problem], size.values[problem], &product[problem])) return {};
  return product;
}

// What holds where the original is to run; nullopt: no size tells the problems apart.
std::optional<std::string> condition_for(const KernelContext& context, const Problems& originals) {
  const std::vector<Size> all = sizes_of(context.spec);
  std::vector<Size> growing, shrinking;
  for (const Size& size : all)
    if (const auto border = border_between(size.values, originals))
      (border->below ? growing : shrinking).push_back(size);
  for (const std::vector<Size>* sizes : std::array<const std::vector<Size>*, 3>{&growing, &shrinking, &all}) {
    if (sizes->empty()) continue;
    const auto border = border_between(product_of(*sizes), originals);
    if (!border) continue;
    std::string product;
    for (const Size& size : *sizes) product += (product.empty() ? "" : " * ") + size.name;
    const clang::LangOptions& language = context.ast.getLangOpts();
    if (sizes->size() > 1) product = (language.CPlusPlus || language.C99 ? "1LL * " : "1L * ") + product;
    return product + (border->below ? " < " : " > ") + std::to_string(border->at);
  }
  return std::nullopt;
}

// The text between the outermost braces of the original.
std::string body_of(const KernelContext& context) {
  const std::string& text = context.spec.unit.active();
  const SourceTokens tokens(text, context.ast.getLangOpts());
  std::size_t depth = 0, end = 0;
  for (std::size_t at = tokens.size(); at-- > 0;) {
    if (tokens[at].directive) continue;
    if (tokens.is(at, "}") && depth++ == 0) end = tokens[at].begin;
    if (tokens.is(at, "{") && depth > 0 && --depth == 0) return text.substr(tokens[at].end, end - tokens[at].end);
  }
  return "";
}

std::optional<Problems> originals_of(const KernelSpec& spec, const std::vector<int>& arguments) {
  Problems originals(spec.problems.size(), false);
  for (const int argument : arguments) {
    if (argument < 0 || static_cast<std::size_t>(argument) >= originals.size()) return std::nullopt;
    originals[static_cast<std::size_t>(argument)] = true;
  }
  const auto count = std::ranges::count(originals, true);
  if (count == 0 || static_cast<std::size_t>(count) == originals.size()) return std::nullopt;
  return originals;
}

class BySize final : public Transformation {
 public:
  std::string_view name() const override { return "by_size"; }

  unsigned sites(const KernelContext& context) const override {
    return context.spec.problems.size() > 1 && !sizes_of(context.spec).empty() ? 1 : 0;
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    const auto originals = originals_of(context.spec, arguments);
    const auto condition = originals ? condition_for(context, *originals) : std::nullopt;
    const std::string original = body_of(context);
    const clang::FunctionDecl* function = context.launcher ? context.launcher : context.kernel;
    const auto body = range_of(context.ast, function->getBody());
    if (!condition || original.empty() || !body) return std::nullopt;
    Edits edits(context);
    const std::string leave = function->getReturnType()->isVoidType() ? "\nreturn;" : "";
    edits.insert(body->begin + 1, "\nif (" + *condition + ") {\n" + original + leave + "\n}\n");
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_by_size() {
  return std::make_unique<BySize>();
}

}  // namespace hone::frontend
