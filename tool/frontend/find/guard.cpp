#include "tool/frontend/find/guard.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <algorithm>
#include <vector>

#include "tool/frontend/describe/placement.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/template_parameter.h"

namespace hone::frontend {
namespace {

constexpr std::size_t kDigitsOfKey = 8;  // keeps names short; 32 bits tell a file's kernels apart

// The guard's own names, which no expression has.
std::string value_name(unsigned parameter) {
  return "hone_value_" + std::to_string(parameter);
}

bool is_c_function(const clang::FunctionDecl& function) {
  return !function.getASTContext().getLangOpts().CPlusPlus;
}

// A member is a datum behind the parameters, whose type is spelled already; a number's type needs no declarator.
std::string type_of(const clang::FunctionDecl& function, const Description& description, unsigned datum) {
  if (const auto member = description.arguments.types.find(datum); member != description.arguments.types.end())
    return member->second;
  return spelled(function.getParamDecl(datum)->getType().getUnqualifiedType(), function.getASTContext());
}

std::string converted(const clang::FunctionDecl& function, const std::string& type, const std::string& value) {
  if (is_c_function(function)) return "(" + type + ")(" + value + ")";
  return "static_cast<" + type + ">(" + value + ")";
}

// "hone_value_2 == static_cast<float>(2.0) && …": each fixed scalar as this problem has it.
std::string has_values(const clang::FunctionDecl& function, const Description& description,
                       const std::vector<ProblemValue>& values, const KernelSpec& spec) {
  std::vector<std::pair<unsigned, std::string>> equal;
  for (const ProblemValue& value : values)
    if (spec.parameters[value.parameter].fixed)
      equal.emplace_back(value.parameter,
                         value_name(value.parameter) + " == " +
                             converted(function, type_of(function, description, value.parameter), value.value.text));
  std::ranges::sort(equal);
  std::string text;
  for (const auto& [parameter, comparison] : equal) text += (text.empty() ? "" : " && ") + comparison;
  return text;
}

}  // namespace

std::string why_no_guard(const clang::FunctionDecl& function, const Entrance& entrance) {
  if (is_global(function)) return "it is a __global__ kernel";
  if (function.isConstexpr()) return "it is constexpr";
  return entrance.why_not;
}

Guard guard_of(const clang::FunctionDecl& function, const Description& description, const KernelSpec& spec) {
  const std::string name = function.getNameAsString() + "_" + spec.key.substr(0, kDigitsOfKey);
  std::string taken, passed;
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    if (!spec.parameters[i].fixed) continue;
    taken += (taken.empty() ? "" : ", ") + type_of(function, description, i) + " " + value_name(i);
    passed += (passed.empty() ? "" : ", ") + spec.parameters[i].name;
  }
  std::vector<std::string> problems;
  for (const auto& values : description.problem_values)
    if (std::string one = has_values(function, description, values, spec); std::ranges::count(problems, one) == 0)
      problems.push_back(std::move(one));
  Guard guard;
  guard.variant = "hone_fixed_" + name;
  guard.question = "hone_has_fixed_" + name;
  guard.arguments = passed;
  // C89 knows neither word.
  guard.definition = (is_c_function(function) ? "static __inline int " : "static inline bool ") + guard.question + "(" +
                     taken + ") {\n  return ";
  for (const std::string& one : problems)
    guard.definition += (&one == problems.data() ? "(" : " ||\n         (") + one + ")";
  guard.definition += ";\n}\n";
  return guard;
}

}  // namespace hone::frontend
