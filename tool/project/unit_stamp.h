// What an earlier look at a unit found, kept beside its object so that the next one need not parse: a project of 200
// files is listed in the time that it takes to read them.
//
//   <object>.hone.json
//   { "stamp": 3,
//     "of": "<64 hex>",        the question: this program, the command, its compiler, the environment, the processor
//     "files": "<64 hex>",     over the contents of "read", in its order
//     "read": [path, …],       every file that Clang read, system headers too
//     "absent": [path, …],     every file that it looked for in vain: it must not be there now
//     "checked": true,         the clauses' expressions were compiled, too (`hone cc` does not)
//     "kernels": [{name, …}],  who they are: KernelIdentity, and of the rest what listing needs
//     "diagnostics": [{file, line, column, message, rendered, warning, kernel}] }
//
// A stamp is believed only while all of that is as it was, by content and not by time; else it is as if it were not
// there. One that cannot be written is not missed. It says nothing of the lock file, which is read each time. Written
// by rename; several processes may write the same one.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "tool/command/compile_command.h"
#include "tool/frontend/find/files_read.h"
#include "tool/project/file_digests.h"

namespace hone::project {

struct StampedUnit {
  bool checked = false;
  std::vector<KernelSpec> kernels;  // identity, key_dump, key_fields, cuda, global, own_launch; nothing else
  std::vector<frontend::Diagnostic> diagnostics;
};

// Where the unit's stamp is; "": the command names no object.
std::filesystem::path stamp_file(const CompileCommand& command);

// Where other sources were looked into, the answer rests on which there are, and on their commands.
void add_database(const std::filesystem::path& build, frontend::KernelsAndFiles& looked);

std::optional<StampedUnit> read_stamp(const CompileCommand& command, FileDigests& now);
void write_stamp(const CompileCommand& command, const frontend::KernelsAndFiles& looked, bool checked);

}  // namespace hone::project
