#include "tool/frontend/parse/invocation.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>

#include <clang/Driver/Driver.h>
#include <clang/Driver/Options.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/StringSaver.h>

#include "tool/command/compiler_line.h"
#include "tool/command/nvcc_options.h"
#include "tool/frontend/parse/cuda_dialect.h"
#include "tool/frontend/parse/gcc_installation.h"
#include "tool/frontend/parse/nvcc_line.h"
#include "tool/os/files/files.h"

namespace hone::frontend {
namespace {

namespace opt = clang::driver::options;

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Says nothing about what the text means: outputs, dependency files, diagnostics, debug info, linking, plugins.
bool is_dropped(const llvm::opt::Arg& argument) {
  const llvm::opt::Option& option = argument.getOption();
  for (unsigned group : {opt::OPT_M_Group, opt::OPT_W_Group, opt::OPT_Diag_Group, opt::OPT_g_Group,
                         opt::OPT_DebugInfo_Group, opt::OPT_Link_Group, opt::OPT_Action_Group, opt::OPT_pedantic_Group,
                         opt::OPT_clang_ignored_f_Group, opt::OPT_clang_ignored_gcc_optimization_f_Group})
    if (option.matches(group)) return true;
  return option.hasFlag(opt::LinkerInput) || std::ranges::any_of(std::array{opt::OPT_UNKNOWN,
                                                                            opt::OPT_INPUT,
                                                                            opt::OPT_o,
                                                                            opt::OPT_w,
                                                                            opt::OPT_v,
                                                                            opt::OPT_pipe,
                                                                            opt::OPT__HASH_HASH_HASH,
                                                                            opt::OPT_save_temps,
                                                                            opt::OPT_save_temps_EQ,
                                                                            opt::OPT_resource_dir,
                                                                            opt::OPT_resource_dir_EQ,
                                                                            opt::OPT_fplugin_EQ,
                                                                            opt::OPT_fpass_plugin_EQ,
                                                                            opt::OPT_Xassembler,
                                                                            opt::OPT_Xlinker,
                                                                            opt::OPT_Wa_COMMA,
                                                                            opt::OPT_Wl_COMMA,
                                                                            opt::OPT_time,
                                                                            opt::OPT_ftime_trace,
                                                                            opt::OPT_fdiagnostics_color_EQ,
                                                                            opt::OPT_fcolor_diagnostics,
                                                                            opt::OPT_offload_arch_EQ,
                                                                            opt::OPT_no_offload_arch_EQ,
                                                                            opt::OPT_cuda_host_only,
                                                                            opt::OPT_cuda_device_only,
                                                                            opt::OPT_cuda_compile_host_device,
                                                                            opt::OPT_cuda_path_EQ,
                                                                            opt::OPT_x},
                                                                 [&](unsigned id) { return option.matches(id); });
}

// `-Xclang -include-pch -Xclang FILE`: a PCH that another Clang wrote cannot be read, and plugins are not run.
bool takes_file_not_ours(std::string_view value) {
  return one_of(value, {"-include-pch", "-load", "-add-plugin", "-plugin"});
}

std::filesystem::path absolute(const std::string& file, const std::string& directory) {
  return (std::filesystem::path(directory) / file).lexically_normal();
}

// The input that is the main file, as it is spelled; the first one when the command's `file` names none of them.
std::string find_main_file(const llvm::opt::InputArgList& arguments, const CompileCommand& command) {
  std::string first;
  for (const llvm::opt::Arg* input : arguments.filtered(opt::OPT_INPUT)) {
    const std::string spelling = input->getValue();
    if (!command.file.empty() && absolute(spelling, command.directory) == absolute(command.file, command.directory))
      return spelling;
    if (first.empty()) first = spelling;
  }
  return command.file.empty() ? first : command.file;
}

std::filesystem::path program_path(const std::string& compiler, const std::string& directory) {
  if (compiler.find('/') != std::string::npos) return absolute(compiler, directory);
  const auto found = llvm::sys::findProgramByName(compiler);
  return found ? *found : compiler;
}

// Where the compiler really lies, behind all links.
std::filesystem::path folder_of_program(const std::string& compiler, const std::string& directory) {
  const std::filesystem::path path = program_path(compiler, directory);
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return (error ? path : real).parent_path();
}

bool is_clang(const std::string& compiler) {
  return base_name(compiler).find("clang") != std::string_view::npos;
}

// A compiler that is named without a folder, or where it is.
std::string callable(const std::string& compiler, const std::string& directory) {
  return compiler.find('/') == std::string::npos ? compiler : absolute(compiler, directory).string();
}

// Of a compiler of the system's: its name says the target, or what it is a link to.
std::string target_of_name(const std::string& compiler, const std::string& directory) {
  if (std::string target = target_in_name(compiler); !target.empty()) return target;
  std::error_code error;
  return target_in_name(std::filesystem::canonical(program_path(compiler, directory), error).string());
}

// What leads Clang to the compiler's target, and to the standard library's headers where it would not find them by
// itself. Another machine's code is read as that machine's: its types, its macros, its headers, its features in the
// key.
std::vector<std::string> machine_options(const std::string& compiler, const std::string& directory,
                                         const llvm::opt::InputArgList& given) {
  if (given.hasArg(opt::OPT_target)) return {};
  const bool systems = folder_of_program(compiler, directory) == "/usr/bin";
  const bool headers_given = given.hasArg(opt::OPT_gcc_toolchain, opt::OPT_gcc_install_dir_EQ, opt::OPT__sysroot_EQ,
                                          opt::OPT_stdlib_EQ, opt::OPT_nostdincxx);
  std::string target = target_of_name(compiler, directory);
  const bool asks = !systems && !is_clang(compiler) && (!headers_given || target.empty());
  const GccAnswer said = asks ? ask_gcc(callable(compiler, directory)) : GccAnswer();
  if (!said.target.empty()) target = said.target;

  std::vector<std::string> options;
  const bool foreign = is_foreign(target);
  if (foreign) options.push_back("--target=" + target);
  if (headers_given) return options;
  if (const std::string root = foreign && asks ? sysroot_of(callable(compiler, directory)) : ""; !root.empty())
    options.push_back("--sysroot=" + root);
  if (const auto gcc = systems && !foreign ? gcc_with_headers() : std::nullopt)
    options.push_back("--gcc-install-dir=" + *gcc);
  for (const std::string& folder : said.standard_headers) options.insert(options.end(), {"-stdlib++-isystem", folder});
  return options;
}

// Clang's driver finds the standard library from the folder of the program it is run as: that of the real compiler.
std::string program_beside(const std::string& compiler, const std::string& directory) {
  return (folder_of_program(compiler, directory) / "clang").string();
}

std::vector<const char*> as_pointers(const std::vector<std::string>& words, std::size_t from) {
  std::vector<const char*> pointers;
  for (std::size_t i = from; i < words.size(); ++i) pointers.push_back(words[i].c_str());
  return pointers;
}

void append_kept(const llvm::opt::InputArgList& parsed, std::vector<std::string>& out) {
  bool skip_next_xclang = false;
  for (const llvm::opt::Arg* argument : parsed) {
    if (argument->getOption().matches(opt::OPT_Xclang)) {
      const bool skip = skip_next_xclang;
      skip_next_xclang = !skip && takes_file_not_ours(argument->getValue());
      if (skip || skip_next_xclang) continue;
    }
    if (is_dropped(*argument)) continue;
    llvm::opt::ArgStringList rendered;
    argument->render(parsed, rendered);
    out.insert(out.end(), rendered.begin(), rendered.end());
  }
}

}  // namespace

std::size_t compiler_index(const std::vector<std::string>& arguments) {
  const std::size_t at = find_compiler(arguments);
  const bool launcher = at < arguments.size() && one_of(base_name(arguments[at]), {"hone", "cmake", "ccache", "sccache",
                                                                                   "distcc", "env", "nice"});
  return launcher ? arguments.size() : at;
}

namespace {

// What C compilers take with a warning at most, and Clang 19 by itself does not.
constexpr std::array kGccTakesInC = {"-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-int-conversion",
                                     "-Wno-return-mismatch", "-Wno-incompatible-function-pointer-types"};

// The compiler that reads the C++ in it, and what is asked of it.
struct HostLine {
  std::string compiler;
  std::vector<std::string> arguments;
  std::string language;  // "" where no -x says it
  std::string toolkit;   // CUDA's folder, where it is known
  CudaTarget cuda;
};

bool is_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

// -ccbin takes a program, or the folder of one.
std::string host_compiler(const std::string& given, const std::string& directory) {
  return is_folder(absolute(given, directory)) && given.find('/') != std::string::npos ? given + "/g++" : given;
}

Result<HostLine> read_nvcc(const std::string& compiler, const std::vector<std::string>& arguments,
                           const std::string& directory) {
  HONE_TRY(NvccLine line, read_nvcc_line(arguments, directory));
  HostLine host;
  host.compiler = host_compiler(line.host_compiler, directory);
  host.arguments = std::move(line.arguments);
  host.language = line.language == "cu" ? "cuda" : line.language;
  host.toolkit = folder_of_program(compiler, directory).parent_path().string();
  host.cuda = {std::move(line.architectures), std::move(line.flags)};
  return host;
}

// Clang compiles CUDA too.
void read_clang(const llvm::opt::InputArgList& parsed, HostLine& host) {
  if (const llvm::opt::Arg* language = parsed.getLastArg(opt::OPT_x)) host.language = language->getValue();
  host.cuda.architectures = parsed.getAllArgValues(opt::OPT_offload_arch_EQ);
  std::ranges::sort(host.cuda.architectures);
  const llvm::opt::Arg* toolkit = parsed.getLastArg(opt::OPT_cuda_path_EQ);
  host.toolkit = toolkit ? toolkit->getValue() : "/usr/local/cuda";
}

bool is_cuda(const HostLine& host, const std::string& main_file) {
  return host.language.empty() ? main_file.ends_with(".cu") : host.language == "cuda";
}

// CMake's list of precompiled headers calls itself a system header, so as to warn of nothing. What it includes is the
// project's all the same: its text is in keys, and its annotations count.
std::map<std::string, std::string> precompiled_lists(const std::vector<std::string>& arguments,
                                                     const std::string& directory) {
  constexpr std::array<std::string_view, 2> pragmas = {"#pragma GCC system_header", "#pragma clang system_header"};
  std::map<std::string, std::string> lists;
  for (const std::string& word : arguments) {
    if (!one_of(base_name(word), {"cmake_pch.hxx", "cmake_pch.h"})) continue;
    const std::string path = absolute(word, directory).string();
    Result<std::string> text = os::read_file(path);
    for (const std::string_view pragma : pragmas)
      if (const std::size_t at = text ? text->find(pragma) : std::string::npos; at != std::string::npos)
        lists.emplace(path, text->erase(at, pragma.size()));
  }
  return lists;
}

}  // namespace

Result<Invocation> translate(const CompileCommand& command, const std::string& resource_dir) {
  const std::size_t compiler = compiler_index(command.arguments);
  if (compiler >= command.arguments.size())
    return failure("the compile command names no compiler", command.file, "see compile_commands.json");

  // 1. The words, without files of them.
  std::vector<const char*> pointers = as_pointers(command.arguments, compiler + 1);
  llvm::SmallVector<const char*, 64> expanded(pointers.begin(), pointers.end());
  llvm::BumpPtrAllocator memory;
  llvm::cl::ExpansionContext expansion(memory, llvm::cl::TokenizeGNUCommandLine);
  expansion.setCurrentDir(command.directory);
  if (llvm::Error error = expansion.expandResponseFiles(expanded))
    return failure("cannot read a response file: " + llvm::toString(std::move(error)), command.file);

  // 2. In the host compiler's words.
  HostLine host{command.arguments[compiler], {expanded.begin(), expanded.end()}, "", "", {}};
  const bool nvcc = is_nvcc(host.compiler);
  if (nvcc) {
    HONE_TRY(host, read_nvcc(host.compiler, host.arguments, command.directory));
  }
  const std::vector<const char*> words = as_pointers(host.arguments, 0);
  unsigned missing_index = 0, missing_count = 0;
  const llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      words, missing_index, missing_count, llvm::opt::Visibility(opt::ClangOption));
  if (!nvcc) read_clang(parsed, host);

