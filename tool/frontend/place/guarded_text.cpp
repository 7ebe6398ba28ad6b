#include "tool/frontend/place/guarded_text.h"

#include <utility>
#include <vector>

#include "tool/frontend/parse/file_regions.h"
#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/parse/source_tokens.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/frontend/place/variant_functions.h"
#include "tool/model/candidate.h"
#include "tool/model/kernel_language.h"

namespace hone::frontend {
namespace {

struct Change {
  std::size_t begin = 0, end = 0;
  std::string text;
};

// `static` goes behind attributes in front of the declaration, which are the function's there alone, and in the place
// of words that say the opposite.
void make_static(const SourceTokens& tokens, const VariantFunction& function, std::vector<Change>& changes) {
  std::size_t at = tokens.at_or_after(function.begin);
  while (tokens.is(at, "[") && tokens.is(at + 1, "["))
    at = tokens.code_at_or_after(tokens[tokens.behind_brackets(at) - 1].end);
  const std::size_t first = at;
  for (; at < tokens.size() && tokens[at].begin < function.name_at; ++at) {
    if (tokens.is(at, "static")) return;
    if (!tokens.is(at, "extern")) continue;
    const bool language = tokens.is(at + 1, "\"C\"") || tokens.is(at + 1, "\"C++\"");
    return changes.push_back({tokens[at].begin, tokens[language ? at + 1 : at].end, "static"});
  }
  changes.push_back({tokens[first].begin, tokens[first].begin, "static "});
}

// Calls the variant where the guard says yes; stands in the original's body. In C the body becomes a block behind it:
// C89 has no declarations behind statements, and none of C's standards returns from a void function with a call.
struct VariantCall {
  std::string text;
  std::string behind_original;  // in front of the body's last brace
};

VariantCall call_of_variant(const FoundKernel& kernel) {
  const std::string question = "  if (" + kernel.guard.question + "(" + kernel.guard.arguments + ")) ";
  const std::string call = kernel.guard.variant + "(" + kernel.entrance.arguments + ");";
  if (!is_c(kernel.spec)) return {question + "return " + call + "\n", ""};
  return {question + (kernel.spec.result ? "return " + call : "{ " + call + " return; }") + "\n  {\n", "}\n"};
}

}  // namespace

Result<std::string> renamed_variant(const FoundKernel& kernel, const std::string& variant) {
  const SourceTokens tokens(variant, permissive_language());
  std::vector<Change> changes;
  bool defined = false;
  for (const VariantFunction& function : functions_of(variant)) {
    if (function.nested || function.name != kernel.entrance.name) continue;
    defined = defined || function.body_end > 0;
    make_static(tokens, function, changes);
    changes.push_back({function.name_at, function.name_at + function.name.size(), kernel.guard.variant});
  }
  if (!defined) return failure("it has fixed scalars, and the variant hides its function");
  std::string text;
  std::size_t copied = 0;
  for (const Change& change : changes) {
    text.append(variant, copied, change.begin - copied).append(change.text);
    copied = change.end;
  }
  return text.append(variant, copied, std::string::npos);
}

Result<Replacement> guarded_replacement(const FoundKernel& kernel, const std::string& variant,
                                        const std::string& display, const Silence& silence) {
  HONE_TRY(const std::string renamed, renamed_variant(kernel, variant));
  const SplitSource split = split_includes(renamed);
  Replacement replacement{kernel.placement, variant, display, {}, {}};
  if (!split.includes.empty())
    replacement.beside.push_back({kernel.placement.includes_at, line_directive(1, display) + split.includes});
  const std::string ours = line_directive(1, kGlueFile);
  replacement.beside.push_back({kernel.placement.begin, ours + silence.begin + kernel.guard.definition +
                                                            line_directive(split.definition_line, display) +
                                                            with_newline(split.definition) + ours + silence.end});
  const VariantCall call = call_of_variant(kernel);
  replacement.beside.push_back({kernel.entrance.at, ours + call.text});
  if (!call.behind_original.empty())
    replacement.beside.push_back({kernel.placement.end - 1, ours + call.behind_original});
  return replacement;
}

Replacement recorded(const FoundKernel& kernel, const Silence& silence) {
  const Recording& recording = kernel.recording;
  const std::string ours = line_directive(1, kGlueFile);
  Replacement replacement{kernel.placement, "", kGlueFile, {}, {}};
  replacement.beside.push_back(
      {kernel.placement.includes_at, ours + silence.begin + recording.declarations + silence.end});
  if (!recording.definition.empty()) {
    replacement.beside.push_back(
        {kernel.placement.begin, ours + silence.begin + with_newline(recording.definition) + silence.end});
    return replacement;
  }
  replacement.beside.push_back({recording.at, ours + silence.begin + recording.call + silence.end});
  if (!recording.end.empty()) replacement.beside.push_back({kernel.placement.end - 1, ours + recording.end});
  return replacement;
}

Result<std::string> guarded_source(const FoundKernel& kernel, const std::string& variant, const std::string& original) {
  HONE_TRY(const std::string renamed, renamed_variant(kernel, variant));
  const SplitSource split = split_includes(renamed);
  const std::size_t body = kernel.entrance.at - kernel.placement.begin;
  const VariantCall call = call_of_variant(kernel);
  return split.includes + kernel.guard.definition + with_newline(split.definition) + original.substr(0, body) + "\n" +
         call.text + original.substr(body, original.size() - 1 - body) + call.behind_original + original.back();
}

}  // namespace hone::frontend
