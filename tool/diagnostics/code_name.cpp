#include <algorithm>
#include <string>

#include "tool/diagnostics/diagnostic_code.h"
#include "tool/diagnostics/explanation.h"

namespace hone {

std::string_view code_name(DiagnosticCode code) {
  const Explanation* known = explanation(code);
  return known ? known->name : std::string_view();
}

DiagnosticCode code_called(std::string_view name) {
  if (name.starts_with('[')) name.remove_prefix(1);
  if (name.ends_with(']')) name.remove_suffix(1);
  if (name.starts_with("hone-")) name.remove_prefix(5);
  for (const ExplanationGroup& group : explanation_groups())
    for (const Explanation& one : group.rows)
      if (one.name == name) return one.code;
  return DiagnosticCode::none;
}

DiagnosticCode take_code(std::string& message) {
  const std::size_t at = message.rfind(" [hone-");
  if (at == std::string::npos || !message.ends_with(']')) return DiagnosticCode::none;
  const DiagnosticCode code = code_called(std::string_view(message).substr(at + 1));
  if (code != DiagnosticCode::none) message.resize(at);
  return code;
}

std::string with_code(std::string message, DiagnosticCode code) {
  if (code == DiagnosticCode::none) return message;
  const std::size_t end = std::min(message.find('\n'), message.size());
  return message.insert(end, " [hone-" + std::string(code_name(code)) + "]");
}

}  // namespace hone