  // 3. In Clang's.
  Invocation invocation;
  invocation.directory = command.directory;
  invocation.main_file = find_main_file(parsed, command);
  if (invocation.main_file.empty()) return failure("the compile command names no source file", command.directory);
  const bool plus_plus = nvcc || is_plus_plus_driver(host.compiler);
  invocation.arguments = {program_beside(host.compiler, command.directory),
                          plus_plus ? "--driver-mode=g++" : "--driver-mode=gcc", "-resource-dir=" + resource_dir};
  std::ranges::copy(machine_options(host.compiler, command.directory, parsed),
                    std::back_inserter(invocation.arguments));
  if (is_cuda(host, invocation.main_file)) {
    if (!std::filesystem::exists(host.toolkit + "/include/cuda_runtime.h"))
      return failure("there is no CUDA toolkit where the compile command's compiler should be", host.toolkit,
                     "install it there, or mend the compiler's path");
    CudaDialect dialect = cuda_dialect(host.toolkit, host.cuda.architectures);
    invocation.arguments.insert(invocation.arguments.end(), dialect.arguments.begin(), dialect.arguments.end());
    invocation.headers = std::move(dialect.headers);
    invocation.cuda = std::move(host.cuda);
  } else if (!host.language.empty()) {
    invocation.arguments.insert(invocation.arguments.end(), {"-x", host.language});
  }
  append_kept(parsed, invocation.arguments);
  invocation.headers.merge(precompiled_lists(host.arguments, command.directory));
  if (!plus_plus) std::ranges::copy(kGccTakesInC, std::back_inserter(invocation.arguments));
  if (nvcc && !invocation.cuda)
    invocation.arguments.insert(invocation.arguments.end(), {"-isystem", host.toolkit + "/include"});
  invocation.arguments.push_back("--");
  invocation.arguments.push_back(invocation.main_file);
  return invocation;
}

}  // namespace hone::frontend
