// Text that came from what is not trusted, in Markdown as GitHub and GitLab render it: it stays text.
//
// Names, code and sentences of lock files and records may hold backticks, pipes, HTML, mentions and links. None of it
// gets a meaning, and none of it ends what it stands in. Control characters are shown, as everywhere
// (base/printable.h). Pure; linear.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hone::report {

// Code within a line, in a cell of a table too.
std::string code_span(std::string_view text);

// The same within HTML, where Markdown is not read: <summary>.
std::string html_code(std::string_view text);

// Whole lines. The fence is longer than any run of backticks in the text.
std::string fenced(std::string_view text, std::string_view language);

// One line of at most that many bytes; "…" stands for what is left out.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace hone::report
