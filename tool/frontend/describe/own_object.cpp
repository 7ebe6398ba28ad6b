#include "tool/frontend/describe/own_object.h"

#include <clang/AST/DeclCXX.h>

#include <algorithm>

#include "tool/frontend/arguments/argument_plan.h"
#include "tool/frontend/arguments/clause_text.h"
#include "tool/frontend/describe/object_use.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/source_tokens.h"

namespace hone::frontend {
namespace {

using annotations::Expression;
using annotations::Name;

std::string advice_on_object(const clang::FunctionDecl& function) {
  return std::string("; ") +
         (is_in_cuda(function) ? "" : "make objects in a function of yours, named by workload(fn), or ") +
         "pass what is needed to a static function that this one calls, and annotate that one";
}

class PlainMembers {
 public:
  explicit PlainMembers(const clang::FunctionDecl& function) : function_(function) {}

  void visit(Expression& expression) const {
    const SourceTokens tokens(expression.text, permissive_language());
    std::string text = expression.text;
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i)
      if (tokens.is(i, "this") && tokens.is(i + 1, "->") && !is_parameter(tokens.spelling(i + 2)))
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(tokens[i].begin),
                  text.begin() + static_cast<std::ptrdiff_t>(tokens[i + 2].begin), ' ');
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    expression.location.column += static_cast<unsigned>(begin);
    expression.text = text.substr(begin);
  }
  void visit(std::optional<Expression>& expression) const {
    if (expression) visit(*expression);
  }
  void visit(std::vector<Expression>& expressions) const {
    for (Expression& expression : expressions) visit(expression);
  }
  void visit(Name& name) const {
    const std::vector<std::string> words = words_of(name.text);
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool own =
          i + 2 < words.size() && words[i] == "this" && words[i + 1] == "->" && !is_parameter(words[i + 2]);
      if (own && i == 0) name.location.column += 6;
      if (own)
        ++i;  // of start[this->n], too
      else
        text += words[i];
    }
    name.text = std::move(text);
  }
  void visit(std::vector<Name>& names) const {
    for (Name& name : names) visit(name);
  }

 private:
  bool is_parameter(const std::string& name) const {
    return std::ranges::any_of(function_.parameters(),
                               [&](const clang::ParmVarDecl* one) { return one->getName() == name; });
  }

  const clang::FunctionDecl& function_;
};

}  // namespace

annotations::Directive with_plain_members(annotations::Directive directive, const clang::FunctionDecl& function) {
  if (!llvm::isa<clang::CXXMethodDecl>(function)) return directive;
  const PlainMembers plain(function);
  for (annotations::Section& section : directive.sections) {
    const std::size_t before = section.name.text.size();
    plain.visit(section.name);
    if (!section.structs.empty()) section.structs.erase(0, before - section.name.text.size());
    for (annotations::Dimension& dimension : section.dimensions) {
      plain.visit(dimension.start);
      plain.visit(dimension.length);
      plain.visit(dimension.stride);
    }
  }
  for (annotations::Problem& problem : directive.problems)
    for (annotations::Assignment& value : problem.values) {
      plain.visit(value.name);
      plain.visit(value.value);
    }
  for (annotations::Init& init : directive.inits) {
    plain.visit(init.name);
    plain.visit(init.arguments);
  }
  for (annotations::Tolerance& tolerance : directive.tolerances) plain.visit(tolerance.names);
  for (annotations::Alias& alias : directive.aliases) plain.visit(alias.names);
  plain.visit(directive.conditions);
  return directive;
}

std::vector<std::string> members_of(const clang::FunctionDecl& function) {
  std::vector<std::string> names;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method || method->isStatic()) return names;
  const auto add = [&](const clang::CXXRecordDecl* record) {
    for (const clang::FieldDecl* field : record->fields())
      if (field->getDeclName()) names.push_back(field->getNameAsString());
    return true;
  };
  add(method->getParent());
  method->getParent()->forallBases(add);
  return names;
}

std::string add_object(const clang::FunctionDecl& function, ArgumentPlan& plan) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method || method->isStatic()) return "";
  const ObjectUse use = object_use(*method);
  if (!use.virtual_call.empty())
    return "calls '" + use.virtual_call + "' of its object, which is virtual: what runs is known to the object alone" +
           advice_on_object(function);
  if (!use.any()) return "";
  const std::string flaw = plan.add_self(use.whole);
  return flaw.empty() ? "" : flaw + ", which no clause describes" + advice_on_object(function);
}

}  // namespace hone::frontend
