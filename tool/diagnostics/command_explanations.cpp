// What single commands complain of (init, suggest, capture, report), and budgets.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;

constexpr Explanation kCommandRows[] = {
    {Code::no_cmake_project, "no-cmake-project", "There is no CMake project here",
     R"(`hone init` adds to a project's `CMakeLists.txt`, and there is none in this folder. Call it in the folder
that you give to `cmake -S`, or name a build folder with `-p`. For Make, Meson and others docs/without-cmake.md
has the lines to write.)"},
    {Code::unknown_function, "unknown-function", "There is no function of this name, or there are several",
     R"(`hone init FUNCTION` looks for a definition in the sources of `compile_commands.json`. Write the name as in
the source, `blur` or `app::blur`, and configure the build folder once so that the file is there. Where several
functions have the name, the message says where they stand: put `#pragma hone kernel` above one by hand.)"},
    {Code::file_changed, "file-changed", "A file changed while Hone looked at it",
     R"(What would be written was made of an earlier text, so nothing was written into this file. Save it in your
editor, and call the command again.)"},
    {Code::not_answered, "not-answered", "A question had nobody to answer it",
     R"(`hone init` and `hone suggest --apply` change your files after a yes only, and ask for it on a terminal.
Here the input is no terminal, as in a script or in CI. `--yes` is that yes; without it nothing is written.)"},
    {Code::program_missing, "program-missing", "A program that Hone calls is not there",
     R"(`addr2line` says which function a sampled address is in; Debian's package is binutils. `git` has the
earlier lock file for `hone report --since`. Install it, or see to it that it is on PATH.)"},
    {Code::not_sampled, "not-sampled", "Nobody can say where the program's time went",
     R"(`hone suggest` loads a sampler into the program, which looks a thousand times a second of processor time
where it is. A static program loads none, nor does one with other rights; one that takes SIGURG for itself stops
it; and a run of a few milliseconds tells nothing. The message says which. Build the program dynamically, and give
it more to do.)"},
    {Code::nothing_to_annotate, "nothing-to-annotate", "No function can be annotated by itself",
     R"(Either none of the project's functions had time in a loop, or each suggested annotation has a `?` that only
you can fill in. `hone suggest` without `--apply` prints them. If the functions are not yours at all, another
program was run than the one that is built in the folder of `-p`.)"},
    {Code::nothing_recorded, "nothing-recorded", "The run recorded no call of an annotated function",
     R"(A program records its calls if it was built with `-DHONE_MODE=capture`, has an annotated function, and
calls it. The message says what was missing. Build it so, run what that build makes, with arguments with which it
does its work, and name its build folder with `-p`.)"},
    {Code::capture_unusable, "capture-unusable", "An input that was captured cannot be kept, or read",
     R"(Arrays lie compressed in `hone/captures/`, by their digest. This one is damaged, as after a full disk or a
merge. Remove the file that the message names, and call `hone capture` again.)"},
    {Code::port_taken, "port-taken", "The report cannot be served at this port",
     R"(Another program listens there, perhaps another `hone report --serve`. Leave `--port` out: then any free
port is taken, and the command prints the address.)"},
    {Code::git_failed, "git-failed", "git does not do what Hone asks",
     R"(`hone init` sets a merge driver for the lock file; `hone report --markdown --since` reads the lock file of
another revision. The message has git's own words, or the folder is in no repository. Try the same git command
there by hand.)"},
    {Code::unknown_revision, "unknown-revision", "git knows no such revision",
     R"(`--since` takes what git takes: a commit, a branch, a tag, `HEAD^1`. A shallow clone, as CI makes it, has
the newest commit alone: fetch the other one first, `git fetch origin main`.)"},
    {Code::bad_budget, "bad-budget", "The budget is no time, or too short",
     R"(Times are written `90s`, `10m` or `1h30m`; a number alone is seconds. `--budget-total` is shared by all
kernels, and must be long enough to measure at least one winner afresh.)"},
    {Code::bad_strategy, "bad-strategy", "There is no such strategy, or it does not fit the proposer",
     R"(`builtin` is for the built-in proposer; all others ask a language model, which `--proposer` names. The
message says which there are. `--strategy` also takes a file; docs/search.md has what may stand in it.)"},
};

}  // namespace

std::span<const Explanation> command_explanations() {
  return kCommandRows;
}

}  // namespace hone
