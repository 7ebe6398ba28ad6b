#include "tool/transforms/code/clause_values.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "tool/model/kernel_language.h"
#include "tool/model/workload_kernel.h"

namespace hone::frontend {
namespace {

// Numbers with * and << between them.
std::optional<long long> constant(const std::string& text) {
  std::istringstream in(text);
  long long result = 0;
  if (!(in >> result)) return std::nullopt;
  for (std::string op; in >> std::ws && !in.eof();) {
    op = static_cast<char>(in.get());
    if (op == "<" && in.get() != '<') return std::nullopt;
    long long next = 0;
    if ((op != "*" && op != "<") || !(in >> next) || next < 0 || (op == "<" && next > 40)) return std::nullopt;
    result = op == "*" ? result * next : result << next;
  }
  return result;
}

// The expression whose lines follow `head` in the harness, up to the line that closes its brackets.
std::string expression_behind(const std::string& harness, std::size_t behind_head) {
  std::istringstream lines(harness.substr(behind_head));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos || line[start] == '#') continue;
    if (line[start] == ')') return text;
    text += (text.empty() ? "" : " ") + line.substr(start);
  }
  return "";
}

// As the user wrote it.
std::optional<std::string> clause_text(const KernelSpec& spec, ExpressionId id) {
  const std::string number = std::to_string(id);
  const std::string head = "hone_store(hone_integers + " + number + ", hone_reals + " + number + ",\n";
  const std::size_t at = spec.unit.harness.find(head);
  if (at == std::string::npos) return std::nullopt;
  return expression_behind(spec.unit.harness, at + head.size());
}

std::optional<long long> value_of(const KernelSpec& spec, ExpressionId id) {
  const auto text = clause_text(spec, id);
  return text ? constant(*text) : std::nullopt;
}

}  // namespace

std::optional<long long> constant_extent(const KernelSpec& spec, const Parameter& parameter) {
  if (parameter.extent.empty()) return std::nullopt;
  long long product = 1;
  for (const Dimension& dimension : parameter.extent) {
    const auto start = dimension.start ? value_of(spec, *dimension.start) : 0;
    const auto length = value_of(spec, dimension.length);
    if (!start || !length || *start != 0) return std::nullopt;
    product *= *length;
  }
  return product;
}

std::optional<std::string> extent_text(const KernelSpec& spec, const Parameter& parameter) {
  std::string product;
  for (const Dimension& dimension : parameter.extent) {
    const auto start = dimension.start ? value_of(spec, *dimension.start) : 0;
    const auto length = clause_text(spec, dimension.length);
    if (!start || *start != 0 || !length || length->empty() || dimension.stride) return std::nullopt;
    const std::string factor = parameter.extent.size() > 1 ? "(" + *length + ")" : *length;
    product += (product.empty() ? "" : " * ") + factor;
  }
  return product.empty() ? std::nullopt : std::optional(product);
}

std::optional<long long> problem_value(const KernelSpec& spec, unsigned problem, const std::string& parameter) {
  const std::string& harness = spec.unit.harness;
  const std::string begin = "  if (hone_number == " + std::to_string(problem) + ") {\n";
  const std::size_t first = harness.find(begin);
  if (first == std::string::npos) return std::nullopt;
  const std::string assignments = harness.substr(first, harness.find("\n  }\n", first) - first);
  const auto datum = std::ranges::find(spec.parameters, parameter, &Parameter::name);
  for (const std::string& name : {parameter, "hone_datum_" + std::to_string(datum - spec.parameters.begin())}) {
    const std::string head = "    " + name + (is_c(spec) ? " = (hone_type_" : " = static_cast<");
    const std::size_t at = assignments.find(head);
    const std::size_t line = at == std::string::npos ? at : assignments.find('\n', at);
    if (line != std::string::npos) return constant(expression_behind(assignments, line + 1));
  }
  return std::nullopt;
}

std::vector<long long> problem_values(const KernelSpec& spec, const std::string& parameter) {
  std::vector<long long> values;
  for (unsigned problem = 0; problem < spec.problems.size(); ++problem)
    if (const auto value = problem_value(spec, problem, parameter);
        value && std::ranges::find(values, *value) == values.end())
      values.push_back(*value);
  return values;
}

const Parameter* find_parameter(const KernelSpec& spec, const std::string& name) {
  const auto found = std::find_if(spec.parameters.begin(), spec.parameters.end(),
                                  [&](auto& parameter) { return parameter.name == name && !has_workload(spec); });
  return found == spec.parameters.end() ? nullptr : &*found;
}

}  // namespace hone::frontend
