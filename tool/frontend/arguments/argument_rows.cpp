#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include "tool/frontend/arguments/argument_plan.h"
#include "tool/model/harness_data.h"

namespace hone::frontend {

using namespace clang;

// Of `const T* const* rows`: what the pointers point to. "" or the reason.
std::string ArgumentPlan::describe_rows(QualType pointers, Parameter& parameter, DatumFacts& facts) const {
  if (pointers.isVolatileQualified()) return "points to volatile data, which no clause describes";
  facts.rows = true;
  facts.constant = false;
  std::string why = describe_elements(pointers->getPointeeType(), parameter, facts);
  return why == "is a pointer to pointers, which no clause describes"
             ? "is a pointer to pointers to pointers, which no clause describes"
             : why;
}

// All rows are one datum, and their pointers another. A call that leaves other pointers behind is told by these.
unsigned ArgumentPlan::add_table(unsigned elements) {
  Parameter table;
  table.name = std::string(kPointersOf) + spec_.parameters[elements].name;
  table.type = spec_.parameters[elements].type;
  table.pointer = true;
  table.role = Role::out;
  table.element = number({ScalarKind::unsigned_integer, sizeof(void*)});
  DatumFacts facts;
  facts.constant = false;
  facts.role_by_rule = true;
  const std::string name = table.name;
  const unsigned holder = add_datum(std::move(table), std::move(facts), name);
  arguments_.rows.push_back({.elements = elements, .holder = holder});
  spec_.built = true;
  return holder;
}

void ArgumentPlan::add_tables() {
  const auto parameters = static_cast<unsigned>(spec_.parameters.size());
  for (unsigned i = 0; i < parameters; ++i)
    if (facts_[i].rows) add_table(i);
}

}  // namespace hone::frontend
