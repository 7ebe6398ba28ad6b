// Every verdict of a run, on disk before the search learns of it: what a killed run knew, its successor knows.
//
// JSON lines. The first says what the run was; a journal of another key, seed or compiler is not replayed. One of
// another strategy is: what was judged is known, whoever proposed it, so that a model's search goes on where the
// built-in one ended.
//   {"journal": 1, "key": "…", "seed": 1, "strategy": "builtin", "compiler": "g++ …"}
//   {"fingerprint": "<64 hex>", "name": "tile(64)", "source": "<sha256>", "object": "<sha256>" | "", "verdict": {…},
//    "operator": "mutation", "parents": [1, 4], "text": "…"}              where it came from, for reports; not replayed
//   {"done": true}     last, where the run's result is final: only a run that is asked to goes on from there
// `object` is that of the compiled candidate, "" where it was never compiled.
// A torn last line is dropped. A journal that does not fit, or whose first line is damaged, is set aside (*.aside), not
// erased, and what is lost is said. One process at a time holds a journal (flock on <file>.lock); the file <file>.owner
// says which. Not thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

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

// Who proposed a candidate, and what it is: for who reads how a search went (journal_reader.h).
struct JournaledOrigin {
  std::string operator_name;
  std::vector<unsigned> parents;  // trial numbers
  std::string text;
};

class Journal {
 public:
  enum class Start {
    unless_done,  // goes on from what a run left that was stopped, killed or out of time
    go_on,        // from whatever is there
    anew,
  };
  // Waits for another process that holds it. Tells `say` about that one, and about what is wrong with the file.
  // Error: it cannot be written, or `stop` came first.
  static Result<Journal> open(const std::filesystem::path& file, const RunIdentity& run, Start start,
                              std::stop_token stop, const std::function<void(const std::string&)>& say);

  struct Entry {
    std::string object;
    Verdict verdict;
  };
  const Entry* find(const std::string& fingerprint) const;
  std::size_t replayable() const { return entries_.size(); }
  bool goes_on() const { return goes_on_; }  // from an earlier run, which may have judged nothing yet
  bool waited() const { return waited_; }
  Result<void> append(const std::string& fingerprint, const std::string& name, const std::string& source_digest,
                      const std::string& object_digest, const Verdict& verdict, const JournaledOrigin& origin = {});
  // The run's result is final.
  Result<void> finish();

 private:
  Journal(std::filesystem::path file, os::FileLock lock) : file_(std::move(file)), lock_(std::move(lock)) {}
  using Say = std::function<void(const std::string&)>;
  Result<bool> take_over(const RunIdentity& run, Start start, const Say& say);
  unsigned replay(std::string_view lines);
  Result<void> set_aside(const std::string& why, const Say& say) const;

  std::filesystem::path file_;
  os::FileLock lock_;
  bool waited_ = false;
  bool goes_on_ = false;
  std::map<std::string, Entry> entries_;
};

}  // namespace hone::tune
