// A project of one source, as the commands see it: a build folder with a compilation database, built by nobody.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tool/os/files/files.h"

namespace hone {

class SmallProject {
 public:
  explicit SmallProject(const std::string& source, const std::string& flags = "-O2",
                        const std::string& compiler = "g++");

  const std::filesystem::path& folder() const { return folder_.path(); }
  std::filesystem::path lock() const { return folder() / "hone.lock"; }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::filesystem::path& path) const;  // "" when it is not there

  // The verdict lines of the only journal there is (without its header); empty when there is none yet.
  std::vector<std::string> journal() const;

 private:
  os::TemporaryFolder folder_;
};

// Gains from nearly everything: a product of matrices in the worst order.
extern const char* const slow_product;
// Quick to compile, and many transformations apply.
extern const char* const twice_in_steps;
// Cannot gain: the compiler makes a memcpy of it.
extern const char* const plain_copy;

}  // namespace hone
