// A model's edits to a parent: unified diffs and search/replace blocks.
//
// Line numbers in hunks are not believed: a hunk goes where its context and removed lines stand, compared without
// regard to blanks at the ends of lines (and, failing that, to indentation).
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace hone::search {

bool is_unified_diff(std::string_view text);
bool is_search_replace(std::string_view text);

// The parent with all edits applied. Error: one sentence that says which edit and why.
tl::expected<std::string, std::string> apply_unified_diff(std::string_view parent, std::string_view diff);
tl::expected<std::string, std::string> apply_search_replace(std::string_view parent, std::string_view edits);

}  // namespace hone::search
