// Files and commands: what the commands complain of before they look at a kernel.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;

constexpr Explanation kFileRows[] = {
    {Code::lock_conflicts, "lock-conflicts", "The lock file has unresolved merge conflicts",
     R"(Entries are independent of each other: keep one side of each conflict, whole, and remove the marks.
`hone lock merge` is a merge driver for git that does it; docs/cache.md says how it is set up.)"},
    {Code::lock_damaged, "lock-damaged", "The lock file is not what Hone wrote",
     R"(It is no whole JSON, nested too deep, or has a member twice. Nothing of it is believed, and originals are
linked. Restore it from version control, or remove it and build `hone-tune`: what your cache knows comes back without
a search.)"},
    {Code::lock_newer, "lock-newer", "The lock file is a newer Hone's",
     R"(Its version is one that this Hone does not know. Use the Hone that the project uses, or a newer one.)"},
    {Code::lock_entry, "lock-entry", "One entry of the lock file is not usable",
     R"(The message names the entry's line and what is wrong with it. Remove the entry and tune the kernel again,
or restore the file from version control.)"},
    {Code::no_lock, "no-lock", "There is no place for the lock file",
     R"(Without `hone_target()` Hone takes the nearest `hone.lock` above a source, so that file says where results
belong. Write `{ "version": 1, "kernels": [] }` into `hone.lock` at the top of your sources.)"},
    {Code::no_commands, "no-commands", "There is no `compile_commands.json`",
     R"(Hone learns from it how each source is compiled. Name the build folder with `-p`. CMake writes the file with
`-DCMAKE_EXPORT_COMPILE_COMMANDS=ON` (Ninja or Makefiles), Meson always; for other builds `hone cc --database FILE`
keeps one.)"},
    {Code::no_kernels, "no-kernels", "No annotated kernel was found",
     R"(Hone looks into the sources of targets that call `hone_target()`, or that were compiled through `hone cc`.
Put `#pragma hone kernel` above a function of such a source, and build once. `hone suggest -- PROGRAM` finds functions
that are worth it, and `hone init` shows what a project lacks.)"},
    {Code::unknown_kernel, "unknown-kernel", "There is no kernel of this name, or there are several",
     R"(`hone list` prints the names. A name may be shortened as long as it means one kernel; the message says
which there are.)"},
};

}  // namespace

std::span<const Explanation> file_explanations() {
  return kFileRows;
}

}  // namespace hone
