#include "tool/judge/verify/case_maker.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tool/base/random.h"
#include "tool/judge/data/scalar.h"

namespace hone::judge {

namespace {

bool is_of_problem(const KernelData& spec, const Case& declared, const bundle::Given& given) {
  return given.scalars.size() == spec.parameters.size() &&
         std::ranges::all_of(spec.problems[declared.problem].assigned, [&](unsigned i) {
           const std::size_t size = spec.parameters[i].element.size;
           return given.scalars[i].size() >= size &&
                  std::memcmp(given.scalars[i].data(), declared.scalars[i].bytes, size) == 0;
         });
}

}  // namespace

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

Result<std::optional<Case>> CaseMaker::make_captured(const Case& declared) {
  std::optional<Case> whole;
  for (const bundle::Given& given : plan_.given) {
    if (!given.captured || !is_of_problem(spec_, declared, given)) continue;
    HONE_TRY(auto made, make_given(given));
    if (!made) continue;
    const auto same_size = [](const Array& a, const Array& b) { return a.bytes == b.bytes; };
    if (whole && !std::ranges::equal(whole->arrays, made->arrays, same_size)) continue;
    if (!whole) {
      whole = std::move(*made);
      whole->problem = declared.problem;
      whole->turns.push_back(whole->given);
    } else {
      whole->turns.push_back(made->given);
    }
  }
  return whole;
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

std::vector<long long> CaseMaker::distances(const ExpressionValues& values) const {
  std::vector<long long> result;
  for (const Parameter& parameter : spec_.parameters)
    for (const Dimension& dimension : parameter.extent)
      if (dimension.stride) result.push_back(values.integers[*dimension.stride]);
  return result;
}

Result<Sizes> CaseMaker::sizes(const Case& declared) {
  return changing(declared, &CaseMaker::extents);
}

Result<Sizes> CaseMaker::strides(const Case& declared) {
  HONE_TRY(const Sizes sizes, this->sizes(declared));
  HONE_TRY(Sizes strides, changing(declared, &CaseMaker::distances));
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i]) strides[i] = false;
  return strides;
}

// The scalars with which what is told changes.
Result<Sizes> CaseMaker::changing(const Case& declared, Told told) {
  Sizes sizes(spec_.parameters.size());
  const std::vector<long long> before = (this->*told)(declared.values);
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
      sizes[index] = !values || (this->*told)(*values) != before;
    }
  }
  return sizes;
}

}  // namespace hone::judge
