// What several clauses share.
#include "annotations/clauses.h"

#include <algorithm>

namespace hone::annotations {

std::string counted(std::size_t arguments) {
  return std::to_string(arguments) + (arguments == 1 ? " argument" : " arguments");
}

bool contains_name(const std::vector<Name>& names, std::string_view text) {
  return std::any_of(names.begin(), names.end(), [&](const Name& n) { return n.text == text; });
}

bool read_arguments(Cursor& in, std::vector<Expression>& to) {
  do {
    auto argument = in.expression("expected an expression");
    if (!argument) return false;
    to.push_back(std::move(*argument));
  } while (in.take(","));
  return true;
}

bool add_assignment(Cursor& in, Assignment value, std::vector<Assignment>& to) {
  for (const Assignment& other : to)
    if (other.name.text == value.name.text)
      return in.repeated(value.name.location, "value for '" + value.name.text + "'", other.name.location);
  to.push_back(std::move(value));
  return true;
}

}  // namespace hone::annotations
