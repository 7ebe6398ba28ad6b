#include "tool/project/project.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tool/base/annotation_scan.h"
#include "tool/command/annotated_headers.h"
#include "tool/command/compile_and_link.h"
#include "tool/command/compiler_line.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/files.h"
#include "tool/project/linked_libraries.h"
#include "tool/project/recorded_commands.h"

namespace hone::project {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Result<json> read_json(const fs::path& path) {
  HONE_TRY(const std::string text, os::read_file(path, largest_database));
  try {
    return json::parse(text);
  } catch (const json::exception& error) {
    return failure("not JSON", path.string(), error.what());
  }
}

std::string text_of(const json& object, const char* key, const std::string& otherwise = {}) {
  const auto member = object.find(key);
  return member != object.end() && member->is_string() ? member->get<std::string>() : otherwise;
}

std::string output_of(const std::vector<std::string>& arguments) {
  const auto flag = std::find(arguments.begin(), arguments.end(), "-o");
  return flag == arguments.end() || flag + 1 == arguments.end() ? std::string() : *(flag + 1);
}

// Of a command that compiles and links at once, the compile of the entry's source.
void take_compile_alone(CompileCommand& command) {
  const auto both = split_compile_and_link(command.arguments, linked_output(command.arguments) + ".hone");
  if (!both) return;
  for (std::size_t index = 0; index < both->compiles.size(); ++index) {
    const auto line = read_compiler_line(both->compiles[index]);
    if (!line || (fs::path(command.directory) / line->arguments[line->source]).lexically_normal() != command.file)
      continue;
    command.arguments = both->compiles[index];
    command.output = both->objects[index];
    return;
  }
}

// nullopt: not an entry as the format has it.
std::optional<CompileCommand> command_of(const json& entry) {
  if (!entry.is_object()) return std::nullopt;
  CompileCommand command;
  command.directory = text_of(entry, "directory");
  const auto arguments = entry.find("arguments");
  if (arguments != entry.end() && arguments->is_array()) {
    for (const json& argument : *arguments) {
      if (!argument.is_string()) return std::nullopt;
      command.arguments.push_back(argument.get<std::string>());
    }
  } else {
    command.arguments = response_words(text_of(entry, "command"));
  }
  const std::string file = text_of(entry, "file");
  if (command.directory.empty() || file.empty() || command.arguments.empty()) return std::nullopt;
  command.file = (fs::path(command.directory) / file).lexically_normal().string();
  command.output = text_of(entry, "output", output_of(command.arguments));
  take_compile_alone(command);
  return command;
}

// Targets by the folder that CMake gives their objects.
Result<std::vector<TargetSettings>> all_settings(const fs::path& build) {
  std::vector<TargetSettings> all;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(build / "hone", error)) {
    if (entry.path().extension() != ".json" || !entry.is_regular_file(error)) continue;
    HONE_TRY(auto settings, read_settings(entry.path()));
    all.push_back(std::move(settings));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.target < b.target; });
  return all;
}

bool belongs(const CompileCommand& command, const TargetSettings& settings) {
  const std::string folder = "CMakeFiles/" + settings.target + ".dir/";
  const std::string output = command.output.empty() ? output_of(command.arguments) : command.output;
  return output.starts_with(folder) || output.find('/' + folder) != std::string::npos;
}

// `hone cc --lock FILE -- …`, as other build systems have it in their commands.
fs::path lock_in(const CompileCommand& command) {
  const auto& words = command.arguments;
  const auto compiler = words.begin() + static_cast<std::ptrdiff_t>(find_compiler(words));
  const auto flag = std::find(words.begin(), compiler, "--lock");
  if (compiler - flag < 2) return {};
  return (fs::path(command.directory) / *(flag + 1)).lexically_normal();
}

// A project that is not CMake's, or that never called hone_target().
TargetSettings settings_for(const CompileCommand& command) {
  TargetSettings settings;
  settings.lock = lock_in(command);
  if (settings.lock.empty()) settings.lock = nearest_lock(fs::path(command.file).parent_path());
  return settings;
}

}  // namespace

