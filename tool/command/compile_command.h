// One entry of a compilation database, or the command line that the launcher was given.
#pragma once

#include <string>
#include <vector>

namespace hone {

struct CompileCommand {
  std::string directory;               // absolute; relative paths in `arguments` start here
  std::string file;                    // absolute path of the main source file
  std::string output;                  // the object, as given; may be empty
  std::vector<std::string> arguments;  // compiler first
  // What programs link that hold the object (library_words.h), as far as it is known; no compile reads it.
  std::vector<std::string> libraries = {};
};

}  // namespace hone
