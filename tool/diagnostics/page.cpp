// Explanations as people read them: on a terminal, and as docs/diagnostics.md.
#include <algorithm>
#include <string>

#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

constexpr std::string_view kHead = R"(# Diagnostics

Each message about a mistake of yours ends with a code, such as `[hone-extent-missing]`.
`hone explain extent-missing` prints what stands here, and `hone explain` lists all codes. A code is
never renamed.

This page is made by `hone explain --page > docs/diagnostics.md`; the text is in `tool/diagnostics`.
Tests compile every example: the first has the diagnostic, the second has none.
)";

std::string_view fence_of(ExampleLanguage language) {
  return language == ExampleLanguage::cuda ? "cuda" : language == ExampleLanguage::c ? "c" : "cpp";
}

std::string fenced(std::string_view code, ExampleLanguage language) {
  return "```" + std::string(fence_of(language)) + "\n" + std::string(code) + "```\n";
}

std::string indented(std::string_view code) {
  std::string text;
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size() - 1) + 1;
    const std::string_view line = code.substr(0, end);
    text += (line == "\n" ? "" : "    ") + std::string(line);
    code.remove_prefix(end);
  }
  return text;
}

}  // namespace

std::string as_plain_text(std::string_view markdown) {
  std::string plain;
  for (const char letter : markdown)
    if (letter != '`') plain += letter;
  return plain;
}

std::string explained(const Explanation& one) {
  std::string text =
      "hone-" + std::string(one.name) + ": " + as_plain_text(one.title) + "\n\n" + as_plain_text(one.meaning) + "\n";
  if (!one.wrong.empty()) text += "\nWrong:\n\n" + indented(one.wrong);
  if (!one.right.empty()) text += "\nRight:\n\n" + indented(one.right);
  return text;
}

std::string explanations_page() {
  std::string text(kHead);
  for (const ExplanationGroup& group : explanation_groups()) {
    text += "\n## " + std::string(group.title) + "\n";
    for (const Explanation& one : group.rows) {
      text += "\n### hone-" + std::string(one.name) + "\n\n**" + std::string(one.title) + ".**\n\n" +
              std::string(one.meaning) + "\n";
      if (!one.wrong.empty()) text += "\n" + fenced(one.wrong, one.language);
      if (!one.right.empty()) text += "\nCorrected:\n\n" + fenced(one.right, one.language);
    }
  }
  return text;
}

}  // namespace hone
