// What stands around the judge while it judges a hostile candidate, and a look at whether anything of it was touched.
//
// Gives this process a TMPDIR, a HOME and a working folder of its own, a sentinel that every user may write, and makes
// it the parent of whatever its descendants leave behind. One object per process.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tool/os/files/files.h"

namespace hone::corpus {

class Surroundings {
 public:
  Surroundings();

  // The text with @SENTINEL@, @FOLDER@ and @JUDGE@ filled in.
  std::string fill(std::string text) const;

  // "" or what the last candidate left behind or changed: processes, files, shared memory, the sentinel.
  std::string traces();

 private:
  using Snapshot = std::map<std::string, std::string>;  // path to what tells a change

  Snapshot look() const;

  os::TemporaryFolder folder_;
  std::filesystem::path sentinel_;
  Snapshot before_;
};

}  // namespace hone::corpus
