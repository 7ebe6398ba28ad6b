#include "tool/frontend/find/self_contained.h"

#include <clang/AST/Decl.h>

#include <algorithm>
#include <set>
#include <variant>
#include <vector>

#include "tool/frontend/arguments/clause_text.h"
#include "tool/frontend/arguments/file_variable.h"
#include "tool/frontend/arguments/member_uses.h"
#include "tool/frontend/arguments/variable_uses.h"
#include "tool/frontend/describe/workload_function.h"

namespace hone::frontend {
namespace {

using namespace clang;

// 'a', 'b' and 3 more
std::string in_words(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
    text += (i == 0 ? "'" : i + 1 == names.size() ? " and '" : ", '") + names[i] + "'";
  return text + (names.size() > kMost ? " and " + std::to_string(names.size() - kMost) + " more" : "");
}

// Do clauses name the variable?
bool is_given(const Arguments& arguments, const std::string& variable) {
  return std::ranges::any_of(arguments.objects, [&](const ArgumentObject& object) {
    return object.memory == ArgumentObject::Memory::variable && object.name == variable;
  });
}

// The variable of that name, as find_closure() calls it.
const VarDecl* variable_called(const std::string& name, const FunctionDecl& function) {
  std::size_t at = 0;
  return find_variable(function, words_of("::" + name), at);
}

// Clauses that would say it: of an object, what the function uses of it.
std::string clauses_for(const std::string& name, const FunctionDecl& function) {
  const VarDecl* variable = variable_called(name, function);
  const RecordDecl* record = variable ? variable->getType()->getAsRecordDecl() : nullptr;
  if (record && record->getDefinition()) {
    const std::set<const FieldDecl*> mentioned = members_mentioned(function);
    for (const FieldDecl* field : record->getDefinition()->fields())
      if (const std::string member = name + "." + field->getNameAsString(); mentioned.contains(field))
        return "name its members one by one, as in " +
               (field->getType()->isPointerType() ? "inout(" + member + "[0:n])" : "problem(" + member + "=…)");
  }
  return "say what it holds with in(" + name + "), inout(" + name + ") or problem(" + name + "=…)";
}

// Several workloads may be alive at once, and they share the variable: so it is set where its call is timed, and
// nothing that a call leaves in it is looked at.
std::string not_in_workload(const annotations::Name& workload, const std::string& variable,
                            const FunctionDecl& function) {
  const auto uses = variable_uses(function);
  if (const auto use = uses.find(variable); use == uses.end() || use->second == VariableUse::changed)
    return "beside workload(" + workload.text +
           ") it may only be read, as a call could leave something in it; pass it to the function";
  const auto found = find_workload(function, workload);
  const auto* const* maker = std::get_if<const FunctionDecl*>(&found);
  if (!maker || variable_uses(**maker, &function).contains(variable)) return "";
  return "set it in '" + workload.text + "', in front of the call that is timed";
}

}  // namespace

std::string not_self_contained(const Closure& closure, const Elsewhere& elsewhere, const FunctionDecl& function) {
  const std::string name = "'" + function.getQualifiedNameAsString() + "'";
  if (!closure.unset_constants.empty())
    return name + " reads the __constant__ memory '" + closure.unset_constants.front() +
           "', which other code fills; give it an initializer, fill it in the annotated function, or pass the data "
           "as a parameter";
  if (!elsewhere.missing.empty() && !elsewhere.unparsed.empty())
    return name + " uses " + in_words(elsewhere.missing) +
           ", which may be defined in a source that Hone cannot read: " + elsewhere.unparsed;
  if (!elsewhere.missing.empty())
    return name + " uses " + in_words(elsewhere.missing) +
           ", which no source of the compile_commands.json defines, so a variant would be judged without; list that "
           "source "
           "there (CMake: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON), move the definition into a header that this file "
           "includes "
           "(inline or static), or annotate a function without it";
  if (!elsewhere.objection.empty())
    return name + " calls what other files define, and " + elsewhere.objection +
           "; move that out of the annotated function, or annotate one without it";
  return "";
}

std::string not_given(const Closure& closure, const Description& description, const FunctionDecl& function) {
  for (const std::string& variable : closure.mutable_variables) {
    if (is_given(description.arguments, variable)) continue;
    const std::string uses = "'" + function.getQualifiedNameAsString() + "' uses the variable '" + variable +
                             "', which other code can change; ";
    if (!description.workload) return uses + clauses_for(variable, function);
    if (std::string reason = not_in_workload(*description.workload, variable, function); !reason.empty())
      return uses + reason;
  }
  return "";
}

void define_variables(const Closure& closure, const std::set<std::string>& defined, const FunctionDecl& function,
                      Arguments& arguments) {
  for (const std::string& name : closure.mutable_variables) {
    if (defined.contains(name)) continue;
    const VarDecl* variable = variable_called(name, function);
    if (!variable || is_given(arguments, name)) continue;
    if (std::string definition = missing_definition(*variable); !definition.empty())
      arguments.definitions.push_back(std::move(definition));
  }
}

}  // namespace hone::frontend
