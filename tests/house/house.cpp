#include "tests/house/house.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>

namespace hone::house {
namespace {

namespace fs = std::filesystem;

// Folders whose sources are the product's. What lies elsewhere is test code, which may reach into every room.
constexpr std::array<std::string_view, 3> product{"annotations", "cache", "tool"};

bool is_of_product(std::string_view path) {
  return std::ranges::any_of(product, [&](std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
  });
}

std::string folder_of(const std::string& path) {
  return fs::path(path).parent_path().generic_string();
}

struct Include {
  std::string path;  // as written
  bool quoted = false;
  unsigned line = 0;
};

std::vector<Include> includes_of(const fs::path& file) {
  std::vector<Include> found;
  std::ifstream in(file);
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (!line.starts_with("#include ") || line.size() < 12) continue;
    const char closing = line[9] == '"' ? '"' : '>';
    const std::size_t end = line.find(closing, 10);
    if (end != std::string::npos) found.push_back({line.substr(10, end - 10), closing == '"', number});
  }
  return found;
}

// The types that a file defines for all to see, with their namespaces. clang-format leaves namespaces unindented.
std::set<std::string> types_of(const fs::path& file) {
  static const std::regex definition(R"((?:struct|class|union|enum|enum class) (\w+)(?: final)?(?: : [^;{]*)? \{.*)");
  std::set<std::string> found;
  std::vector<std::string> open;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("namespace ") && line.ends_with("{")) {
      open.push_back(line.substr(10, line.size() - 11));
    } else if (line.starts_with("}  // namespace") && !open.empty()) {
      open.pop_back();
    } else if (std::ranges::find(open, "") == open.end()) {
      std::string full;
      for (const std::string& one : open) full += one.substr(0, one.find(' ')) + "::";
      if (std::smatch match; std::regex_match(line, match, definition)) found.insert(full + match[1].str());
    }
  }
  return found;
}

class Inspection {
 public:
  explicit Inspection(const House& house) : house_(house) {
    for (const auto& [name, target] : house_.targets)
      if (is_of_product(target.folder)) rooms_[target.folder].push_back(&target);
  }

  std::vector<std::string> run() {
    for (const auto& [name, target] : house_.targets) look_at(target);
    for (const auto& [folder, targets] : rooms_) look_at_headers(folder, targets);
    look_for_lost_sources();
    look_for_circles();
    look_for_types_defined_twice();
    return std::move(objections_);
  }

 private:
  void object(std::string text) { objections_.push_back(std::move(text)); }

  void look_at(const Target& target) {
    const bool of_product = is_of_product(target.folder);
    for (const std::string& source : target.sources) {
      if (is_of_product(source) && folder_of(source) != target.folder) {
        object(source + ": is compiled into " + target.name + " of " + target.folder + "; link its own room instead");
        continue;
      }
      if (of_product) look_at_file(source, {&target}, false);
    }
  }

  // Headers belong to no target's list: any target of the folder may vouch for them.
  void look_at_headers(const std::string& folder, const std::vector<const Target*>& targets) {
    for (const auto& entry : fs::directory_iterator(house_.root / folder))
      if (entry.path().extension() == ".h")
        look_at_file(folder + "/" + entry.path().filename().string(), targets, true);
  }

  void look_at_file(const std::string& file, const std::vector<const Target*>& targets, bool header) {
    for (const Include& include : includes_of(house_.root / file)) {
      const std::string where = file + ":" + std::to_string(include.line) + ": includes " + include.path;
      if (!include.quoted) {
        if ((include.path.starts_with("clang/") || include.path.starts_with("llvm/")) && !reaches_llvm(targets))
          object(where + ", but " + targets.front()->name + " links neither hone_clang nor LLVM");
        continue;
      }
      if (!is_of_product(include.path)) {
        object(where + ", which is not written from the repository's root");
        continue;
      }
      const std::string folder = folder_of(include.path);
      if (folder != folder_of(file) && !is_allowed(folder, targets, header))
        object(where + ", but " + targets.front()->name + (header ? " exports" : " has") + " no link to " + folder);
    }
  }

  bool is_allowed(const std::string& folder, const std::vector<const Target*>& targets, bool header) {
    return std::ranges::any_of(targets, [&](const Target* target) {
      for (const std::string& name : reachable(*target, header))
        if (const auto it = house_.targets.find(name); it != house_.targets.end() && it->second.folder == folder)
          return true;
      return false;
    });
  }

