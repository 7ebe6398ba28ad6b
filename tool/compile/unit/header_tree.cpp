#include "tool/compile/unit/header_tree.h"

#include <algorithm>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "tool/command/make_rule.h"
#include "tool/compile/toolchain/diagnostics.h"
#include "tool/os/files/files.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::compile {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// A path as the command has it, from the command's folder; `..` goes, so that the mirror has one place for each file.
fs::path absolute(const std::string& path, const std::string& directory) {
  return (fs::path(directory) / path).lexically_normal();
}

fs::path mirrored(const fs::path& path) {
  return "project" / path.relative_path();
}

bool is_within(const fs::path& path, const std::string& folder) {
  const fs::path base(folder);
  return std::mismatch(base.begin(), base.end(), path.begin(), path.end()).first == base.end();
}

class Collector {
 public:
  Collector(const CompileCommand& command, const Toolchain& toolchain)
      : command_(command), shown_(os::system_folders()) {
    shown_.insert(shown_.end(), toolchain.folders.begin(), toolchain.folders.end());
  }

  // Whether the sandbox shows it where it is.
  bool is_shown(const fs::path& path) const {
    return std::any_of(shown_.begin(), shown_.end(),
                       [&](const std::string& folder) { return is_within(path, folder); });
  }

  Result<void> add(const std::string& dependency) {
    const fs::path path = absolute(dependency, command_.directory);
    if (is_shown(path) || path == source()) return {};
    HONE_TRY(const std::string text, os::read_file(path));
    const std::size_t start = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    tree_.headers.push_back(
        {mirrored(path).string(), fmt::format("#line 1 \"{}\"\n{}", path.string(), text.substr(start))});
    return {};
  }

  HeaderTree finish(const CompileFlags& flags) {
    for (const HeaderFlag& flag : flags.headers) {
      const fs::path path = absolute(flag.path, command_.directory);
      tree_.flags.push_back({flag.flag, (is_shown(path) ? path : mirrored(path)).string(), flag.host});
    }
    tree_.unit = (mirrored(source().parent_path()) / "unit.cu").string();
    return std::move(tree_);
  }

 private:
  fs::path source() const { return absolute(command_.file, command_.directory); }

  const CompileCommand& command_;
  std::vector<std::string> shown_;
  HeaderTree tree_;
};

}  // namespace

Result<HeaderTree> collect_headers(os::ProcessRunner& runner, const CompileCommand& command, const CompileFlags& flags,
                                   const Toolchain& toolchain) {
  os::Process process;
  process.directory = command.directory;
  process.arguments = {toolchain.program};
  process.arguments.insert(process.arguments.end(), flags.freeze.begin(), flags.freeze.end());
  for (const std::string& word : {std::string("-ccbin"), toolchain.host, std::string("-w"), std::string("-M"),
                                  std::string("-x"), std::string("cu"), command.file})
    process.arguments.push_back(word);
  HONE_TRY(const os::Exit exit, runner.run(process));
  if (!exit.ok() || exit.truncated)
    return failure("nvcc cannot tell what the kernel's source includes: " + read_diagnostics(exit.err).reason,
                   command.file);
  Collector collector(command, toolchain);
  for (const std::string& dependency : make_prerequisites(exit.out)) HONE_CHECK(collector.add(dependency));
  return collector.finish(flags);
}

// Writes the headers, neither durably nor atomically: nobody reads them before this returns, or after the compile.
Result<void> write_headers(const HeaderTree& tree, const fs::path& folder) {
  std::error_code error;
  fs::create_directories((folder / tree.unit).parent_path(), error);
  for (const HeaderTree::Header& header : tree.headers) {
    const fs::path path = folder / header.path;
    if (!error) fs::create_directories(path.parent_path(), error);
    std::ofstream file(path, std::ios::binary);
    file << header.text;
    file.close();
    if (!file) return failure("cannot write a copy of a header", path.string());
  }
  if (error) return failure("cannot write copies of headers: " + error.message(), folder.string());
  return {};
}

}  // namespace hone::compile
