#include "tool/frontend/unit/clause_lines.h"

#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/unit/harness.h"

namespace hone::frontend {

std::string ClauseLines::own_lines() {
  return line_directive(1, kHarnessFile);
}

void ClauseLines::add(const annotations::Expression& expression) {
  add(expression, expression.text);
}

void ClauseLines::add(const annotations::Expression& expression, const std::string& written) {
  text += line_directive(expression.location.line, file);
  text.append(expression.location.column > 0 ? expression.location.column - 1 : 0, ' ');
  text += written + "\n" + own_lines();
}

}  // namespace hone::frontend
