// A candidate's text before any compiler looks at it: is what a person reads what a compiler sees?
//
// Refused are characters that hide or reorder text, quotes, comments and brackets that go on behind the candidate, raw
// strings, trigraphs, and sizes no kernel has. Directives, attributes and words have policies of their own. Pure; at
// most linear in the text.
#pragma once

#include <clang/Basic/LangOptions.h>

#include <optional>
#include <string>
#include <string_view>

#include "tool/diagnostics/diagnostic_code.h"
#include "tool/frontend/parse/file_regions.h"
#include "tool/model/candidate.h"

namespace hone::frontend {

// What is wrong with a candidate, and where. `line` counts from 1 in the candidate.
struct Objection {
  DiagnosticCode code;
  unsigned line = 1;
  std::string text;  // one sentence: what, and what to write instead
};

// "<candidate>:3: … [hone-candidate-text]"
std::string to_string(const Objection& objection);

unsigned line_at(std::string_view text, std::size_t offset);

// Words that need no context: assembly that `original`, the text of its definition, has not (of which CUDA has some in
// device code: meaning_policy.h looks there), what is __managed__, and the judge's own names (but for `own`, if it is
// not "").
std::optional<Objection> object_to_words(const SplitSource& candidate, const clang::LangOptions& language,
                                         const std::string& own, const std::string& original);

// `source` is the whole candidate, `split` the same cut in two.
std::optional<Objection> object_to_text(const std::string& source, const SplitSource& split,
                                        const clang::LangOptions& language);

}  // namespace hone::frontend
