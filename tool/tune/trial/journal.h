// Every verdict of a run, on disk before the search learns of it: what a killed run knew, its successor knows.
//
// JSON lines. The first says what the run was; a journal of another key, seed or compiler is not replayed. One of
// another strategy is: what was judged is known, whoever proposed it, so that a model's search goes on where the
// built-in one ended.
//   {"journal": 1, "key": "…", "seed": 1, "strategy": "builtin", "compiler": "g++ …"}
//   {"fingerprint": "<64 hex>", "name": "tile(64)", "source": "<sha256>", "object": "<sha256>" | "", "verdict": {…}}
// `object` is that of the compiled candidate, "" where it was never compiled.
// A torn last line is dropped. One process at a time holds a journal (flock on <file>.lock); the file <file>.owner says
// which. Not thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

#include "tool/base/result.h"
#include "tool/model/verdict.h"
#include "tool/os/files/files.h"

namespace hone::tune {

struct RunIdentity {
  std::string key;
  std::uint64_t seed = 1;
  std::string strategy;
  std::string compiler;
};

class Journal {
 public:
  // Waits for another process that holds it, after telling `waiting` about that one.
  // Error: it cannot be written, or `stop` came first.
  static Result<Journal> open(const std::filesystem::path& file, const RunIdentity& run, bool resume,
                              std::stop_token stop, const std::function<void(const std::string&)>& waiting);

  struct Entry {
    std::string object;
    Verdict verdict;
  };
  const Entry* find(const std::string& fingerprint) const;
  std::size_t replayable() const { return entries_.size(); }
  bool waited() const { return waited_; }
  Result<void> append(const std::string& fingerprint, const std::string& name, const std::string& source_digest,
                      const std::string& object_digest, const Verdict& verdict);

 private:
  Journal(std::filesystem::path file, os::FileLock lock) : file_(std::move(file)), lock_(std::move(lock)) {}
  bool replay(const std::string& text, const RunIdentity& run);

  std::filesystem::path file_;
  os::FileLock lock_;
  bool waited_ = false;
  std::map<std::string, Entry> entries_;
};

}  // namespace hone::tune
