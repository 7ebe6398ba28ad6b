#include "tool/init/init_plan.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "tool/diagnostics/coded_failure.h"
#include "tool/init/cmake_text.h"
#include "tool/os/files/files.h"
#include "tool/os/process/environment.h"
#include "tool/project/project.h"
#include "tool/suggest/suggestion.h"

namespace hone::init {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lists = 2000;  // CMakeLists.txt files that are read for a target
constexpr const char* merge_line = "hone.lock merge=hone";
constexpr const char* merge_driver = "hone lock merge %O %A %B %P";

// "" where the build folder is none of CMake's.
fs::path source_of(const fs::path& build) {
  const auto text = os::read_file(build / "CMakeCache.txt");
  if (!text) return {};
  const std::string name = "\nCMAKE_HOME_DIRECTORY:INTERNAL=";
  const std::size_t at = text->find(name);
  if (at == std::string::npos) return {};
  const std::size_t from = at + name.size();
  return text->substr(from, text->find('\n', from) - from);
}

// "" where no CMake target's folder stands in the object's path.
std::string target_of(const CompileCommand& command) {
  const std::string start = "CMakeFiles/";
  const std::size_t from = command.output.find(start), end = command.output.find(".dir/", from);
  if (from == std::string::npos || end == std::string::npos) return "";
  return command.output.substr(from + start.size(), end - from - start.size());
}

struct Lists {
  fs::path file;
  std::vector<CMakeCall> calls;
};

bool is_apart(const fs::directory_entry& folder, const fs::path& build) {
  std::error_code error;
  return folder.path().filename().string().starts_with('.') || fs::equivalent(folder.path(), build, error) ||
         fs::exists(folder.path() / "CMakeCache.txt", error);
}

// Those of the project, the top one first. What cannot be read or is no CMake file is passed over.
std::vector<Lists> lists_of(const fs::path& source, const fs::path& build) {
  std::vector<Lists> lists;
  const auto add = [&](const fs::path& file) {
    const auto text = os::read_file(file);
    if (auto calls = text ? calls_in(*text) : std::nullopt) lists.push_back({file, std::move(*calls)});
  };
  add(source / "CMakeLists.txt");
  std::error_code error;
  const auto skip = fs::directory_options::skip_permission_denied;
  for (auto at = fs::recursive_directory_iterator(source, skip, error);
       !error && at != fs::recursive_directory_iterator() && lists.size() < most_lists; at.increment(error)) {
    if (at->is_directory(error) && is_apart(*at, build)) at.disable_recursion_pending();
    if (at.depth() > 0 && at->path().filename() == "CMakeLists.txt") add(at->path());
  }
  return lists;
}

std::string without_end(const std::string& line) {
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

// Does some pattern there name a lock file already, whatever it says of it?
bool names_the_lock(const std::string& attributes) {
  std::istringstream lines(attributes);
  for (std::string line, pattern; std::getline(lines, line);)
    if (std::istringstream(line) >> pattern && fs::path(pattern).filename() == "hone.lock") return true;
  return false;
}

bool is_in_git(fs::path folder) {
  std::error_code error;
  for (;; folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error)) return true;
    if (folder == folder.parent_path()) return false;
  }
}

// Edits of the plan's files, one upon the other.
class Planner {
 public:
  Planner(const InitRequest& request, os::ProcessRunner& runner) : request_(request), runner_(runner) {}

  Result<InitPlan> plan() {
    HONE_TRY(plan_.source, project_folder());
    lists_ = lists_of(plan_.source, request_.build);
    if (!request_.functions.empty()) HONE_CHECK(annotate());
    HONE_CHECK(find_package());
    HONE_CHECK(call_for_targets());
    HONE_CHECK(merge_driver_of_git());
    return std::move(plan_);
  }

 private:
  Result<fs::path> project_folder() const {
    const fs::path named = source_of(request_.build);
    const fs::path folder = named.empty() ? request_.working : named;
    std::error_code error;
    if (fs::exists(folder / "CMakeLists.txt", error)) return folder.lexically_normal();
    return coded_failure(DiagnosticCode::no_cmake_project, "there is no CMakeLists.txt", folder.string(),
                         "call hone init in the source folder of a CMake project, or name its build folder with -p; "
                         "docs/without-cmake.md is for others");
  }

  Result<std::string> current(const fs::path& file) {
    for (const FileChange& change : plan_.files)
      if (change.file == file) return change.after;
    return os::read_file(file);
  }

  void change(const fs::path& file, std::optional<std::string> before, std::string after) {
    for (FileChange& one : plan_.files)
      if (one.file == file) return void(one.after = std::move(after));
    plan_.files.push_back({file, std::move(before), std::move(after)});
  }

  // Puts `line` behind the call that `choose` finds in the file. False: it finds none.
  template <class Choose>
  Result<bool> add_line(const fs::path& file, const std::string& line, const Choose& choose) {
    HONE_TRY(const std::string text, current(file));
    const auto calls = calls_in(text);
    const CMakeCall* call = calls ? choose(*calls) : nullptr;
    if (!call) return false;
    change(file, text, with_line_behind(text, *call, line));
    return true;
  }

