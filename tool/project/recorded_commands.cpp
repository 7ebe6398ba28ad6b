#include "tool/project/recorded_commands.h"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "tool/command/compile_and_link.h"
#include "tool/command/library_words.h"
#include "tool/os/files/files.h"

namespace hone::project {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Result<json> entries_of(const fs::path& database) {
  std::error_code error;
  if (!fs::exists(database, error)) return json::array();
  HONE_TRY(const std::string text, os::read_file(database, largest_database));
  json entries = json::parse(text, nullptr, false);
  if (!entries.is_array())
    return failure("not a list of compile commands", database.string(), "remove it, or name another file");
  return entries;
}

bool is_of_output(const json& entry, const json& other) {
  return entry.is_object() && entry.value("directory", json()) == other["directory"] &&
         entry.value("output", json()) == other["output"];
}

Result<void> record(const fs::path& database, const json& entry) {
  fs::path beside = database;
  beside += ".lock";
  HONE_TRY(const os::FileLock lock, os::FileLock::acquire(beside));
  HONE_TRY(json entries, entries_of(database));
  bool known = false;
  for (json& old : entries) {
    if (!is_of_output(old, entry)) continue;
    if (old == entry) return {};
    old = entry;
    known = true;
    break;
  }
  if (!known) entries.push_back(entry);
  return os::write_file_atomically(database, entries.dump(1) + '\n');
}

}  // namespace

Result<void> record_command(const fs::path& database, const CompileCommand& command) {
  return record(database, {{"directory", command.directory},
                           {"file", command.file},
                           {"output", command.output},
                           {"arguments", command.arguments}});
}

Result<void> record_link(const fs::path& database, const fs::path& directory, const std::vector<std::string>& command) {
  const std::vector<std::string> libraries = library_words(command);
  if (libraries.empty()) return {};
  return record(links_beside(database),
                {{"directory", directory.string()}, {"output", linked_output(command)}, {"libraries", libraries}});
}

fs::path links_beside(fs::path database) {
  return database.replace_extension(".links.json");
}

}  // namespace hone::project
