#include "tool/cli/list/listed_now.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "tool/os/files/files.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

// Where the unit's note stands: in its object, or in the program of a command that compiles and links at once, whose
// objects lie in <program>.hone/ while it runs (apply/apply_to_several.h).
std::string object_of(const project::ProjectUnit& unit) {
  if (unit.command.output.empty()) return "";
  const fs::path object = (fs::path(unit.command.directory) / unit.command.output).lexically_normal();
  const fs::path folder = object.parent_path();
  std::error_code error;
  const bool passed = folder.extension() == ".hone" && !fs::exists(object, error);
  return (passed ? folder.parent_path() / folder.stem() : object).string();
}

// As the note has it (apply/linked_notes.h).
bool is_of(const linked::LinkedKernel& note, const project::ProjectKernel& kernel) {
  if (note.name != kernel.spec.name) return false;
  return note.key == kernel.spec.key ||
         note.file == project::file_in_lock(kernel.spec.file, kernel.unit.settings.lock) ||
         note.file == fs::path(kernel.spec.file).filename().string();
}

std::vector<linked::LinkedKernel> notes_of(const std::vector<linked::LinkedUnit>& units,
                                           const project::ProjectKernel& kernel) {
  std::vector<linked::LinkedKernel> notes;
  for (const linked::LinkedUnit& unit : units)
    for (const linked::LinkedKernel& note : unit.kernels)
      if (is_of(note, kernel)) notes.push_back(note);
  return notes;
}

// A build takes an object that is newer than its source as it is, also where it was made without Hone.
std::string how_to_build(const std::string& source, const std::string& object) {
  std::error_code error;
  const auto edited = fs::last_write_time(source, error);
  if (error || edited > fs::last_write_time(object, error) || error) return "build it";
  return "touch " + source + " and build it, since to the build this object is up to date";
}

std::string why_nothing(const std::vector<linked::LinkedUnit>& units, const std::string& source,
                        const std::string& object) {
  const bool is_bytecode = std::ranges::any_of(units, &linked::LinkedUnit::is_bytecode);
  return is_bytecode
             ? "its object is for link-time optimization; ask the program: hone list --binary PROGRAM"
             : "its object says nothing of it: it was compiled without Hone, in mode off, by an earlier Hone, or "
               "before its annotation was as it is; " +
                   how_to_build(source, object);
}

// The next build comes to the same end, as far as anybody knows.
bool fails_again(const std::string& reason) {
  using linked::Reason;
  return std::ranges::any_of(std::array{Reason::unfit, Reason::refused, Reason::uncompilable},
                             [&](Reason one) { return reason == linked::to_string(one); });
}

// What the next build links instead; "": it leaves it as it is.
std::string change_of(const report::ListedKernel& listed) {
  const std::set<std::string> now(listed.now.variants.begin(), listed.now.variants.end());
  const std::set<std::string> next(listed.variants.begin(), listed.variants.end());
  if (now == next || fails_again(listed.now.reason)) return "";
  if (next.empty()) return "the original";
  return now.empty() ? "the locked variant" : "another variant";
}

void take(const std::vector<linked::LinkedKernel>& notes, report::LinkedNow& now) {
  for (const linked::LinkedKernel& note : notes) {
    if (!note.variant.empty()) now.variants.push_back(note.variant);
    if (now.reason.empty()) now.reason = note.reason;
  }
  now.linked = now.variants.empty() ? "original" : "variant";
  if (now.linked == "original") now.why = linked::in_words(now.reason);
}

}  // namespace

const Result<std::vector<linked::LinkedUnit>>& BuiltObjects::at(const std::string& path) {
  const auto known = objects_.find(path);
  if (known != objects_.end()) return known->second;
  const auto read = [&]() -> Result<std::vector<linked::LinkedUnit>> {
    HONE_TRY(const std::string bytes, os::read_file(path));
    return linked::read_linked(bytes);
  };
  return objects_.emplace(path, read()).first->second;
}

void BuiltObjects::add_now(const project::ProjectKernel& kernel, const project::Project& project,
                           report::ListedKernel& listed) {
  add_others(kernel, project, listed);
  report::LinkedNow& now = listed.now;
  now.object = object_of(kernel.unit);
  now.target = kernel.unit.settings.target;
  std::error_code error;
  if (now.object.empty()) return static_cast<void>(now.why = "its compile command names no object");
  if (!fs::exists(now.object, error)) return static_cast<void>(now.why = "its object is not there; build it");
  const auto& units = at(now.object);
  if (!units) return static_cast<void>(now.why = "its object cannot be read: " + units.error().what);
  const std::vector<linked::LinkedKernel> notes = notes_of(*units, kernel);
  if (notes.empty()) return static_cast<void>(now.why = why_nothing(*units, kernel.unit.command.file, now.object));
  take(notes, now);
  listed.next = change_of(listed);
}

void BuiltObjects::add_others(const project::ProjectKernel& kernel, const project::Project& project,
                              report::ListedKernel& listed) {
  std::set<std::string> seen{object_of(kernel.unit)};
  for (const project::ProjectUnit& unit : project.units) {
    const std::string object = object_of(unit);
    std::error_code error;
    if (unit.settings.lock != kernel.unit.settings.lock || !seen.insert(object).second || !fs::exists(object, error))
      continue;
    const auto& units = at(object);
    std::vector<linked::LinkedKernel> notes = units ? notes_of(*units, kernel) : std::vector<linked::LinkedKernel>{};
    std::erase_if(notes, [&](const linked::LinkedKernel& note) { return note.key != kernel.spec.key; });
    if (notes.empty()) continue;
    report::LinkedNow other;
    other.object = object;
    other.target = unit.settings.target;
    take(notes, other);
    listed.also.push_back(std::move(other));
  }
}

}  // namespace hone::cli
