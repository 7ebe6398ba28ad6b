#include "tool/frontend/parse/gcc_installation.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>
#include <vector>

#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include "tool/os/process/process_runner.h"

namespace hone::frontend {
namespace fs = std::filesystem;
namespace {

struct Installation {
  std::vector<int> version;
  fs::path folder;
  bool has_headers = false;
};

// "13", "12.2.0"; empty: no version.
std::vector<int> version_of(std::string_view name) {
  std::vector<int> version;
  const char* at = name.data();
  const char* const end = at + name.size();
  while (at != end) {
    int part = 0;
    const auto [behind, error] = std::from_chars(at, end, part);
    if (error != std::errc() || (behind != end && *behind != '.')) return {};
    version.push_back(part);
    at = behind == end ? end : behind + 1;
  }
  return version;
}

// GCC's installations under `root` for this machine's architecture.
std::vector<Installation> installations(const fs::path& root) {
  std::vector<Installation> found;
  const llvm::Triple machine(llvm::sys::getDefaultTargetTriple());
  std::error_code none;
  for (const fs::directory_entry& triple : fs::directory_iterator(root / "usr/lib/gcc", none)) {
    if (!triple.path().filename().string().starts_with(machine.getArchName().str())) continue;
    for (const fs::directory_entry& one : fs::directory_iterator(triple.path(), none)) {
      const std::string name = one.path().filename().string();
      if (std::vector<int> version = version_of(name); !version.empty() && fs::exists(one.path() / "crtbegin.o", none))
        found.push_back({std::move(version), one.path(), fs::exists(root / "usr/include/c++" / name / "cmath", none)});
    }
  }
  std::ranges::sort(found, std::greater(), &Installation::version);
  return found;
}

}  // namespace

std::optional<std::string> gcc_with_headers(const fs::path& root) {
  const std::vector<Installation> all = installations(root);
  if (all.empty() || all.front().has_headers) return std::nullopt;
  const auto whole = std::ranges::find_if(all, &Installation::has_headers);
  return whole == all.end() ? std::nullopt : std::optional(whole->folder.string());
}

std::vector<std::string> standard_headers_of(const std::string& compiler) {
  os::Process question;
  question.arguments = {"env", "LC_ALL=C", compiler, "-E", "-v", "-x", "c++", "/dev/null"};  // it may speak German
  question.timeout = std::chrono::seconds(10);
  const auto answer = os::PosixProcessRunner().run(question);
  std::vector<std::string> folders;
  if (!answer || !answer->ok()) return folders;
  std::istringstream said(answer->err);
  bool in_list = false;
  for (std::string line; std::getline(said, line);) {
    if (line.starts_with("End of search list")) break;
    const fs::path folder = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    const bool standard = std::ranges::find(folder, fs::path("c++")) != folder.end();
    if (in_list && standard && folder.is_absolute()) folders.push_back(folder.lexically_normal().string());
    in_list = in_list || line.starts_with("#include <...>");
  }
  return folders;
}

}  // namespace hone::frontend
