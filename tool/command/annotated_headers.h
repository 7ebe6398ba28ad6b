// A quick look at the headers that a source may include, without a compiler: could one of them hold an annotation?
//
// Follows #include lines by their text, whatever #if stands around them, through the folders that -iquote and -I name,
// and what -include names. Only headers of the project are read: system headers (-isystem, the compiler's own) are
// left alone, and so is what lies neither in the project's folder nor in the one where the compiler runs. Yes may be
// wrong. No is wrong only where a macro of the command line names the header. Reads files; std only: the launcher
// links it. Thread-safe.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hone {

// The folder of the project that a source belongs to: the nearest above it that is under version control, else the
// highest with a CMakeLists.txt or a hone.lock. Empty: there is none, and everything counts.
std::filesystem::path project_folder(const std::filesystem::path& source);

// Does a header at this absolute path belong to the project of `source`, which is compiled in `directory`?
class ProjectHeaders {
 public:
  ProjectHeaders(const std::filesystem::path& source, std::filesystem::path directory);
  bool contain(const std::filesystem::path& header) const;

 private:
  std::filesystem::path folder_, directory_;
};

// `source` and the paths in `arguments` start at `directory`, which is absolute. The source itself is not asked.
bool includes_annotated_header(const std::string& source, const std::vector<std::string>& arguments,
                               const std::filesystem::path& directory);

}  // namespace hone
