#include "tool/judge/verify/case_maker.h"

#include <algorithm>
#include <utility>

#include "tool/base/random.h"
#include "tool/judge/data/scalar.h"

namespace hone::judge {

CaseMaker::CaseMaker(const KernelData& spec, const bundle::Plan& plan, Subject& reference)
    : spec_(spec), plan_(plan), reference_(&reference), seed_(derive(plan.seed, 0x7e51f1)) {}

Result<std::optional<Case>> CaseMaker::make(unsigned problem, const std::vector<Override>& overrides,
                                            std::size_t memory_bytes) {
  auto made =
      make_case(spec_, *reference_, problem, next_seed(), overrides, std::min(memory_bytes, plan_.memory_bytes));
  if (made) return std::optional<Case>(std::move(*made));
  if (made.error().failure) HONE_CHECK(reference_->restart());
  return std::optional<Case>();
}

Result<std::optional<Case>> CaseMaker::make_given(const bundle::Given& given) {
  auto made = make_given_case(spec_, *reference_, given);
  if (made) return std::optional<Case>(std::move(*made));
  if (made.error().failure) HONE_CHECK(reference_->restart());
  return std::optional<Case>();
}

Result<std::optional<Case>> CaseMaker::variant(const Case& like, std::uint64_t seed) {
  if (like.given) return std::optional<Case>(like);
  auto made = make_case(spec_, *reference_, like.problem, seed, like.overrides, plan_.memory_bytes);
  if (made) return std::optional<Case>(std::move(*made));
  if (made.error().failure) HONE_CHECK(reference_->restart());
  return std::optional<Case>();
}

std::vector<long long> CaseMaker::extents(const ExpressionValues& values) const {
  std::vector<long long> result;
  for (const Parameter& parameter : spec_.parameters) {
    for (const Dimension& dimension : parameter.extent) {
      result.push_back(values.integers[dimension.length]);
      if (dimension.start) result.push_back(values.integers[*dimension.start]);
    }
    if (parameter.init && parameter.init->distribution == Distribution::index)
      for (const ExpressionId id : parameter.init->arguments) result.push_back(values.integers[id]);
  }
  return result;
}

Result<Sizes> CaseMaker::sizes(const Case& declared) {
  Sizes sizes(spec_.parameters.size());
  const std::vector<long long> extents = this->extents(declared.values);
  for (std::size_t index = 0; index < sizes.size(); ++index) {
    const Parameter& parameter = spec_.parameters[index];
    if (parameter.pointer || parameter.stream || parameter.composed || parameter.element.fields.size() != 1) continue;
    const ScalarType& type = scalar_type(parameter);
    if (type.kind == ScalarKind::floating) continue;
    const long long value = integer_value(type, declared.scalars[index]);
    for (const long long other : {value + 1, value / 2, 2 * (value / 4) + 3}) {
      if (sizes[index]) break;
      std::vector<runner::Scalar> scalars = declared.scalars;
      set_integer(type, scalars[index], other);
      const auto values = reference_->evaluate(scalars, spec_.expression_count);
      if (!values) HONE_CHECK(reference_->restart());
      sizes[index] = !values || this->extents(*values) != extents;
    }
  }
  return sizes;
}

}  // namespace hone::judge
