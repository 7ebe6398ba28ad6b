// The rule of the house: a room is a folder and a target, and its link list is what it may include.
//
// CMake writes down what it builds (HoneHouse.cmake), and this compares it with what the sources include. Pure, but for
// reading the files.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hone::house {

struct Target {
  std::string name;
  std::string folder;             // from the repository's root: "tool/judge/data"
  std::set<std::string> sources;  // "tool/judge/data/case.cpp"
  std::set<std::string> links;    // targets that its sources may include from
  std::set<std::string> exports;  // those of them that its headers may include from
};

struct House {
  std::filesystem::path root;
  std::map<std::string, Target> targets;

  // Lines of "target NAME FOLDER", "source NAME PATH", "link NAME TARGET" and "export NAME TARGET".
  static House read(const std::filesystem::path& root, const std::filesystem::path& file);
};

// Everything that breaks the rule, a sentence each:
//   an #include that no link of the target allows (a header's: no link that its users get, too),
//   a circle of targets,
//   a source that is compiled into another folder's target,
//   a source of a room that no target compiles,
//   Clang's or LLVM's headers where neither is linked,
//   a type that two files define in one namespace.
std::vector<std::string> objections(const House& house);

}  // namespace hone::house
