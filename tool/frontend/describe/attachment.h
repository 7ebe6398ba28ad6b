// Which function an annotation stands above, by the rule that its first token is the first token behind the pragma.
#pragma once

#include <string>
#include <variant>

#include "tool/frontend/describe/diagnostic.h"
#include "tool/frontend/parse/outline.h"
#include "tool/frontend/parse/translation_unit.h"

namespace clang {
class FunctionDecl;
}  // namespace clang

namespace hone::frontend {

struct Attachment {
  const clang::FunctionDecl* function = nullptr;
  bool is_template = false;        // or a member of a class template
  int item = -1;                   // of the outline
  std::size_t begin = 0, end = 0;  // the definition's bytes
};

// The function, or why there is none that can be tuned. Without a message: it stands in a class, of which
// find/brought_out.h speaks.
std::variant<Attachment, Mistake> attach(const Annotation& annotation, const TranslationUnit& unit,
                                         const Outline& outline);

}  // namespace hone::frontend
