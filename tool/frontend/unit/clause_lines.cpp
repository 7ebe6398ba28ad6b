#include "tool/frontend/unit/clause_lines.h"

#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/unit/harness.h"

namespace hone::frontend {

std::string ClauseLines::own_lines() {
  return line_directive(1, kHarnessFile);
}

void ClauseLines::add(const annotations::Expression& expression) {
  text += line_directive(expression.location.line, file);
  text.append(expression.location.column > 0 ? expression.location.column - 1 : 0, ' ');
  text += expression.text + "\n" + own_lines();
}

}  // namespace hone::frontend
