// hone: what stands in front of every compile, so it is small and starts in microseconds.
//
// `hone cc … -- COMPILER ARGS…` becomes the compiler at once unless the source, or a header of the project that it may
// include, mentions hone, or --database notes what is compiled and linked. That, and every other command, is done by
// hone-tool, which it becomes then. It never forks, writes nothing, and a hone-tool that is missing costs a word on
// stderr and no build (with --locked it is an error).
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/annotation_scan.h"
#include "tool/command/annotated_headers.h"
#include "tool/command/compiler_line.h"
#include "tool/command/library_words.h"

namespace {

constexpr int kEnvironmentFailed = 3;

// How a launcher was called: where its own options end and the compiler begins.
struct Invocation {
  char** compiler = nullptr;  // null: no `--`; hone-tool says what is wrong
  bool off = false;
  bool locked = false;
  bool records = false;  // --database: compiles and links are noted
};

Invocation read_invocation(char** words) {
  Invocation invocation;
  auto is_off = [](const char* mode) { return mode && std::string_view(mode) == "off"; };
  invocation.off = is_off(std::getenv("HONE_MODE"));
  for (; *words; ++words) {
    std::string_view word = *words;
    if (word == "--") {
      invocation.compiler = words[1] ? words + 1 : nullptr;
      break;
    }
    if (word == "--mode" && is_off(words[1])) invocation.off = true;
    if (word == "--locked") invocation.locked = true;
    if (word == "--database") invocation.records = true;
  }
  return invocation;
}

// nullopt: unreadable, which is the compiler's to say.
template <class Ask>
std::optional<bool> ask_text(const std::string& path, Ask ask) {
  int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct stat status;
  std::optional<bool> answer;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    std::size_t size = static_cast<std::size_t>(status.st_size);
    void* bytes = size ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : nullptr;
    if (bytes != MAP_FAILED) {
      answer = ask(std::string_view(static_cast<const char*>(bytes), size));
      if (size) munmap(bytes, size);
    }
  }
  close(descriptor);
  return answer;
}

bool file_mentions_hone(const std::string& path) {
  return ask_text(path, hone::mentions_hone).value_or(false);
}

bool one_mentions_hone(const std::optional<hone::SourcesLine>& line) {
  return line && std::any_of(line->sources.begin(), line->sources.end(),
                             [&](std::size_t source) { return file_mentions_hone(line->arguments[source]); });
}

bool concerns_hone(const Invocation& invocation) {
  std::vector<std::string> arguments;
  for (char** word = invocation.compiler; *word; ++word) arguments.emplace_back(*word);
  std::optional<hone::CompilerLine> line = hone::read_compiler_line(arguments);
  if (invocation.records && (line || !hone::library_words(arguments).empty())) return true;
  if (!line) return one_mentions_hone(hone::read_sources_line(arguments));
  const std::string& source = line->arguments[line->source];
  if (file_mentions_hone(source)) return true;
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::current_path(error);
  return !error && hone::includes_annotated_header(source, line->arguments, directory);
}

[[noreturn]] void become_compiler(char** compiler) {
  unsetenv("HONE_CACHE_TOKEN");  // no compiler's business
  execvp(compiler[0], compiler);
  std::fprintf(stderr, "hone: cannot start %s: %s\n", compiler[0], std::strerror(errno));
  std::exit(errno == ENOENT ? 127 : 126);
}

// As it was called, where there is no /proc to say what we are.
std::string own_folder(const char* called) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string_view own = length > 0 ? std::string_view(path, static_cast<std::size_t>(length)) : called;
  return std::string(own.substr(0, own.find_last_of('/')));
}

// HONE_TOOL, the installed one, the one beside us. Returns only where there is none to become: the path it should have.
std::string become_tool(char** argv) {
  if (const char* named = std::getenv("HONE_TOOL"); named && *named) execv(named, argv);
  std::string folder = own_folder(argv[0]);
  std::string installed = folder + "/../libexec/hone/hone-tool";
  execv(installed.c_str(), argv);
  execv((folder + "/hone-tool").c_str(), argv);
  return installed;
}

}  // namespace

int main(int argc, char** argv) {
  bool launches = argc >= 2 && std::string_view(argv[1]) == "cc";
  Invocation invocation = launches ? read_invocation(argv + 2) : Invocation{};
  if (invocation.compiler && (invocation.off || !concerns_hone(invocation))) become_compiler(invocation.compiler);

  std::string missing = become_tool(argv);
  std::fprintf(stderr, "hone: cannot start %s: %s%s\n", missing.c_str(), std::strerror(errno),
               invocation.compiler && !invocation.locked ? "; the original is compiled" : "");
  if (invocation.compiler && !invocation.locked) become_compiler(invocation.compiler);
  return invocation.compiler ? 1 : kEnvironmentFailed;
}
