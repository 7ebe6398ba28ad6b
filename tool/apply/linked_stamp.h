// Beside an object, what it was compiled from, so that a lock file that changed for other kernels costs no compile.
//
// A build system knows one thing: hone.lock is newer than 200 objects. Which of them it speaks of, only Hone knows.
//
//   <object>.hone-linked
//   { "linked": 1,
//     "command": "<64 hex>",   this program, the command's words, its folder, what else was asked
//     "started": [s, ns],      when the compile began: what is newer it may not have read
//     "object": "<size> <inode> <time>",   as the compiler left it: another compile of it makes this void
//     "lock": path,
//     "says": "<64 hex>",      all that the lock file and the stores say of these kernels
//     "kernels": [{"name", "file", "key"}],
//     "depfile": "…" }         which ninja removes once it has read it
//
// renew() is true where the object is the one that was written, the command is the same, every other prerequisite is
// older than its compile, and the lock file says the same of its kernels. Then the object and its dependency file are
// as new as the lock file again. Whatever else is the case: false, and the caller compiles. One thread.
#pragma once

#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cache/lock_file.h"
#include "tool/command/compiler_line.h"
#include "tool/model/kernel_spec.h"

namespace hone::apply {

class LinkedStamp {
 public:
  // `asked`: what decides about the compile and stands neither in the command nor in the settings. Made before anything
  // is read.
  LinkedStamp(const CompilerLine& line, std::filesystem::path lock, std::string asked);

  bool renew() const;

  // What the lock file says of these kernels, and whether the variants that it names are there.
  void hear(const cache::LockFile& lock, const std::vector<KernelIdentity>& kernels);
  // After the compile, when object and dependency file are whole; not without hear().
  void write() const;

 private:
  struct Heard {
    std::vector<KernelIdentity> kernels;
    std::string says;
  };
  std::filesystem::path file() const;
  std::string command() const;
  Heard heard_from(const cache::LockFile& lock, std::vector<KernelIdentity> kernels) const;
  bool has_newer(const std::string& depfile, const timespec& started) const;
  void put(const Heard& heard, const std::string& depfile) const;

  const CompilerLine& line_;
  const std::filesystem::path lock_;
  const std::string asked_;
  timespec started_{};
  std::optional<Heard> heard_;
};

}  // namespace hone::apply
