// A user's project in a temporary folder, and what its user does with it: write files, configure, build, run, tune.
//
// Everything goes through the real programs (cmake, ninja or make, the compiler, hone); nothing outside the folder is
// written, the user's store is inside it too. Folder names have a space, so that quoting is always on trial.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cache/lock_file.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::tests {

struct Outcome {
  int code = -1;
  std::string out;  // stdout
  std::string err;
  std::string all() const { return out + err; }
  bool ok() const { return code == 0; }
};

// How often `part` stands in `text`.
unsigned count(const std::string& text, const std::string& part);

class Project {
 public:
  explicit Project(std::string name = "my source");  // of source()

  std::filesystem::path folder() const { return folder_.path(); }
  std::filesystem::path source() const { return folder() / source_; }
  std::filesystem::path build() const { return folder() / "build"; }

  void write(const std::string& file, const std::string& text);  // below source()
  std::string read(const std::filesystem::path& file) const;     // "" where there is none

  // `command` with the environment of these tests; `extra` are NAME=VALUE.
  Outcome run(std::vector<std::string> command, const std::filesystem::path& directory,
              const std::vector<std::string>& extra = {}) const;

  // cmake -S source() -B `binary`, with Hone from the build that is under test.
  Outcome configure(const std::string& generator, std::vector<std::string> options = {},
                    const std::filesystem::path& binary = {}) const;
  Outcome build_target(const std::string& target = "all", const std::filesystem::path& binary = {},
                       const std::vector<std::string>& extra = {}) const;
  Outcome program(const std::string& name, const std::filesystem::path& binary = {}) const;

  // `hone cc …options -- g++ -c FILE -o build()/FILE.o` in source(), without CMake.
  Outcome compile(const std::string& file, std::vector<std::string> options = {}, std::vector<std::string> flags = {},
                  const std::vector<std::string>& extra = {}) const;
  std::filesystem::path object(const std::string& file) const { return build() / (file + ".o"); }
  // Links the objects of `files` and runs the program.
  Outcome link_and_run(const std::vector<std::string>& files) const;

  // The request key of the kernel that stands in `file`, as `hone list` says for `binary`'s compile_commands.json.
  std::string key(const std::string& kernel, const std::filesystem::path& binary = {}) const;
  // The same for compile(): writes the compile_commands.json that it takes.
  std::string key_of_file(const std::string& kernel, const std::string& file,
                          std::vector<std::string> flags = {}) const;

  // build()'s compile_commands.json, with this one command that compiles `file`.
  void write_database(const std::string& file, const std::vector<std::string>& command) const;

  std::filesystem::path lock() const { return source() / "hone.lock"; }
  // The same for any command that compiles `file` in source().
  std::string key_of_command(const std::string& kernel, const std::string& file,
                             const std::vector<std::string>& command) const;

  // Locks a variant by hand, its text into the project's store. nullopt: searched, nothing found. `measured_on`: a
  // device's architecture, "sm_90".
  std::string lock_variant(const std::string& kernel, const std::string& file, const std::string& key,
                           const std::optional<std::string>& variant, const std::string& measured_on = {}) const;
  std::filesystem::path blob(const std::string& digest) const { return source() / "hone" / "cas" / digest; }

 private:
  std::filesystem::path or_build(const std::filesystem::path& binary) const {
    return binary.empty() ? build() : binary;
  }

  os::TemporaryFolder folder_;
  std::string source_;
  mutable std::map<std::string, std::string> compiled_with_;  // by the keys that were asked for
};

}  // namespace hone::tests
