#include "tool/frontend/parse/gcc_installation.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
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

Result<os::Exit> run(std::vector<std::string> words) {
  os::Process question;
  question.arguments = {"env", "LC_ALL=C"};  // it may speak German
  question.arguments.insert(question.arguments.end(), words.begin(), words.end());
  question.timeout = std::chrono::seconds(10);
  return os::PosixProcessRunner().run(question);
}

}  // namespace

std::optional<std::string> gcc_with_headers(const fs::path& root) {
  const std::vector<Installation> all = installations(root);
  if (all.empty() || all.front().has_headers) return std::nullopt;
  const auto whole = std::ranges::find_if(all, &Installation::has_headers);
  return whole == all.end() ? std::nullopt : std::optional(whole->folder.string());
}

namespace {

GccAnswer ask_now(const std::string& compiler) {
  GccAnswer said;
  const auto answer = run({compiler, "-E", "-v", "-x", "c++", "/dev/null"});
  if (!answer || !answer->ok()) return said;
  std::istringstream lines(answer->err);
  bool in_list = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("End of search list")) break;
    if (constexpr std::string_view label = "Target: "; line.starts_with(label)) said.target = line.substr(label.size());
    const fs::path folder = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    const bool standard = std::ranges::find(folder, fs::path("c++")) != folder.end();
    if (in_list && standard && folder.is_absolute())
      said.standard_headers.push_back(folder.lexically_normal().string());
    in_list = in_list || line.starts_with("#include <...>");
  }
  return said;
}

}  // namespace

GccAnswer ask_gcc(const std::string& compiler) {
  static std::mutex mutex;
  static std::map<std::string, GccAnswer> answers;
  const std::lock_guard lock(mutex);
  const auto known = answers.find(compiler);
  if (known != answers.end()) return known->second;
  GccAnswer said = ask_now(compiler);
  if (!said.target.empty()) answers[compiler] = said;
  return said;
}

std::string sysroot_of(const std::string& compiler) {
  const auto answer = run({compiler, "-print-sysroot"});
  return answer && answer->ok() ? answer->out.substr(0, answer->out.find('\n')) : "";
}

std::string target_in_name(const std::string& program) {
  const std::string name = fs::path(program).filename().string();
  for (const char* compiler : {"-g++", "-gcc", "-c++", "-cc", "-clang"}) {
    const std::size_t at = name.rfind(compiler);
    if (at == std::string::npos || at == 0) continue;
    const std::string target = name.substr(0, at);
    if (llvm::Triple(target).getArch() != llvm::Triple::UnknownArch) return target;
  }
  return "";
}

bool is_foreign(const std::string& target) {
  if (target.empty()) return false;
  const llvm::Triple asked(target), own(llvm::sys::getDefaultTargetTriple());
  return asked.getArch() != own.getArch() || (asked.getOS() != llvm::Triple::UnknownOS && asked.getOS() != own.getOS());
}

}  // namespace hone::frontend
