#include "tool/command/annotated_headers.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "tool/base/annotation_scan.h"
#include "tool/command/value_options.h"

namespace hone {
namespace {

namespace fs = std::filesystem;

bool is_present(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool is_in(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

std::optional<std::string> text_of(const fs::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return std::nullopt;
  std::string text;
  char buffer[65536];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, count);
  const bool whole = std::ferror(file) == 0;  // a folder opens, and cannot be read
  std::fclose(file);
  return whole ? std::optional(std::move(text)) : std::nullopt;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (text[end] == '_' || (text[end] >= '0' && text[end] <= '9') ||
                               ((text[end] | 32) >= 'a' && (text[end] | 32) <= 'z')))
    ++end;
  return text.substr(0, end);
}

// "name" or <name>.
struct Named {
  std::string name;
  bool quoted = false;
};

std::optional<Named> named_header(std::string_view text) {
  if (text.empty() || (text.front() != '"' && text.front() != '<')) return std::nullopt;
  const bool quoted = text.front() == '"';
  const std::size_t end = text.find(quoted ? '"' : '>', 1);
  if (end == std::string_view::npos || end == 1) return std::nullopt;
  return Named{std::string(text.substr(1, end - 1)), quoted};
}

class Search {
 public:
  Search(const std::string& source, const std::vector<std::string>& arguments, const fs::path& directory)
      : directory_(directory), headers_(source, directory) {
    for (std::size_t at = 0; at < arguments.size(); ++at) read_option(arguments, at);
    scan((directory / source).lexically_normal(), true);
  }

  bool run() {
    while (!found_ && more()) {
      const auto [named, folder] = std::move(pending_.back());
      pending_.pop_back();
      if (asked_.emplace(named.name, named.quoted ? folder.string() : "").second)
        if (const fs::path header = resolve(named, folder); !header.empty()) scan(header, false);
    }
    return found_;
  }

 private:
  // Where a file includes what a macro names, any header that a macro names may be meant.
  bool more() {
    if (pending_.empty() && includes_macros_) pending_ = std::exchange(in_macros_, {});
    return !pending_.empty();
  }

  void read_option(const std::vector<std::string>& arguments, std::size_t& at) {
    // -Xclang -include -Xclang FILE is CMake's for Clang.
    if (at + 3 < arguments.size() && arguments[at] == "-Xclang" && arguments[at + 1] == "-include") {
      pending_.push_back({{arguments[at += 3], true}, directory_});
      return;
    }
    const std::string& word = arguments[at];
    for (const std::string_view option : {"-iquote", "-include", "-I"}) {
      if (!word.starts_with(option)) continue;
      if (option == "-include" && word != option) continue;  // -include-pch
      std::string value = word.substr(option.size());
      if (value.empty() && at + 1 < arguments.size()) value = arguments[++at];
      if (option == "-include")
        pending_.push_back({{value, true}, directory_});
      else
        (option == "-I" ? folders_ : quote_folders_).push_back((directory_ / value).lexically_normal());
      return;
    }
    if (takes_next_word(word)) ++at;
  }

  fs::path resolve(const Named& named, const fs::path& folder) const {
    if (named.name.front() == '/') return named.name;
    std::vector<fs::path> folders;
    if (named.quoted) {
      folders.push_back(folder);
      folders.insert(folders.end(), quote_folders_.begin(), quote_folders_.end());
    }
    folders.insert(folders.end(), folders_.begin(), folders_.end());
    for (const fs::path& one : folders)
      if (fs::path path = (one / named.name).lexically_normal(); is_present(path)) return path;
    return {};
  }

  void scan(const fs::path& path, bool is_source) {
    if (!seen_.insert(path.string()).second || (!is_source && !headers_.contain(path))) return;
    const std::optional<std::string> text = text_of(path);
    if (!text) return;
    found_ = found_ || (!is_source && mentions_hone(*text));
    std::string_view rest = *text;
    for (std::size_t hash = rest.find('#'); !found_ && hash != rest.npos; hash = rest.find('#')) {
      rest.remove_prefix(hash + 1);
      read_directive(without_blanks(rest), path.parent_path());
    }
  }

  void read_directive(std::string_view text, const fs::path& folder) {
    const std::string_view word = first_word(text);
    const bool includes = word == "include" || word == "include_next" || word == "import";
    if (!includes && word != "define") return;
    text = without_blanks(text.substr(word.size()));
    if (!includes) {
      if (auto named = named_header(without_blanks(text.substr(first_word(text).size()))))
        in_macros_.push_back({*std::move(named), folder});
    } else if (auto named = named_header(text)) {
      pending_.push_back({*std::move(named), folder});
    } else if (!first_word(text).empty()) {
      includes_macros_ = true;
    }
  }

  const fs::path directory_;
  const ProjectHeaders headers_;
  std::vector<fs::path> quote_folders_, folders_;
  std::vector<std::pair<Named, fs::path>> pending_, in_macros_;  // and the folder of the file that names it
  std::set<std::pair<std::string, std::string>> asked_;          // names, and the folder of the file where it counts
  std::set<std::string> seen_;
  bool includes_macros_ = false;
  bool found_ = false;
};

}  // namespace

fs::path project_folder(const fs::path& source) {
  fs::path highest;
  for (fs::path folder = source.parent_path();; folder = folder.parent_path()) {
    for (const char* control : {".git", ".hg", ".svn"})
      if (is_present(folder / control)) return folder;
    if (is_present(folder / "CMakeLists.txt") || is_present(folder / "hone.lock")) highest = folder;
    if (folder == folder.parent_path()) return highest;
  }
}

ProjectHeaders::ProjectHeaders(const fs::path& source, fs::path directory)
    : folder_(project_folder((directory / source).lexically_normal())), directory_(std::move(directory)) {}

bool ProjectHeaders::contain(const fs::path& header) const {
  return folder_.empty() || is_in(folder_, header) || is_in(directory_, header);
}

bool includes_annotated_header(const std::string& source, const std::vector<std::string>& arguments,
                               const fs::path& directory) {
  return Search(source, arguments, directory).run();
}

}  // namespace hone