fs::path nearest_lock(fs::path folder) {
  for (std::error_code error;; folder = folder.parent_path()) {
    if (fs::exists(folder / "hone.lock", error)) return folder / "hone.lock";
    if (folder == folder.parent_path()) return fs::current_path(error) / "hone.lock";
  }
}

Result<TargetSettings> read_settings(const fs::path& file) {
  HONE_TRY(const json document, read_json(file));
  TargetSettings settings;
  settings.target = text_of(document, "target");
  settings.lock = text_of(document, "lock");
  if (settings.target.empty() || settings.lock.empty())
    return failure("the target or the lock file is missing", file.string(), "configure the project again");
  settings.mode = text_of(document, "mode", settings.mode);
  settings.strict = document.value("strict", json(false)) == json(true);
  settings.strategy = text_of(document, "strategy");
  settings.proposer = text_of(document, "proposer", settings.proposer);
  settings.budget = text_of(document, "budget", settings.budget);
  settings.machine = text_of(document, "machine");
  const auto trials = document.find("trials");
  if (trials != document.end() && trials->is_number_unsigned()) settings.trials = trials->get<unsigned>();
  return settings;
}

Result<std::vector<CompileCommand>> read_commands(const fs::path& build) {
  const fs::path database = build / "compile_commands.json";
  std::error_code error;
  if (!fs::exists(database, error))
    return coded_failure(DiagnosticCode::no_commands, "there is no compile_commands.json", build.string(),
                         "name the build folder with -p; CMake writes the file with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "
                         "(Ninja or Makefiles), Meson always, and hone cc --database for other builds");
  HONE_TRY(const json entries, read_json(database));
  if (!entries.is_array()) return failure("not a list of compile commands", database.string());
  std::vector<CompileCommand> commands;
  for (const json& entry : entries) {
    auto command = command_of(entry);
    if (!command) return failure("an entry has no directory, file or command", database.string(), "configure again");
    commands.push_back(std::move(*command));
  }
  return commands;
}

Result<void> check_lock_place(const ProjectUnit& unit) {
  std::error_code error;
  const fs::path here = fs::current_path(error), lock = unit.settings.lock;
  if (!unit.settings.target.empty() || lock != here / "hone.lock" || fs::exists(lock, error)) return {};
  const fs::path from_here = fs::path(unit.command.file).lexically_relative(here);
  if (!from_here.empty() && *from_here.begin() != "..") return {};
  if (fs::path(unit.command.directory).lexically_normal() == here.lexically_normal()) return {};
  return coded_failure(DiagnosticCode::no_lock,
                       "no hone.lock stands above it, and the build would not find one in " + here.string(),
                       unit.command.file,
                       R"(write '{ "version": 1, "kernels": [] }' into hone.lock at the top of your sources, )"
                       "or call hone tune in the folder that the compiler runs in");
}

bool concerns_hone(const CompileCommand& command) {
  const auto text = os::read_file(command.file);
  return text &&
         (mentions_hone(*text) || includes_annotated_header(command.file, command.arguments, command.directory));
}

CompileCommand linked(const ProjectUnit& unit) {
  CompileCommand command = unit.command;
  command.libraries = linked_libraries(unit.build, command, unit.settings.target);
  return command;
}

Result<Project> open_project(const fs::path& build) {
  HONE_TRY(std::vector<CompileCommand> commands, read_commands(build));
  HONE_TRY(const auto targets, all_settings(build));

  std::error_code error;
  Project project{fs::absolute(build, error).lexically_normal(), {}};
  for (CompileCommand& command : commands) {
    if (!concerns_hone(command)) continue;
    if (targets.empty()) {
      TargetSettings settings = settings_for(command);
      project.units.push_back({std::move(command), std::move(settings), project.build});
      continue;
    }
    const auto owner = std::find_if(targets.begin(), targets.end(), [&](const auto& t) { return belongs(command, t); });
    if (owner != targets.end() && owner->mode != "off")
      project.units.push_back({std::move(command), *owner, project.build});
  }
  return project;
}

std::string file_in_lock(const std::string& file, const fs::path& lock) {
  return fs::path(file).lexically_relative(lock.parent_path()).generic_string();
}

}  // namespace hone::project
