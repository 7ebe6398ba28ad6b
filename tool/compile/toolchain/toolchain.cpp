#include "tool/compile/toolchain/toolchain.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "tool/os/files/files.h"
#include "tool/os/process/environment.h"

namespace hone::compile {
namespace fs = std::filesystem;
namespace {

class Interview {
 public:
  // `language`: as -x says it, of sources that the flags are for.
  Interview(os::ProcessRunner& runner, std::string compiler, std::vector<std::string> flags, std::string directory,
            std::string language = "c++")
      : runner_(runner),
        compiler_(std::move(compiler)),
        flags_(std::move(flags)),
        directory_(std::move(directory)),
        language_(std::move(language)) {}

  const std::string& language() const { return language_; }

  Result<os::Exit> ask(std::vector<std::string> question, const std::string& input = {}) {
    os::Process process;
    process.arguments.push_back(compiler_);
    process.arguments.insert(process.arguments.end(), flags_.begin(), flags_.end());
    process.arguments.insert(process.arguments.end(), question.begin(), question.end());
    process.directory = directory_;
    process.input = input;
    process.environment = os::environment_without_secrets();
    process.environment->insert_or_assign("LC_ALL", std::string("C"));
    if (temporary_) process.environment->insert_or_assign("TMPDIR", temporary_->path().string());
    return runner_.run(process);
  }

  // "": the compiler has no such part (it then answers with the bare name).
  std::string path_of(const char* kind, const std::string& name) {
    const auto answer = ask({fmt::format("-print-{}={}", kind, name)});
    if (!answer || !answer->ok()) return {};
    const std::string path = answer->out.substr(0, answer->out.find('\n'));
    std::error_code error;
    if (path.empty() || path[0] != '/' || !fs::exists(path, error)) return {};
    return fs::canonical(path, error).string();
  }

 private:
  os::ProcessRunner& runner_;
  // What a compiler leaves that is killed in the middle goes with this folder. Without one the compiler has the
  // system's.
  Result<os::TemporaryFolder> temporary_ = os::TemporaryFolder::create("hone-compiler");
  std::string compiler_;
  std::vector<std::string> flags_;
  std::string directory_;
  std::string language_;
};

// The compiler's own list, between the two lines that every GCC and Clang prints around it.
std::vector<std::string> include_folders(const std::string& verbose) {
  std::vector<std::string> folders;
  std::istringstream lines(verbose);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#include <...>"))
      inside = true;
    else if (line.starts_with("End of search list"))
      inside = false;
    else if (inside && line.size() > 1)
      folders.push_back(line.substr(1));
  }
  return folders;
}

bool is_systems(const std::string& folder) {
  return folder.starts_with("/usr/") || folder.starts_with("/lib") || folder.starts_with("/bin");
}

// The folders that a compiler's parts are really in. A compiler of the system's needs nothing beyond the system's
// folders.
std::vector<std::string> find_folders(Interview& interview, const std::string& program) {
  std::vector<std::string> found;
  std::error_code error;
  const auto add = [&](const std::string& path) {
    const std::string real = path.empty() ? "" : fs::canonical(path, error).string();
    if (!real.empty() && !is_systems(real) && std::find(found.begin(), found.end(), real) == found.end()) {
      found.push_back(real);
    }
  };
  const auto add_folder_of = [&](const std::string& path) { add(fs::path(path).parent_path().string()); };
  add_folder_of(program);
  add_folder_of(fs::canonical(program, error).string());
  for (const char* part : {"cc1plus", "cc1", "as", "ld", "ld.gold", "ld.lld", "collect2"}) {
    add_folder_of(interview.path_of("prog-name", part));
  }
  for (const char* part : {"crtbeginS.o", "crti.o", "libstdc++.so", "libc.so", "libgcc_s.so", "libgomp.so"}) {
    add_folder_of(interview.path_of("file-name", part));
  }
  if (const auto verbose = interview.ask({"-E", "-x", interview.language(), "-", "-v"})) {
    for (const std::string& folder : include_folders(verbose->err)) add(folder);
  }
  return found;
}

// The first that links a shared object. Linking is half of a small compile with the default one.
std::vector<std::string> find_linker(Interview& interview, bool clang) {
  const std::vector<std::string> by_speed = clang ? std::vector<std::string>{"-fuse-ld=lld", "-fuse-ld=gold"}
                                                  : std::vector<std::string>{"-fuse-ld=gold", "-fuse-ld=lld"};
  for (const std::string& flag : by_speed) {
    const auto answer =
        interview.ask({flag, "-shared", "-fPIC", "-x", interview.language(), "-", "-o", "/dev/null"}, "int x;\n");
    if (answer && answer->ok()) return {flag};
  }
  return {};
}

// The files that the words mean: in the folders of -L, then where the compiler looks. Archives are left out, since what
// they hold may not go into a shared object, and so are the libraries that every compiler links.
std::vector<std::string> find_libraries(Interview& interview, const std::vector<std::string>& words) {
  static const std::set<std::string, std::less<>> always = {"c", "m", "dl", "rt", "pthread", "gcc", "gcc_s", "stdc++"};
  std::vector<std::string> folders, found;
  for (const std::string& word : words)
    if (word.starts_with("-L")) folders.push_back(word.substr(2));
  std::error_code error;
  for (const std::string& word : words) {
    if (word.starts_with("-L") || (word.starts_with("-l") && always.contains(word.substr(2)))) continue;
    std::string path = word;
    if (word.starts_with("-l")) {
      const std::string name = "lib" + word.substr(2) + ".so";
      const auto folder =
          std::ranges::find_if(folders, [&](const auto& one) { return fs::exists(one + '/' + name, error); });
      path = folder == folders.end() ? interview.path_of("file-name", name) : *folder + '/' + name;
    }
    if (fs::is_regular_file(path, error)) found.push_back(path);
  }
  return found;
}

// Only what is needed is loaded.
void link(Toolchain& toolchain, const std::vector<std::string>& libraries) {
  if (libraries.empty()) return;
  for (const char* word : {"-x", "none", "-Wl,--as-needed"}) toolchain.libraries.push_back(word);
  for (const std::string& library : libraries) {
    toolchain.libraries.push_back(library);
    const std::string folder = fs::path(library).parent_path().string();
    if (is_systems(folder + '/') ||
        std::ranges::find(toolchain.library_folders, folder) != toolchain.library_folders.end())
      continue;
    toolchain.libraries.push_back("-Wl,-rpath," + folder);
    toolchain.library_folders.push_back(folder);
    toolchain.folders.push_back(folder);
  }
}

// The shared library of a sanitizer; `name` is asan or tsan.
std::string find_runtime(Interview& interview, bool clang, const char* name) {
  if (!clang) return interview.path_of("file-name", fmt::format("lib{}.so", name));
  for (const char* machine : {"", "-x86_64", "-aarch64"}) {
    const std::string path = interview.path_of("file-name", fmt::format("libclang_rt.{}{}.so", name, machine));
    if (!path.empty()) return path;
  }
  return {};
}

Result<std::string> find_compiler(const std::string& compiler, const std::string& directory) {
  const os::Environment environment = os::environment_without_secrets();
  const auto search_path = environment.find("PATH");
  auto program = os::find_program(compiler, directory, search_path == environment.end() ? "" : search_path->second);
  if (!program) {
    return failure(fmt::format("cannot find the project's compiler '{}'", compiler), {},
                   "install it, or configure the build again with one that is there");
  }
  return std::move(*program);
}

// "Cuda compilation tools, release 13.0, V13.0.88"
std::string release_of(const std::string& version) {
  const std::size_t at = version.find(", V");
  return at == std::string::npos ? "" : version.substr(at + 3, version.find('\n', at) - at - 3);
}

// The toolkit: the folder above that of nvcc itself. Where nvcc is a script or a link, above what it leads to.
std::string toolkit_of(const std::string& nvcc) {
  std::error_code error;
  const fs::path real = fs::canonical(nvcc, error);
  return (error ? fs::path(nvcc) : real).parent_path().parent_path().string();
}

}  // namespace

