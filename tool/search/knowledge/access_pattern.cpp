#include "tool/search/knowledge/access_pattern.h"

#include <algorithm>
#include <map>

namespace hone::search {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool is_block(const std::string& name) {
  return name.starts_with("blockIdx");
}

bool is_unit(const std::optional<std::string>& step) {
  return step && step->empty();
}

// By rows whose length is no number.
bool jumps(const std::optional<std::string>& step) {
  const bool by_block = step && step->find("blockDim") != std::string::npos;
  return step && !step->empty() && *step != "-1" && !is_number(*step) && !by_block;
}

// The terms with a counter; what is left is where the access lies beside others.
std::vector<IndexForm::Product> moving_terms(const Access& access) {
  std::vector<IndexForm::Product> terms = access.form.terms;
  std::erase_if(terms, [&](const IndexForm::Product& term) {
    return std::ranges::none_of(term, [&](const std::string& factor) {
      return std::ranges::any_of(access.counters, [&](const Counter& counter) { return counter.name == factor; });
    });
  });
  return terms;
}

// x[i]: the only counter that it depends on, which is the whole subscript. "": there is none such.
std::string only_counter(const Access& access) {
  std::set<std::string> all = counters_of(access);
  std::erase_if(all, is_block);
  const bool one = all.size() == 1 && is_unit(access.form.step_of(*all.begin())) &&
                   moving_terms(access).size() == access.form.terms.size();
  return one ? *all.begin() : std::string();
}

// Two counters go the same way at the same pace: x + dx.
bool slides(const Access& access) {
  std::map<std::string, std::string> by_step;
  for (const Counter& counter : access.counters) {
    const auto step = access.form.step_of(counter.name);
    if (!step || !counter.by_one || is_block(counter.name)) continue;
    if (!by_step.try_emplace(*step, counter.name).second && by_step[*step] != counter.name) return true;
  }
  return false;
}

bool is_strided(const Access& access, bool device) {
  if (device) {
    const auto step = access.form.step_of("threadIdx.x");
    return step && !step->empty() && *step != "-1";
  }
  if (access.counters.empty() || !jumps(access.form.step_of(access.counters.back().name))) return false;
  return std::ranges::any_of(access.counters,
                             [&](const Counter& one) { return is_unit(access.form.step_of(one.name)); });
}

bool has_numeric_step(const Access& access) {
  return std::ranges::any_of(access.counters, [&](const Counter& counter) {
    const auto step = access.form.step_of(counter.name);
    return step && is_number(*step);
  });
}

void compare(Shape& shape, const Access& one, const Access& other) {
  if (one.member != other.member) shape.members = true;
  const std::string first = only_counter(one), second = only_counter(other);
  if (!first.empty() && !second.empty() && first != second) shape.pairs = true;
  const auto moving = moving_terms(one);
  if (moving.empty() || moving != moving_terms(other) || one.form.terms == other.form.terms) return;
  if (has_numeric_step(one))
    shape.interleaved = true;
  else if (one.stored != other.stored)
    shape.chain = true;
  else
    shape.window = true;
}

}  // namespace

std::set<std::string> counters_of(const Access& access) {
  std::set<std::string> found;
  for (const Counter& counter : access.counters)
    if (access.depends_on(counter.name)) found.insert(counter.name);
  return found;
}

bool is_along_row(const Access& access, std::string_view along, std::string_view across) {
  return is_unit(access.form.step_of(along)) && jumps(access.form.step_of(across));
}

bool turns(const Access& to, const Access& from) {
  for (const Counter& one : to.counters)
    for (const Counter& other : to.counters)
      if (is_along_row(to, one.name, other.name) && is_along_row(from, other.name, one.name)) return true;
  return false;
}

void add_product(Shape& shape, const std::set<std::string>& one, const std::set<std::string>& other) {
  const auto lacks = [](const std::set<std::string>& what, const std::set<std::string>& of) {
    return std::ranges::any_of(of, [&](const std::string& name) { return !what.contains(name); });
  };
  const bool along = std::ranges::any_of(one, [&](const std::string& name) { return other.contains(name); });
  if (along && lacks(one, other) && lacks(other, one)) shape.matrix_product = true;
}

void add_accesses(Shape& shape, const std::vector<Access>& accesses, bool device) {
  constexpr std::size_t most = 200;  // of a kernel: each is compared with each
  const std::size_t count = std::min(accesses.size(), most);
  for (std::size_t i = 0; i < count; ++i) {
    const Access& access = accesses[i];
    shape.gather = shape.gather || (access.form.looked_up && !access.stored);
    shape.window = shape.window || (slides(access) && !access.stored);
    shape.strided = shape.strided || is_strided(access, device);
    for (std::size_t j = 0; j < i; ++j)
      if (accesses[j].array == access.array) compare(shape, accesses[j], access);
  }
}

}  // namespace hone::search
