#include "tool/project/linked_libraries.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tool/command/compiler_line.h"
#include "tool/command/library_words.h"
#include "tool/os/files/files.h"
#include "tool/project/recorded_commands.h"

namespace hone::project {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// One program or library, as it is linked.
struct Link {
  std::string made_of;             // a text that names its objects and archives
  std::vector<std::string> words;  // all, as far as they may name libraries
  fs::path directory;              // that they are relative to
};

void for_each_line(const fs::path& file, const std::function<void(std::string_view)>& see) {
  const auto text = os::read_file(file, largest_database);
  if (!text) return;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    see(std::string_view(*text).substr(at, end - at));
    at = end + 1;
  }
}

// A value of Ninja's, in which $ stands in front of blanks, colons and itself.
std::string unescaped(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '$' && i + 1 < value.size()) ++i;
    plain += value[i];
  }
  return plain;
}

// build OUTPUT: RULE INPUTS…, and below it the variables of CMake and Meson.
void read_ninja(const fs::path& file, const fs::path& build, std::vector<Link>& links) {
  std::string edge;
  for_each_line(file, [&](std::string_view line) {
    if (line.starts_with("build ")) edge = line;
    for (const std::string_view variable : {"  LINK_LIBRARIES = ", " LINK_ARGS = ", "  LINK_PATH = "})
      if (line.starts_with(variable))
        links.push_back({edge, response_words(unescaped(line.substr(variable.size()))), build});
  });
}

// <folder>/CMakeFiles/<target>.dir, a line each.
void read_makefiles(const fs::path& build, std::vector<Link>& links) {
  for_each_line(build / "CMakeFiles" / "TargetDirectories.txt", [&](std::string_view folder) {
    for_each_line(fs::path(folder) / "link.txt", [&](std::string_view line) {
      links.push_back({std::string(line), response_words(line), fs::path(folder).parent_path().parent_path()});
    });
  });
}

void read_recorded(const fs::path& build, std::vector<Link>& links) {
  const auto text = os::read_file(links_beside(build / "compile_commands.json"), largest_database);
  const json recorded = text ? json::parse(*text, nullptr, false) : json();
  if (!recorded.is_array()) return;
  for (const json& link : recorded) {
    if (!link.is_object() || !link.contains("libraries") || !link.contains("directory")) continue;
    std::vector<std::string> words;
    for (const json& word : link["libraries"])
      if (word.is_string()) words.push_back(word.get<std::string>());
    const json& directory = link["directory"];
    links.push_back({"", words, directory.is_string() ? directory.get<std::string>() : build.string()});
  }
}

std::vector<Link> links_of(const fs::path& build) {
  std::vector<Link> links;
  read_ninja(build / "build.ninja", build, links);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(build / "CMakeFiles", error))
    if (const std::string name = entry.path().filename().string();
        name.starts_with("impl-") && name.ends_with(".ninja"))
      read_ninja(entry.path(), build, links);
  read_makefiles(build, links);
  read_recorded(build, links);
  return links;
}

bool is_in(const fs::path& path, const fs::path& folder) {
  const fs::path from_there = path.lexically_relative(folder);
  return !from_there.empty() && *from_there.begin() != "..";
}

}  // namespace

std::vector<std::string> linked_libraries(const fs::path& build, const CompileCommand& command,
                                          const std::string& target) {
  std::vector<Link> links = links_of(build);
  const auto holds = [&](const Link& link) {
    return !target.empty() && (link.made_of.find("CMakeFiles/" + target + ".dir/") != std::string::npos ||
                               link.made_of.find("lib" + target + ".a") != std::string::npos);
  };
  std::ranges::stable_partition(links, holds);
  links.insert(links.begin(), {"", command.arguments, command.directory});  // it may link at once
  std::vector<std::string> words;
  for (const Link& link : links) {
    for (std::string& word : library_words(link.words)) {
      if (!word.starts_with("-l")) {
        const std::string flag = word.starts_with("-L") ? "-L" : "";
        const fs::path path = (link.directory / word.substr(flag.size())).lexically_normal();
        if (is_in(path, build)) continue;
        word = flag + path.string();
      }
      if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
    }
  }
  return words;
}

}  // namespace hone::project
