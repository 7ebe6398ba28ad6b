#include "tool/apply/shadow_unit.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "tool/command/nvcc_options.h"

namespace hone::apply {
namespace {

std::string folder_of(const std::string& path) {
  std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

// A flag for the host compiler: by itself, or handed on by nvcc. It is one word, as ccache would take two apart.
std::string host_word(const CompilerLine& line, const std::string& flag, const std::string& value) {
  return line.nvcc ? "-Xcompiler=" + flag + nvcc_host_word(value) : flag + value;
}

}  // namespace

ShadowUnit::ShadowUnit(std::string path) : path_(std::move(path)) {}
ShadowUnit::ShadowUnit(ShadowUnit&& other) noexcept : path_(std::exchange(other.path_, {})) {}

// Removes only what create() made: a folder in which somebody keeps something else stays.
ShadowUnit::~ShadowUnit() {
  if (path_.empty()) return;
  unlink(path_.c_str());
  std::error_code error;
  std::filesystem::remove_all(kept_folder(), error);
  rmdir(folder_of(path_).c_str());
}

Result<ShadowUnit> ShadowUnit::create(const CompilerLine& line, std::string_view text) {
  std::string folder = line.output + ".hone";
  const std::string& original = line.arguments[line.source];
  if (line.nvcc && (nvcc_host_word(folder).empty() || nvcc_host_word(original).empty()))
    return failure("nvcc cannot be told of a path with such characters in it", original);
  ShadowUnit shadow(folder + "/" + name_of(line.arguments[line.source]));
  std::error_code error;
  std::filesystem::create_directories(line.nvcc ? shadow.kept_folder() : folder, error);
  std::ofstream file(shadow.path_, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file)
    return failure(std::string("cannot write the shadow of the source: ") + std::strerror(errno), shadow.path_);
  return shadow;
}

std::string ShadowUnit::kept_folder() const {
  return folder_of(path_) + "/kept";
}

std::vector<std::string> ShadowUnit::command(const CompilerLine& line, const std::vector<std::string>& folders) const {
  const std::string& original = line.arguments[line.source];
  std::vector<std::string> command = line.arguments;
  command[line.source] = path_;
  // Compilers split a map at its first '='; a shadow whose path has one cannot be mapped, and its debug info names it.
  if (path_.find('=') == std::string::npos)
    for (const char* kind : {"debug", "macro"}) {
      const std::string map = path_ + "=" + prefix_mapped(original, line.arguments, kind);
      command.push_back(host_word(line, std::string("-f") + kind + "-prefix-map=", map));
    }
  const auto at = command.begin() + static_cast<std::ptrdiff_t>(line.compiler) + 1;
  if (line.nvcc) {
    std::vector<std::string> words{host_word(line, "-iquote,", folder_of(original))};
    words.insert(words.end(), {"-keep", "-keep-dir", kept_folder()});
    command.insert(at, words.begin(), words.end());
  } else {
    std::vector<std::string> words{"-iquote", folder_of(original)};
    for (const std::string& folder : folders) words.insert(words.end(), {"-iquote", folder});
    command.insert(at, words.begin(), words.end());
  }
  return command;
}

std::string prefix_mapped(const std::string& path, const std::vector<std::string>& arguments, std::string_view kind) {
  const std::string own = "-f" + std::string(kind) + "-prefix-map=", both = "-ffile-prefix-map=";
  for (auto argument = arguments.rbegin(); argument != arguments.rend(); ++argument) {
    std::size_t start = argument->starts_with(own) ? own.size() : argument->starts_with(both) ? both.size() : 0;
    std::size_t equals = start ? argument->find('=', start) : std::string::npos;
    if (equals == std::string::npos) continue;
    std::string from = argument->substr(start, equals - start);
    if (path.starts_with(from)) return argument->substr(equals + 1) + path.substr(from.size());
  }
  return path;
}

}  // namespace hone::apply
