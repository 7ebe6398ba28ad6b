#include "tool/project/file_then.h"

#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "tool/base/printable.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/os/process/environment.h"

namespace hone::project {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 64u << 20;

std::string first_line(const std::string& text) {
  return printable_line(text.substr(0, text.find('\n')));
}

// git beside a file, its messages in English.
class Git {
 public:
  Git(os::ProcessRunner& runner, const fs::path& file) : runner_(runner) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(file, error);
    file_ = error ? file : real;
  }

  std::string name() const { return file_.filename().string(); }
  std::string folder() const { return file_.parent_path().string(); }

  Result<os::Exit> run(const std::vector<std::string>& words) {
    os::Process process;
    process.arguments = {"git", "-C", folder()};
    process.arguments.insert(process.arguments.end(), words.begin(), words.end());
    process.environment = os::environment_without_secrets();
    (*process.environment)["LC_ALL"] = "C";
    process.output_bytes = kLargestFile;
    auto exit = runner_.run(process);
    if (!exit)
      return coded_failure(DiagnosticCode::program_missing, "git cannot be started: " + exit.error().what,
                           exit.error().where, "install git, or leave --since out");
    if (exit->timed_out)
      return coded_failure(DiagnosticCode::git_failed, "git takes longer than a minute", folder(),
                           "try: git " + words.front());
    return std::move(*exit);
  }

 private:
  os::ProcessRunner& runner_;
  fs::path file_;
};

tl::unexpected<Error> gits_complaint(const Git& git, const os::Exit& exit) {
  return coded_failure(DiagnosticCode::git_failed, "git says: " + first_line(exit.err), git.folder());
}

// "" at the top, else "sub/folder/".
Result<std::string> folder_in_repository(Git& git) {
  HONE_TRY(const os::Exit exit, git.run({"rev-parse", "--show-prefix"}));
  if (exit.ok()) return exit.out.substr(0, exit.out.find('\n'));
  if (exit.err.find("not a git repository") != std::string::npos)
    return coded_failure(DiagnosticCode::git_failed, "this folder is in no git repository", git.folder(),
                         "leave --since out");
  return gits_complaint(git, exit);
}

Result<std::string> commit_of(Git& git, const std::string& revision) {
  HONE_TRY(const os::Exit exit,
           git.run({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"}));
  if (exit.ok() && !revision.empty()) return exit.out.substr(0, exit.out.find('\n'));
  return coded_failure(DiagnosticCode::unknown_revision,
                       fmt::format("git knows no revision '{}'", printable_line(revision)), git.folder(),
                       "name a commit, a branch or a tag; in a shallow clone fetch it first (git fetch origin " +
                           (revision.empty() ? "main" : printable_line(revision)) + ")");
}

}  // namespace

Result<FileThen> file_then(os::ProcessRunner& runner, const fs::path& file, const std::string& revision) {
  Git git(runner, file);
  HONE_TRY(const std::string prefix, folder_in_repository(git));
  HONE_TRY(const std::string commit, commit_of(git, revision));
  FileThen then{prefix + git.name(), {}};
  // "100644 blob <object>\t<name>", and nothing where it is not there
  HONE_TRY(const os::Exit listed, git.run({"ls-tree", "-z", commit, "--", git.name()}));
  if (!listed.ok()) return gits_complaint(git, listed);
  const std::size_t kind = listed.out.find(" blob "), tab = listed.out.find('\t');
  if (kind == std::string::npos || tab == std::string::npos || kind > tab) return then;
  const std::string object = listed.out.substr(kind + 6, tab - kind - 6);
  HONE_TRY(os::Exit content, git.run({"cat-file", "blob", object}));
  if (!content.ok()) return gits_complaint(git, content);
  if (content.truncated)
    return coded_failure(DiagnosticCode::lock_damaged, "it is too large to be a lock file",
                         then.path + " at " + revision);
  then.text = std::move(content.out);
  return then;
}

std::optional<std::string> path_in_repository(os::ProcessRunner& runner, const fs::path& file) {
  Git git(runner, file);
  const auto prefix = folder_in_repository(git);
  return prefix ? std::optional(*prefix + git.name()) : std::nullopt;
}

}  // namespace hone::project
