#include "tool/compile/unit/compile_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tool/compile/unit/compile_words.h"
#include "tool/compile/unit/frozen_text.h"
#include "tool/os/files/scratch_file.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::compile {
namespace {

bool is_there(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

Result<void> write_called(const FrozenUnit& unit, const std::filesystem::path& folder) {
  if (!unit.called) return {};
  for (const auto objects : {&CalledObjects::plain, &CalledObjects::sanitized, &CalledObjects::race_checked}) {
    const std::vector<std::string> names = called_words(unit, objects);
    for (std::size_t i = 0; i < ((*unit.called).*objects).size(); ++i)
      HONE_CHECK(os::write_scratch_file(folder / names[i], ((*unit.called).*objects)[i]));
  }
  return {};
}

}  // namespace

Result<os::TemporaryFolder> folder_for_sandbox(const std::string& name) {
  HONE_TRY(const os::SandboxLevel level, os::probe_sandbox());
  HONE_TRY(os::TemporaryFolder folder, os::TemporaryFolder::create(name));
  const os::SandboxIdentity identity = os::sandbox_identity(level);
  HONE_CHECK(folder.give_to(identity.uid, identity.gid));
  return folder;
}

Result<void> keep_for_reading(const std::filesystem::path& path) {
  const mode_t mode = std::filesystem::is_directory(std::filesystem::symlink_status(path)) ? 0755 : 0644;
  if (::lchown(path.c_str(), ::geteuid(), ::getegid()) != 0 || ::chmod(path.c_str(), mode) != 0)
    return failure("cannot keep what was precompiled", path.string());
  return {};
}

Result<os::TemporaryFolder> lay_out(const FrozenUnit& unit, const std::string& source) {
  HONE_TRY(os::TemporaryFolder folder, folder_for_sandbox());
  HONE_CHECK(write_headers(unit.headers, folder.path()));
  // The unit's line directives point to this file: compilers show the lines of their errors from there.
  HONE_CHECK(os::write_scratch_file(folder.path() / "candidate", source));
  HONE_CHECK(write_called(unit, folder.path()));
  return folder;
}

Result<void> write_text(const os::TemporaryFolder& folder, const FrozenUnit& unit, const std::string& source) {
  const std::filesystem::path path = folder.path() / unit_path(unit);
  return is_there(path) ? Result<void>() : os::write_scratch_file(path, text_to_compile(unit, source));
}

Result<void> write_text_behind_preamble(const os::TemporaryFolder& folder, const FrozenUnit& unit,
                                        const std::string& source) {
  const std::filesystem::path path = folder.path() / path_behind_preamble(unit);
  return is_there(path) ? Result<void>() : os::write_scratch_file(path, text_behind_preamble(unit, source));
}

Result<os::TemporaryFolder> lay_out_text(const FrozenUnit& unit, const std::string& text, const std::string& source) {
  HONE_TRY(os::TemporaryFolder folder, lay_out(unit, source));
  HONE_CHECK(os::write_scratch_file(folder.path() / unit_path(unit), text));
  return folder;
}

}  // namespace hone::compile
