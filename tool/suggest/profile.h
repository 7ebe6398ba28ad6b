// A run of a user's program, and where its processor time went.
//
// run_profiled() starts the program with hone-sampler.so in it (sampler/samples.h) and waits: stdin, stdout and stderr
// are the caller's, and Ctrl-C is the program's. read_profile() turns what it left into call stacks over the files that
// were mapped. What a crash or a kill left counts. Starts no other process; one at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/os/process/foreground.h"

namespace hone::suggest {

struct Address {
  unsigned module = 0;       // of Profile::modules
  std::uint64_t offset = 0;  // as the file's symbols have it
  auto operator<=>(const Address&) const = default;
};

struct Sample {
  std::vector<Address> stack;  // innermost first
  double seconds = 0;          // of processor time
};

struct Profile {
  std::vector<std::string> modules;  // files; modules[0] is "": code that belongs to none
  std::vector<Sample> samples;       // each stack once
  double seconds = 0;
  unsigned processes = 0;
  bool cut = false;  // it ran so long that some samples had no room
};

// Error: the program cannot be started.
Result<os::ProgramEnd> run_profiled(const std::vector<std::string>& command, const std::filesystem::path& sampler,
                                    const std::filesystem::path& folder);

// Error: nothing was noted, and why that may be.
Result<Profile> read_profile(const std::filesystem::path& folder);

}  // namespace hone::suggest
