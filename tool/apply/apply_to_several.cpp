#include "tool/apply/apply_to_several.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>

#include "tool/apply/apply_notes.h"
#include "tool/apply/apply_process.h"
#include "tool/base/annotation_scan.h"
#include "tool/command/compile_and_link.h"
#include "tool/os/files/files.h"

namespace hone::apply {
namespace {

namespace fs = std::filesystem;

class ObjectFolder {
 public:
  explicit ObjectFolder(fs::path path) : path_(std::move(path)) { fs::create_directories(path_, error_); }
  ~ObjectFolder() { fs::remove_all(path_, error_); }
  ObjectFolder(const ObjectFolder&) = delete;
  ObjectFolder& operator=(const ObjectFolder&) = delete;
  bool made() const { return !error_; }

 private:
  const fs::path path_;
  std::error_code error_;
};

// As compilers do: every source, then the link, unless one failed.
std::optional<CompilerExit> compile_and_link(const ApplyRequest& request, const CompileAndLink& both, int& failure) {
  for (const std::vector<std::string>& compile : both.compiles) {
    ApplyRequest one = request;
    one.command = compile;
    const int code = apply(one);
    if (failure == 0) failure = code;
  }
  if (failure != 0) return std::nullopt;
  Result<CompilerExit> exit = run_compiler(both.link, Diagnostics::through, linked_output(request.command));
  if (exit) return std::move(*exit);
  std::fprintf(stderr, "hone: %s\n", exit.error().message().c_str());
  failure = 126;
  return std::nullopt;
}

// The exit code; nullopt: it cannot be taken apart, and nothing was done.
std::optional<int> apply_and_link(const ApplyRequest& request) {
  const std::string folder = linked_output(request.command) + ".hone";
  const std::optional<CompileAndLink> both = split_compile_and_link(request.command, folder);
  if (!both) return std::nullopt;
  int failure = 0;
  std::optional<CompilerExit> linked;
  {
    const ObjectFolder objects(folder);
    if (!objects.made()) return std::nullopt;
    linked = compile_and_link(request, *both, failure);
  }
  return linked ? pass_on(*linked) : failure;
}

}  // namespace

int run_original(const ApplyRequest& request) {
  Result<CompilerExit> exit = run_compiler(request.command, Diagnostics::through);
  if (exit) return pass_on(*exit);
  std::fprintf(stderr, "hone: %s\n", exit.error().message().c_str());
  return 126;
}

// Sources that get objects of their own are compiled one after the other, as compilers do. So are those that are linked
// at once, where the command can be taken apart.
int apply_to_several(const ApplyRequest& request, const SourcesLine& line) {
  if (request.mode == "off") return run_original(request);
  if (!line.apart) {
    if (const std::optional<int> code = apply_and_link(request)) return *code;
    const auto annotated = std::ranges::find_if(line.sources, [&](std::size_t source) {
      const Result<std::string> text = os::read_file(line.arguments[source]);
      return text && mentions_hone(*text);
    });
    ApplyNotes notes(line.arguments[annotated == line.sources.end() ? line.sources.front() : *annotated]);
    if (request.locked) notes.be_strict();
    notes.say(DiagnosticCode::several_sources, notes.source(), 1,
              "one command compiles and links what cannot be compiled apart; the original is compiled; compile with -c "
              "first");
    return notes.strict_failure() ? 1 : run_original(request);
  }
  int first_failure = 0;
  for (const std::size_t source : line.sources) {
    ApplyRequest one = request;
    one.command = line.command_for(source);
    const int code = apply(one);
    if (first_failure == 0) first_failure = code;
  }
  return first_failure;
}

}  // namespace hone::apply
