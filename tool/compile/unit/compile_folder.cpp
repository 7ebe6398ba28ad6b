#include "tool/compile/unit/compile_folder.h"

#include "tool/compile/unit/compile_words.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::compile {

Result<os::TemporaryFolder> folder_for_sandbox() {
  HONE_TRY(const os::SandboxLevel level, os::probe_sandbox());
  HONE_TRY(os::TemporaryFolder folder, os::TemporaryFolder::create("hone-compile"));
  const os::SandboxIdentity identity = os::sandbox_identity(level);
  HONE_CHECK(folder.give_to(identity.uid, identity.gid));
  return folder;
}

Result<os::TemporaryFolder> lay_out(const FrozenUnit& unit, const std::string& text, const std::string& source) {
  HONE_TRY(os::TemporaryFolder folder, folder_for_sandbox());
  HONE_CHECK(write_headers(unit.headers, folder.path()));
  HONE_CHECK(os::write_file_atomically(folder.path() / unit_path(unit), text));
  // The unit's line directives point to this file: compilers show the lines of their errors from there.
  HONE_CHECK(os::write_file_atomically(folder.path() / "candidate", source));
  return folder;
}

}  // namespace hone::compile
