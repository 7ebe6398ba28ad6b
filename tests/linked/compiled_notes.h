// Sources with notes behind them, and the compilers and tools that make something of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tool/linked/linked_kernel.h"
#include "tool/os/files/files.h"

namespace hone::linked {

inline const LinkedKernel tuned{"app::blur", "src/blur.cpp", std::string(64, 'a'), std::string(64, 'b'), "", ""};
inline const LinkedKernel untuned{"copy", "src/copy.cpp", std::string(64, 'c'), "", "untuned", ""};

class NotesFolder {
 public:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  // In the folder; "" where it succeeds, else what it says.
  std::string run(const std::vector<std::string>& command, std::string* out = nullptr) const;
  static bool has(const std::string& program);

 private:
  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-linked");
};

}  // namespace hone::linked
