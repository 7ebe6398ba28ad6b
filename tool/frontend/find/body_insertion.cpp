#include "tool/frontend/find/body_insertion.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <algorithm>

#include "tool/frontend/describe/placement.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/unit/launch_text.h"

namespace hone::frontend {

using namespace clang;

const CompoundStmt* body_of(const FunctionDecl& function) {
  return llvm::dyn_cast_or_null<CompoundStmt>(function.getBody());
}

namespace {

std::string why_not(const TranslationUnit& unit, const FunctionDecl& function, bool instance) {
  if (instance) return "it is an instance of a template";
  if (function.isFunctionTemplateSpecialization()) return "it is a specialization of a template";
  if (function.getQualifierLoc()) return "it is defined outside of its namespace";
  if (is_global(function)) return "";
  if (function.isVariadic()) return "it takes any number of arguments";
  if (std::ranges::any_of(function.parameters(), [](const ParmVarDecl* one) { return one->getName().empty(); }))
    return "a parameter of it has no name";
  const CompoundStmt* body = body_of(function);
  if (!body || !body->getLBracLoc().isFileID() || !unit.in_main_file(body->getLBracLoc()))
    return "its body does not stand in the file as a block of its own";
  return "";
}

}  // namespace

Entrance find_entrance(const TranslationUnit& unit, const FunctionDecl& function, bool instance) {
  Entrance entrance;
  entrance.name = function.getNameAsString();
  entrance.why_not = why_not(unit, function, instance);
  entrance.arguments = arguments_of(function);
  if (entrance.why_not.empty() && !is_global(function)) entrance.at = unit.offset(body_of(function)->getLBracLoc()) + 1;
  return entrance;
}

}  // namespace hone::frontend
