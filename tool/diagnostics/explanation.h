// What `hone explain` says of each code, and docs/diagnostics.md: one table, of which tests compile every example.
//
// The *_explanations.cpp have the rows, in the order of the codes. Knows nothing of Clang and of the parts that
// complain.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tool/diagnostics/diagnostic_code.h"

namespace hone {

// Whose code the examples are.
enum class ExampleLanguage { none, cpp, c, cuda };

struct Explanation {
  DiagnosticCode code = DiagnosticCode::none;
  std::string_view name;     // "extent-missing"
  std::string_view title;    // one line, without a full stop
  std::string_view meaning;  // what it says, why Hone refuses, what to do: Markdown, paragraphs of plain sentences
  ExampleLanguage language = ExampleLanguage::none;
  std::string_view wrong{};  // a whole source file that has this diagnostic and no other; "": none can show it alone
  std::string_view right{};  // the same, corrected: it has no diagnostic
};

struct ExplanationGroup {
  std::string_view title;
  std::span<const Explanation> rows;
};

const std::vector<ExplanationGroup>& explanation_groups();
const Explanation* explanation(DiagnosticCode code);  // nullptr for `none` alone

// Without the marks of code spans.
std::string as_plain_text(std::string_view markdown);

// Of one code, for a terminal.
std::string explained(const Explanation& explanation);
// docs/diagnostics.md.
std::string explanations_page();

// The tables, in the order of the codes.
std::span<const Explanation> annotation_explanations();  // the pragma's text
std::span<const Explanation> function_explanations();    // what it stands above
std::span<const Explanation> argument_explanations();    // what the function takes
std::span<const Explanation> data_explanations();        // the data it is called on
std::span<const Explanation> call_explanations();        // how it is called, and what it does
std::span<const Explanation> link_explanations();        // what a compile links
std::span<const Explanation> file_explanations();        // files and commands
std::span<const Explanation> command_explanations();     // single commands, and budgets
std::span<const Explanation> candidate_explanations();   // what a candidate may be
std::span<const Explanation> verdict_explanations();     // what becomes of it when it is judged
std::span<const Explanation> executor_explanations();    // executors
std::span<const Explanation> store_explanations();       // stores and keys
std::span<const Explanation> model_explanations();       // language models

}  // namespace hone