  Result<void> annotate() {
    HONE_TRY(const auto commands, project::read_commands(request_.build));
    std::map<std::string, std::vector<suggest::Suggestion>> files;
    for (const std::string& function : request_.functions) {
      HONE_TRY(suggest::NamedSuggestion found, suggest::suggest_function(function, commands));
      const suggest::Suggestion& one = found.suggestion;
      const std::string where = fmt::format("'{}' ({}:{})", one.name, one.file, one.line);
      if (!one.annotatable && !one.annotated) {
        plan_.notes.push_back(with_code(fmt::format("{} cannot be annotated: {}", where, one.why_not), one.code));
        plan_.annotates_all = false;
        continue;
      }
      targets_.insert(target_of(found.command));
      if (one.annotated) continue;
      say_guesses(one, where);
      if (one.open.empty())
        files[one.file].push_back(one);
      else
        plan_.annotates_all = false;
    }
    for (const auto& [file, suggestions] : files) {
      HONE_TRY(const std::string text, os::read_file(file));
      HONE_TRY(std::string after, suggest::annotated(text, file, suggestions));
      change(file, text, std::move(after));
    }
    return {};
  }

  void say_guesses(const suggest::Suggestion& one, const std::string& where) {
    if (!one.open.empty())
      plan_.notes.push_back(
          fmt::format("{} takes this annotation once you fill in each ?, and nothing was written for it:\n  {}", where,
                      one.pragma));
    for (const std::string& open : one.open) plan_.notes.push_back(fmt::format("{}: {}", where, open));
    for (const std::string& guess : one.guesses) plan_.notes.push_back(fmt::format("{}: a guess: {}", where, guess));
    if (one.guessed_sizes && one.open.empty())
      plan_.notes.push_back(where + ": the sizes in problem() are guesses; put in your program's");
  }

  // Whoever calls hone_target() has the package, by whatever way.
  Result<void> find_package() {
    const std::string line = "find_package(Hone REQUIRED)";
    for (const Lists& one : lists_)
      if (has_call(one.calls, "find_package", "Hone") ||
          std::ranges::any_of(one.calls, [](const CMakeCall& call) { return call.name == "hone_target"; }))
        return {};
    HONE_TRY(const bool added, add_line(plan_.source / "CMakeLists.txt", line, place_for_package));
    if (!added)
      plan_.notes.push_back(fmt::format("{} has no project() that this could stand behind: {}",
                                        (plan_.source / "CMakeLists.txt").string(), line));
    return {};
  }

  Result<void> call_for_targets() {
    for (const std::string& target : targets_) {
      if (target.empty()) {
        plan_.notes.push_back("the build does not say which target compiles the function: call hone_target() for it");
        continue;
      }
      HONE_CHECK(call_for(target));
    }
    return {};
  }

  Result<void> call_for(const std::string& target) {
    const std::string line = fmt::format("hone_target({})", target);
    for (const Lists& one : lists_)
      if (has_call(one.calls, "hone_target", target)) return {};
    for (const Lists& one : lists_) {
      if (!maker_of(one.calls, target)) continue;
      HONE_TRY(const bool added,
               add_line(one.file, line, [&](const std::vector<CMakeCall>& calls) { return maker_of(calls, target); }));
      if (added) return {};
    }
    plan_.notes.push_back(fmt::format(
        "no CMakeLists.txt makes the target '{}' by that name; behind what makes it goes: {}", target, line));
    return {};
  }

  Result<void> merge_driver_of_git() {
    if (!is_in_git(plan_.source)) return {};
    const fs::path file = plan_.source / ".gitattributes";
    std::error_code error;
    std::optional<std::string> before;
    if (fs::exists(file, error)) {
      HONE_TRY(before, os::read_file(file));
    }
    std::string text = before.value_or("");
    if (!names_the_lock(text)) {
      if (!text.empty() && !text.ends_with('\n')) text += '\n';
      change(file, before, text + merge_line + "\n");
    }
    const auto known = git({"config", "--get", "merge.hone.driver"});
    if (!known) return plan_.notes.push_back("git is not on PATH, so its merge driver was not set"), Result<void>{};
    if (!known->ok()) plan_.commands.push_back({"git", "config", "merge.hone.driver", merge_driver});
    return {};
  }

  Result<os::Exit> git(std::vector<std::string> words) {
    words.insert(words.begin(), "git");
    os::Process process;
    process.arguments = std::move(words);
    process.directory = plan_.source;
    return runner_.run(process);
  }

  const InitRequest& request_;
  os::ProcessRunner& runner_;
  InitPlan plan_;
  std::vector<Lists> lists_;
  std::set<std::string> targets_;
};

Result<void> write(const FileChange& change) {
  std::error_code error;
  const bool there = fs::exists(change.file, error);
  const auto now = there ? os::read_file(change.file) : Result<std::string>("");
  if (!now) return tl::unexpected(now.error());
  if (there != change.before.has_value() || *now != change.before.value_or(""))
    return coded_failure(DiagnosticCode::file_changed, "the file has changed since it was looked at",
                         change.file.string(), "call the command again");
  return os::write_file_atomically(change.file, change.after);
}

}  // namespace

Result<InitPlan> plan_init(const InitRequest& request, os::ProcessRunner& runner) {
  return Planner(request, runner).plan();
}

Result<void> carry_out(const InitPlan& plan, os::ProcessRunner& runner) {
  for (const FileChange& change : plan.files) HONE_CHECK(write(change));
  for (const auto& command : plan.commands) {
    os::Process process;
    process.arguments = command;
    process.directory = plan.source;
    HONE_TRY(const os::Exit exit, runner.run(process));
    if (!exit.ok())
      return coded_failure(DiagnosticCode::git_failed, "it failed: " + without_end(exit.err),
                           fmt::format("{}", fmt::join(command, " ")));
  }
  return {};
}

}  // namespace hone::init
