#include "tool/project/knowledge_files.h"

#include <algorithm>
#include <functional>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kainjow/mustache.hpp>

#include "tool/os/files/files.h"

namespace hone::project {
namespace {

namespace fs = std::filesystem;

// Files sorted by name, so that prompts do not depend on the order of a folder.
std::vector<fs::path> files_in(const fs::path& folder, const std::string& suffix) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == suffix && at->is_regular_file(error)) files.push_back(at->path());
  std::ranges::sort(files);
  return files;
}

Result<void> check_template(const fs::path& file, const std::string& text) {
  const search::Templates& known = search::builtin_templates();
  if (!known.contains(file.stem().string())) {
    std::vector<std::string> names;
    for (const auto& [name, unused] : known) names.push_back(name);
    return failure("no prompt uses a template of this name", file.string(),
                   fmt::format("there are {}", fmt::join(names, ", ")));
  }
  const kainjow::mustache::mustache parsed(text);
  if (parsed.is_valid()) return {};
  // "… at 123": an offset in the text.
  std::string what = parsed.error_message();
  const std::size_t at = what.rfind(" at ");
  std::size_t offset = 0;
  if (at != std::string::npos && std::sscanf(what.c_str() + at, " at %zu", &offset) == 1) what.resize(at);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(std::min(offset, text.size())), '\n');
  return failure("not a mustache template: " + what, fmt::format("{}:{}", file.string(), line));
}

// A front matter's fault is in the front matter: the first line that lacks what it should have.
unsigned line_of_fault(const std::string& text) {
  unsigned line = 1;
  if (!text.starts_with("---")) return line;
  std::size_t at = text.find('\n');
  for (; at != std::string::npos; at = text.find('\n', at + 1)) {
    ++line;
    if (text.compare(at + 1, 3, "---") == 0) return line;
  }
  return line;
}

}  // namespace

Result<std::vector<search::Note>> notes_for(const fs::path& lock) {
  std::vector<search::Note> own;
  for (const fs::path& file : files_in(lock.parent_path() / "hone-knowledge", ".md")) {
    HONE_TRY(const std::string text, os::read_file(file));
    auto note = search::parse_note(file.stem().string(), text);
    if (!note) {
      note.error().where = fmt::format("{}:{}", file.string(), line_of_fault(text));
      return tl::unexpected(note.error());
    }
    own.push_back(std::move(*note));
  }
  return search::merge_notes(search::builtin_notes(), std::move(own));
}

Result<search::Templates> templates_for(const fs::path& lock) {
  search::Templates own;
  for (const fs::path& file : files_in(lock.parent_path() / "hone-prompts", ".mustache")) {
    HONE_TRY(std::string text, os::read_file(file));
    HONE_CHECK(check_template(file, text));
    own.emplace(file.stem().string(), std::move(text));
  }
  return own;
}

}  // namespace hone::project