Result<Toolchain> ask_toolchain(os::ProcessRunner& runner, const std::string& compiler,
                                const std::vector<std::string>& flags, const std::string& directory,
                                const std::string& language, const std::vector<std::string>& libraries) {
  const auto program = find_compiler(compiler, directory);
  if (!program) return tl::unexpected(program.error());
  Interview interview(runner, *program, flags, directory, language);
  HONE_TRY(const os::Exit version, interview.ask({"--version"}));
  if (!version.ok()) {
    return failure(fmt::format("the compiler does not tell its version (exit code {})", version.code), *program,
                   "Hone compiles with GCC or Clang");
  }
  Toolchain toolchain;
  toolchain.program = *program;
  toolchain.identity = version.out.substr(0, version.out.find('\n'));
  if (const auto machine = interview.ask({"-dumpmachine"}))
    toolchain.x86 = machine->out.starts_with("x86_64") || machine->out.starts_with("i686");
  toolchain.clang = version.out.find("clang version") != std::string::npos;
  toolchain.folders = find_folders(interview, *program);
  toolchain.linker = find_linker(interview, toolchain.clang);
  if (language == "c") toolchain.libraries = {"-lm"};  // drivers of C++ add it by themselves
  link(toolchain, find_libraries(interview, libraries));
  toolchain.sanitizer_runtime = find_runtime(interview, toolchain.clang, "asan");
  toolchain.race_runtime = find_runtime(interview, toolchain.clang, "tsan");
  return toolchain;
}

Result<Toolchain> ask_nvcc(os::ProcessRunner& runner, const std::string& nvcc, const std::string& host,
                           const std::string& directory) {
  HONE_TRY(const std::string program, find_compiler(nvcc, directory));
  HONE_TRY(const os::Exit version, Interview(runner, program, {}, directory).ask({"--version"}));
  const std::string release = release_of(version.out);
  if (!version.ok() || release.empty()) {
    return failure("nvcc does not tell its version", program, "Hone compiles CUDA with NVIDIA's nvcc");
  }
  std::error_code error;
  const bool folder = !host.empty() && fs::is_directory(directory / fs::path(host), error);
  HONE_TRY(const std::string host_program, find_compiler(host.empty() ? "gcc"
                                                         : folder     ? host + "/gcc"
                                                                      : host,
                                                         directory));
  Interview interview(runner, host_program, {}, directory);
  HONE_TRY(const os::Exit host_version, interview.ask({"--version"}));

  Toolchain toolchain;
  toolchain.program = program;
  toolchain.nvcc = true;
  toolchain.host = host_program;
  toolchain.identity = fmt::format("nvcc {} with {}", release, host_version.out.substr(0, host_version.out.find('\n')));
  toolchain.folders = find_folders(interview, host_program);
  for (const std::string& part : {toolkit_of(program), fs::path(program).parent_path().string()}) {
    if (!is_systems(part + "/")) toolchain.folders.push_back(part);
  }
  return toolchain;
}

}  // namespace hone::compile
