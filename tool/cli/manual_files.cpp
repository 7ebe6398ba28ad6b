#include "tool/cli/manual_files.h"

#include <utility>
#include <vector>

#include "tool/cli/command/command.h"
#include "tool/manual/completion.h"
#include "tool/manual/man_page.h"
#include "tool/os/files/files.h"

namespace hone::cli {

namespace fs = std::filesystem;

int write_manual(const manual::ProgramText& program, const fs::path& share) {
  const fs::path pages = share / "man" / "man1";
  std::vector<std::pair<fs::path, std::string>> files = {
      {share / "bash-completion" / "completions" / "hone.bash", manual::bash_completion(program)},
      {share / "zsh" / "site-functions" / "_hone", manual::zsh_completion(program)},
      {share / "fish" / "vendor_completions.d" / "hone.fish", manual::fish_completion(program)}};
  for (const manual::CommandText& command : program.commands)
    files.emplace_back(pages / ("hone-" + command.name + ".1"), manual::man_page(program, command));
  files.emplace_back(pages / "hone.1", manual::man_page(program));  // last: the build looks at it
  for (const auto& [file, text] : files) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (const auto written = os::write_file_atomically(file, text); !written)
      return complain(written.error(), environment);
  }
  return done;
}

}  // namespace hone::cli
