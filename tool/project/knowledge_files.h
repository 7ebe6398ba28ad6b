// What users add to prompts: notes in hone-knowledge/*.md and templates in hone-prompts/*.mustache beside the lock
// file.
//
// A file of a built-in one's name replaces that. Folders that are not there mean nothing was added. Errors name the
// file, and the line where there is one. Nothing is written.
#pragma once

#include <filesystem>
#include <vector>

#include "tool/base/result.h"
#include "tool/search/knowledge/knowledge.h"
#include "tool/search/prompt/render.h"

namespace hone::project {

// The built-in notes with the user's own.
Result<std::vector<search::Note>> notes_for(const std::filesystem::path& lock);

// The user's own alone. Error: a name that no prompt uses, or text that is no mustache.
Result<search::Templates> templates_for(const std::filesystem::path& lock);

}  // namespace hone::project