  bool reaches_llvm(const std::vector<const Target*>& targets) {
    return std::ranges::any_of(targets, [&](const Target* target) {
      return std::ranges::any_of(reachable(*target, false), [](const std::string& name) {
        return name == "hone_clang" || name.find("LLVM") != std::string::npos;
      });
    });
  }

  // What a target's sources may use: its links, and what those export, and so on.
  std::set<std::string> reachable(const Target& target, bool exported) {
    std::set<std::string> seen;
    std::vector<std::string> open((exported ? target.exports : target.links).begin(),
                                  (exported ? target.exports : target.links).end());
    while (!open.empty()) {
      const std::string name = open.back();
      open.pop_back();
      if (!seen.insert(name).second) continue;
      if (const auto it = house_.targets.find(name); it != house_.targets.end())
        open.insert(open.end(), it->second.exports.begin(), it->second.exports.end());
    }
    return seen;
  }

  void look_for_lost_sources() {
    std::set<std::string> compiled;
    for (const auto& [name, target] : house_.targets) compiled.insert(target.sources.begin(), target.sources.end());
    for (const auto& [folder, targets] : rooms_)
      for (const auto& entry : fs::directory_iterator(house_.root / folder)) {
        const std::string file = folder + "/" + entry.path().filename().string();
        if (entry.path().extension() == ".cpp" && !compiled.contains(file) && !is_alternative(file))
          object(file + ": no target of " + folder + " compiles it");
      }
  }

  // Compiled with a CUDA toolkit, or in place of what needs one.
  static bool is_alternative(const std::string& file) {
    static constexpr std::array<std::string_view, 7> with_or_without_cuda{"tool/cuda/driver.cpp",
                                                                          "tool/judge/device/device.cpp",
                                                                          "tool/judge/device/device_arithmetic.cpp",
                                                                          "tool/judge/device/no_device.cpp",
                                                                          "tool/runner/device_arguments.cpp",
                                                                          "tool/runner/device_scrub.cpp",
                                                                          "tool/runner/no_device_arguments.cpp"};
    return std::ranges::find(with_or_without_cuda, file) != with_or_without_cuda.end();
  }

  void look_for_circles() {
    for (const auto& [name, target] : house_.targets) visit(name);
  }

  // Two files may well be one program, which then takes the functions of one of the types for both.
  void look_for_types_defined_twice() {
    std::map<std::string, std::string> first;
    for (const auto& [folder, targets] : rooms_)
      for (const auto& entry : fs::directory_iterator(house_.root / folder)) {
        const std::string file = folder + "/" + entry.path().filename().string();
        if (!file.ends_with(".h") && !file.ends_with(".cpp")) continue;
        for (const std::string& type : types_of(entry.path()))
          if (const auto [other, is_new] = first.try_emplace(type, file); !is_new)
            object(file + ": defines " + type + ", which " + other->second + " defines, too; rename one of them");
      }
  }

  void visit(const std::string& name) {
    if (done_.contains(name)) return;
    if (const auto at = std::ranges::find(path_, name); at != path_.end()) {
      std::string circle;
      for (auto it = at; it != path_.end(); ++it) circle += *it + " -> ";
      return object("a circle of rooms: " + circle + name);
    }
    path_.push_back(name);
    if (const auto it = house_.targets.find(name); it != house_.targets.end())
      for (const std::string& next : it->second.links) visit(next);
    path_.pop_back();
    done_.insert(name);
  }

  const House& house_;
  std::map<std::string, std::vector<const Target*>> rooms_;
  std::vector<std::string> objections_;
  std::vector<std::string> path_;
  std::set<std::string> done_;
};

}  // namespace

House House::read(const fs::path& root, const fs::path& file) {
  House house{root, {}};
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string kind, name, value;
    if (!(words >> kind >> name >> value)) continue;
    Target& target = house.targets[name];
    target.name = name;
    if (kind == "target") target.folder = value;
    if (kind == "source") target.sources.insert(value);
    if (kind == "link") target.links.insert(value);
    if (kind == "export") target.exports.insert(value);
  }
  return house;
}

std::vector<std::string> objections(const House& house) {
  return Inspection(house).run();
}

}  // namespace hone::house
