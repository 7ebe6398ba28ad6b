#include "tool/frontend/parse/compiled_with.h"

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

#include <llvm/Support/Program.h>

#include "tool/command/code_options.h"
#include "tool/frontend/parse/invocation.h"
#include "tool/os/process/process_runner.h"

namespace hone::frontend {
namespace fs = std::filesystem;
namespace {

// The first that a name holds counts: clang++ ends like g++.
constexpr std::pair<std::string_view, std::string_view> family_names[] = {
    {"clang", "clang"}, {"nvc++", "nvc"}, {"icpx", "intel"}, {"icx", "intel"},
    {"dpcpp", "intel"}, {"icpc", "icc"},  {"g++", "gcc"},    {"gcc", "gcc"},
};

// Of those that define GCC's macro too, GCC comes last.
constexpr std::pair<std::string_view, std::string_view> family_macros[] = {
    {"#define __INTEL_LLVM_COMPILER ", "intel"},
    {"#define __NVCOMPILER ", "nvc"},
    {"#define __clang__ ", "clang"},
    {"#define __GNUC__ ", "gcc"},
};

std::string family_in(std::string_view text, const auto& table) {
  for (const auto& [part, family] : table)
    if (text.find(part) != text.npos) return std::string(family);
  return "";
}

fs::path program_of(const std::string& compiler, const std::string& directory) {
  if (compiler.find('/') != std::string::npos) return fs::path(directory) / compiler;
  const auto found = llvm::sys::findProgramByName(compiler);
  return found ? *found : compiler;
}

std::string where_it_leads(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? "" : real.filename().string();
}

std::string macros_of(const fs::path& path, const std::string& directory) {
  os::Process question;
  question.arguments = {path.string(), "-E", "-dM", "-x", "c++", "/dev/null"};
  question.directory = directory;
  question.timeout = std::chrono::seconds(10);
  const auto answer = os::PosixProcessRunner().run(question);
  return answer && answer->ok() ? answer->out : "";
}

// Of a command that compiles nothing, as a test or a tool may have it.
CompileFlags all_words(const CompileCommand& command) {
  const std::size_t compiler = compiler_index(command.arguments);
  CompileFlags flags;
  if (compiler == command.arguments.size()) return flags;
  flags.compiler = command.arguments[compiler];
  flags.unit.assign(command.arguments.begin() + static_cast<std::ptrdiff_t>(compiler) + 1, command.arguments.end());
  return flags;
}

// nvcc drives gcc where nobody names another host compiler, also where -ccbin names a folder.
std::string family(const CompileFlags& flags, const std::string& directory) {
  if (!flags.nvcc) return compiler_family(flags.compiler, directory);
  std::error_code error;
  const bool named =
      !flags.host_compiler.empty() && !fs::is_directory(fs::path(directory) / flags.host_compiler, error);
  return "nvcc+" + (named ? compiler_family(flags.host_compiler, directory) : "gcc");
}

}  // namespace

std::string compiled_with(const CompileCommand& command) {
  const CompileFlags flags = split_flags(command).value_or(all_words(command));
  return family(flags, command.directory) + " " + code_options(flags);
}

std::string compiler_family(const std::string& compiler, const std::string& directory) {
  const std::string name = fs::path(compiler).filename().string();
  if (std::string family = family_in(name, family_names); !family.empty()) return family;
  const fs::path path = program_of(compiler, directory);
  if (std::string family = family_in(where_it_leads(path), family_names); !family.empty()) return family;
  if (std::string family = family_in(macros_of(path, directory), family_macros); !family.empty()) return family;
  return name;
}

}  // namespace hone::frontend
